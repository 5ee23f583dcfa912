import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// The list of planted bugs against the tests that plant them.
@Suite struct PlantedBugTests {
  /// Where bugs are declared, not planted.
  private static let declarations = ["PlantedBug.swift", "Answers.swift", "PlantedBugTests.swift"]

  /// The sources of `yapbench stress self-test`, which plants bugs by name.
  private static func selfTest() throws -> String {
    let project = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let folder = project.appending(path: "Sources/ScenarioStress/SelfTest")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
  }

  @Test func `each planted bug is planted by a test, or by the self-test of stress campaigns`() throws {
    let selfTest = try Self.selfTest()
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { file in
      file.hasSuffix(".swift") && !Self.declarations.contains { file.hasSuffix($0) }
    }
    let texts = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    let tests = texts.filter { $0.contains("@Test") }
    let missing = PlantedBug.all.filter { bug in
      let name = bug.testDescription.dropFirst().dropLast().replacing("(.", with: ".")
      return !tests.contains { $0.contains(bug.testDescription) } && !selfTest.contains("\"\(name)\"")
    }
    Nightly.tell("planted bugs of the engine: \(PlantedBug.all.count - missing.count) of \(PlantedBug.all.count)")
    #expect(missing == [])
  }

  @Test(.enabled(if: TestHooks.areBuiltIn)) func `an omission is planted where it is looked for, and nowhere else`() {
    var omissions = Omissions<YapDatabaseConnection.Omission>()
    #expect(YapDatabaseConnection.Omission.allCases.allSatisfy { !omissions.has($0) })
    for (index, omission) in YapDatabaseConnection.Omission.allCases.enumerated() {
      omissions.insert(omission)
      #expect(YapDatabaseConnection.Omission.allCases.map { omissions.has($0) }.count { $0 } == index + 1)
      #expect(omissions.has(omission))
    }
  }
}
