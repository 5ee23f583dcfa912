import BenchDrivers
import BenchScenario
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import EngineStress
@testable import ScenarioStress

/// Cases of the campaign, each run in a process of its own.
@Suite("A campaign of random scenarios", .serialized, .long) struct RandomCampaignTests {
  /// The active mutant of the program that the cases start; nil without one.
  private static let mutant = ProcessInfo.processInfo.environment["YAP_MUTANT"]

  private func run(_ campaign: RandomCampaign, case number: Int, seed: UInt64, in folder: String) throws -> CaseOutcome
  {
    let path = "\(folder)/case-\(number)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return try campaign.run(testCase(number, seed: seed, in: path))
  }

  private func testCase(_ number: Int, seed: UInt64, in folder: String) -> StressCase {
    StressCase(number: number, seed: seed, folder: folder, interruption: StopFlag())
  }

  @Test("finds nothing in the engine, and performs transactions")
  func sound() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let seed = Seed.announce(for: "RandomCampaignTests")
    let campaign = RandomCampaign(seed: seed)
    for number in 0..<3 {
      let outcome = try run(campaign, case: number, seed: seed, in: folder.path)
      #expect(outcome.failures == [], "case \(number)")
      #expect(outcome.counts["transactions"] ?? 0 > 0)
    }
    #expect(campaign.untested[0].contains("combinations"))
  }

  /// For `Scripts/prove-mutants`, which runs this test in a mutated program.
  @Test(
    "finds a mutant, and saves a scenario of at most 40 lines that shows it in less than 10 s",
    .enabled(if: Self.mutant != nil)
  )
  func mutated() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let seed = Seed.announce(for: "RandomCampaignTests")
    var shrinking = ShrinkingLimits()
    shrinking.seconds = 600
    shrinking.lines = 40
    let campaign = RandomCampaign(seed: seed, shrinking: shrinking)
    for number in 0..<500 {
      let outcome = try run(campaign, case: number, seed: seed, in: folder.path)
      // A scenario that fails too rarely cannot be shrunk.
      guard let failure = outcome.failures.first, !failure.contains("it did not fail again") else { continue }
      let path = "\(folder.path)/case-\(number)"
      let text = try String(contentsOfFile: "\(path)/scenario.yaml", encoding: .utf8)
      #expect(text.split(separator: "\n").count <= 40, "\(text)")
      let scenario = try ScenarioLoader.load(text: text).scenario
      #expect(!scenario.invariants.isEmpty && scenario.plannedDurationNanoseconds < 10_000_000_000)
      #expect(FileManager.default.fileExists(atPath: "\(path)/database"))
      let tests = campaign.settings(testCase(number, seed: seed, in: path)).tests
      try expectRepeated(path, with: tests, "\(outcome.failures)\n\(text)")
      return
    }
    Issue.record("not found in 500 cases of seed \(seed)")
  }

  /// Expects that the saved scenario of a case fails with the settings of the case, and passes without the mutant.
  private func expectRepeated(_ path: String, with tests: EngineTestSettings, _ comment: Comment) throws {
    let testCase = testCase(0, seed: 1, in: path)
    let repetition = try ScenarioRepetition(path: "\(path)/scenario.yaml", seed: 1, tests: tests)
    // Threads may miss each other in one run.
    let failed = try (0..<5).contains { _ in try !repetition.run(testCase).failures.isEmpty }
    #expect(failed, comment)
    let mutant = try #require(Self.mutant)
    unsetenv("YAP_MUTANT")
    defer { setenv("YAP_MUTANT", mutant, 1) }
    let sound = try ScenarioRepetition(path: "\(path)/scenario.yaml", seed: 1)
    #expect(try sound.run(testCase).failures == [], comment)
  }
}
