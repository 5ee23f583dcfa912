import BenchResults
import EngineStress
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives
import YapEngine

@testable import ScenarioStress

/// The test of the checkers: bugs that are caught, and one that is not.
@Suite struct SelfTestCampaignTests {
  private static let noProgram = CaseProgram(path: "none", arguments: [])

  private static func bug(_ name: String) throws -> SelfTestBug {
    try #require(SelfTestBug.named([name]).first)
  }

  private static func run(_ bug: SelfTestBug, seed: UInt64 = SelfTestCampaign.defaultSeed) throws -> CaseOutcome {
    let folder = try TemporaryFolder(prefersMemory: true)
    let campaign = SelfTestCampaign([bug], only: [], crashProgram: noProgram)
    let testCase = StressCase(number: 0, seed: seed, folder: folder.path, interruption: StopFlag())
    return try withExtendedLifetime(folder) { try campaign.run(testCase) }
  }

  @Test func `names are unique, and an unknown one is rejected`() {
    let names = SelfTestBug.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.count >= 24)
    #expect(throws: UnknownSelfTestBug.self) { try SelfTestBug.named(["none"]) }
  }

  @Test func `a caught bug is reported with its finding`() throws {
    let outcome = try Self.run(Self.bug("verify.swappedValues"))
    #expect(outcome.failures == [])
    let result = try #require(outcome.plantedBug)
    #expect(result.isCaught && result.cases == 1)
    #expect(result.finding?.contains("is not the one that commit") == true)
  }

  @Test func `a bug that is not caught fails the case`() throws {
    let planted = try Self.bug("verify.swappedValues")
    let missing = SelfTestBug(
      planted.name,
      planted.effect,
      by: planted.campaignName,
      within: 2,
      finding: planted.finding
    ) { _, program in try planted.campaign(false, program) }
    let outcome = try Self.run(missing)
    #expect(outcome.failures == ["the bug verify.swappedValues was not caught by verify (cases: 2)"])
    #expect(outcome.plantedBug?.isCaught == false)
    let expected = [
      "the bug verify.swappedValues was not caught by verify (cases: 2) with seed 5; "
        + "the budgets of cases hold for the default seed, 1"
    ]
    #expect(try Self.run(missing, seed: 5).failures == expected)
  }

  @Test func `a failure of another kind, or without the bug, fails the case`() throws {
    var other = try Self.bug("verify.swappedValues")
    other.finding = .failure(["another text"])
    let outcome = try Self.run(other)
    #expect(outcome.failures.first?.contains("fails otherwise: the object of row") == true)
    let planted = try Self.bug("verify.swappedValues")
    let always = SelfTestBug(
      planted.name,
      planted.effect,
      by: planted.campaignName,
      within: 1,
      finding: planted.finding
    ) { _, program in try planted.campaign(true, program) }
    #expect(try Self.run(always).failures.first?.contains("case 0 of verify, without the bug: ") == true)
  }

  @Test func `an error of a case with the bug is a failure of another kind`() throws {
    let planted = try Self.bug("verify.swappedValues")
    let throwing = SelfTestBug(
      planted.name,
      planted.effect,
      by: planted.campaignName,
      within: 2,
      finding: planted.finding
    ) { isPlanted, program in try isPlanted ? ThrowingCampaign() : planted.campaign(false, program) }
    let outcome = try Self.run(throwing)
    #expect(outcome.failures.first?.contains("fails otherwise: unexpected error: ") == true)
    #expect(outcome.plantedBug?.cases == 1 && outcome.plantedBug?.isCaught == false)
  }

  @Test func `a checker that sees no loss is caught by what the campaign requires`() throws {
    let outcome = try Self.run(Self.bug("power-loss.keptWrites"))
    #expect(outcome.failures == [])
    #expect(outcome.plantedBug?.finding?.contains("must lose commits") == true)
  }
}

/// Throws an error in each case.
private struct ThrowingCampaign: StressCampaign {
  let kind = StressKind.selfTest
  let arguments: [String] = []
  let synchronous = "off"
  let countNames: [String] = []
  let requirements: [StressRequirement] = []
  let untested: [String] = []

  func run(_ testCase: StressCase) throws -> CaseOutcome { throw CocoaError(.fileReadUnknown) }
}
