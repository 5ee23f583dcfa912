import BenchResults
import BenchScenario
import Foundation
import TestSupport
import Testing

@testable import YapBenchCommand

struct NewCommandTests {
  private let trial = Trial()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ScenarioTemplate.allCases)
  func `A template is a scenario`(template: ScenarioTemplate) throws {
    let path = folder.path + "/mine"
    #expect(trial.run("new", path, "--template", template.rawValue) == 0)
    try #expect(folder.names() == ["mine.yaml"])
    #expect(trial.run("check", path + ".yaml") == 0)
    let text = try String(contentsOfFile: path + ".yaml", encoding: .utf8)
    #expect(text.hasPrefix("# "))
    #expect(text.hasSuffix("]\n"))
    #expect(!text.contains("{{"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  @Test func `An existing file is not overwritten`() throws {
    let file = try folder.write("mine", to: "a.yaml")
    for path in [file, folder.path + "/a"] {
      #expect(trial.run("new", path, "--template", "write-burst") == 73)
    }
    #expect(
      trial.errors.lines
        == Array(
          repeating: "error: \(file): the file exists and is not overwritten; choose another name",
          count: 2
        )
    )
    try #expect(String(contentsOfFile: file, encoding: .utf8) == "mine")
  }

  @Test func `A missing folder is not created`() throws {
    #expect(trial.run("new", folder.path + "/none/a", "--template", "write-burst") == 73)
    #expect(trial.errors.text.contains("its folder does not exist; create the folder"))
    try #expect(folder.names() == [])
  }

  @Test(arguments: ["a b", "ä", ".yaml", "a.b"])
  func `A name that a scenario cannot have is refused`(name: String) throws {
    #expect(trial.run("new", "\(folder.path)/\(name)", "--template", "write-burst") == 64)
    #expect(trial.errors.text.contains("expected a name of up to 64 letters"))
    try #expect(folder.names() == [])
  }
}
