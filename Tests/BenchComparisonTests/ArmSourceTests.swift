import Foundation
import TestSupport
import Testing

@testable import BenchComparison

@Suite("The name of a side") struct ArmSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `names are the program, an executable, a stored run or a revision`() throws {
    #expect(try ArmSource(".") == .this)
    #expect(try ArmSource("/bin/sh") == .executable(path: "/bin/sh"))
    #expect(try ArmSource("main~3") == .revision("main~3"))
    try folder.write("{}", to: "run.json")
    #expect(try ArmSource(folder.path) == .run(path: folder.path))
    #expect(try ArmSource(folder.path + "/run.json") == .run(path: folder.path + "/run.json"))
  }

  @Test func `a path without a file is not a revision`() {
    for path in ["/none/at/all", "./none", "../none"] {
      let error = #expect(throws: ComparisonError.self) { _ = try ArmSource(path) }
      #expect(error?.kind == .missing)
      #expect(error?.description.contains(path) == true)
    }
  }

  @Test func `a folder without a record and a file that is not a program are rejected with the remedy`() throws {
    let text = try folder.write("text", to: "notes")
    for path in [folder.path, text] {
      let error = #expect(throws: ComparisonError.self) { _ = try ArmSource(path) }
      #expect(error?.description.contains("an executable of yapbench") == true)
    }
  }
}
