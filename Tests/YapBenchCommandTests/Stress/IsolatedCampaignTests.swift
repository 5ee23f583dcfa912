import BenchDrivers
import BenchResults
import HarnessPrimitives
import TestSupport
import Testing
import ThreadingPrimitives

@testable import EngineStress
@testable import YapBenchCommand

/// Cases of the damage campaign in child processes.
@Suite struct IsolatedCampaignTests {
  private static let failingCase = 50

  /// - Parameter failure: The failure of `failingCase` that the program `FailingCases` makes; nil for none, and for the
  ///   program that users have.
  private static func campaign(failure: String? = nil, limitSeconds: Int = 60) -> IsolatedCampaign {
    let path = EngineProcess.Program.this.path
    let program =
      failure.map { CaseProgram(path: PathParts(path).folder + "/FailingCases", arguments: [$0, "\(failingCase)"]) }
      ?? CaseProgram(path: path, arguments: ChildRole.cases.arguments + [StressKind.damage.rawValue])
    return IsolatedCampaign(DamageCampaign(), in: program.inMountNamespace, limitSeconds: limitSeconds)
  }

  private static func failures(of campaign: IsolatedCampaign, _ numbers: Range<Int>) throws -> [Int: [String]] {
    var failures: [Int: [String]] = [:]
    for number in numbers {
      let folder = try TemporaryFolder(prefersMemory: true)
      let testCase = StressCase(number: number, seed: 5, folder: folder.path, interruption: StopFlag())
      let found = try campaign.run(testCase).failures
      if !found.isEmpty { failures[number] = found }
    }
    return failures
  }

  @Test func `cases of all kinds pass in child processes`() throws {
    #expect(try Self.failures(of: Self.campaign(), 0..<64) == [:])
  }

  @Test(.enabled(if: MountNamespace.isAvailable, "mounts are not permitted here"))
  func `some cases have read-only temporary folders, which are writable again afterwards`() throws {
    let campaign = Self.campaign()
    var counts: [Int] = []
    for number in 0..<8 {
      let folder = try TemporaryFolder()
      let testCase = StressCase(number: number, seed: 5, folder: folder.path, interruption: StopFlag())
      counts.append(try campaign.run(testCase).counts["read-only temporary folders"] ?? 0)
    }
    #expect(Set(counts) == [0, 1])
  }

  @Test func `a trap is the failure of its case alone`() throws {
    let failures = try Self.failures(of: Self.campaign(failure: "trap"), 48..<53)
    #expect(failures.keys.sorted() == [Self.failingCase])
    #expect(failures[Self.failingCase]?.first?.contains("a trap for a test") == true, "\(failures)")
  }

  @Test func `a hang is the failure of its case alone`() throws {
    let failures = try Self.failures(of: Self.campaign(failure: "hang", limitSeconds: 5), 49..<52)
    #expect(failures == [Self.failingCase: ["the case hung: it did not end within 5 s"]])
  }

  @Test func `an interruption ends a case that hangs`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let interruption = StopFlag()
    interruption.raise()
    let testCase = StressCase(number: Self.failingCase, seed: 5, folder: folder.path, interruption: interruption)
    let outcome = try Self.campaign(failure: "hang").run(testCase)
    #expect(outcome == CaseOutcome())
  }

  @Test func `the path of a missing program is reported`() throws {
    let program = CaseProgram(path: "/nowhere/yapbench", arguments: [])
    let testCase = StressCase(number: 0, seed: 5, folder: "/nowhere", interruption: StopFlag())
    let error = #expect(throws: ProgramNotStarted.self) {
      try IsolatedCampaign(DamageCampaign(), in: program).run(testCase)
    }
    #expect(error?.description.hasPrefix("/nowhere/yapbench: it could not be run (No such file") == true)
  }
}
