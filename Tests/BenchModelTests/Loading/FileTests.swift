internal import Foundation
internal import Testing

@testable import BenchModel

@Suite("Files")
struct FileTests {
  /// Writes a file into a folder of its own, and takes both away again.
  private func withFile(_ name: String, _ text: String, _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scenario-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    try body(file.path)
  }

  private func problems(ofFile path: String) -> [Diagnostic] {
    do {
      _ = try ScenarioLoader.load(path: path)
      return []
    } catch {
      return error.diagnostics
    }
  }

  @Test("the name is the file's name")
  func name() throws {
    try withFile("small.yaml", smallScenario) { #expect(problems(ofFile: $0) == []) }
    try withFile("large.yaml", smallScenario) { path in
      let message = "the name \"small\" is not the file's name; expected \"large\""
      #expect(problems(ofFile: path) == [Diagnostic(file: path, line: 2, column: 7, message: message)])
    }
  }

  @Test("the copy that a run keeps is called scenario.yaml, whatever its name is")
  func copyOfRun() throws {
    try withFile("scenario.yaml", smallScenario) { #expect(problems(ofFile: $0) == []) }
  }

  @Test("a file that is not there, and a folder, are problems with a place")
  func unreadable() {
    let missing = packageRoot.appendingPathComponent("Scenarios/none.yaml").path
    #expect(problems(ofFile: missing).map(\.description) == ["\(missing):1:1: error: there is no such file"])
    let folder = packageRoot.appendingPathComponent("Scenarios").path
    #expect(
      problems(ofFile: folder).map(\.description) == [
        "\(folder):1:1: error: this is a folder; expected a scenario file"
      ]
    )
  }

  @Test("an endless file is not read to its end")
  func endless() {
    #expect(problems(ofFile: "/dev/zero").map(\.message) == ["the file is larger than 1 MiB"])
  }
}
