import Foundation
import Testing

@testable import YapBenchCommand

struct SchemaCommandTests {
  private let trial = Trial()

  @Test(
    arguments: [
      ([], "scenario.schema.json"), (["--reference"], "scenario-reference.md"), (["--words"], "words.md"),
    ] as [([String], String)]
  )
  func `The output is the repository's copy`(options: [String], name: String) throws {
    #expect(Program.run(["schema"] + options, in: .captured(by: trial)) == 0)
    try #expect(trial.output.text == String(contentsOfFile: Project.path + "/Documentation/" + name, encoding: .utf8))
    #expect(trial.errors.text.isEmpty)
  }
}
