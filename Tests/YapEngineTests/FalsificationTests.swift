import Foundation
import Testing

/// The list of falsifications against the tests that use them.
@Suite struct FalsificationTests {
  @Test func `each falsification is given to a test`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    let texts = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    let tests = texts.filter { $0.contains("@Test") }
    let missing = Falsification.allCases.filter { falsification in
      !tests.contains { $0.contains("\(falsification)") }
    }
    #expect(missing == [])
  }
}
