import Foundation
import TestSupport
import Testing

/// The list of mistakes between a driver and the runner against the tests that plant them.
@Suite struct FalsificationTests {
  @Test func `each falsification is planted by a test`() throws {
    let tests = Repository.root.appendingPathComponent("Tests/BenchRunnerTests")
    let files = try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter { $0.hasSuffix("Tests.swift") }
    let texts = try files.map { try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8) }
      .filter { $0.contains("falsification:") }
    let missing = Falsification.allCases.filter { bug in !texts.contains { $0.contains(".\(bug)") } }
    let count = Falsification.allCases.count
    FileHandle.standardError.write(Data("planted bugs of drivers: \(count - missing.count) of \(count)\n".utf8))
    #expect(missing == [])
  }
}
