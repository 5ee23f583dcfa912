import BenchDrivers
import BenchScenario
import EngineStress
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import ScenarioStress

/// Cases of the campaign, each run in a process of its own.
@Suite("A campaign of random scenarios", .serialized) struct RandomCampaignTests {
  private func run(_ campaign: RandomCampaign, case number: Int, seed: UInt64, in folder: String) throws -> CaseOutcome
  {
    let path = "\(folder)/case-\(number)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return try campaign.run(StressCase(number: number, seed: seed, folder: path, interruption: StopFlag()))
  }

  @Test("finds nothing in the engine, and performs transactions")
  func sound() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let seed = Seed.announce(for: "RandomCampaignTests")
    let campaign = try RandomCampaign(seed: seed)
    for number in 0..<3 {
      let outcome = try run(campaign, case: number, seed: seed, in: folder.path)
      #expect(outcome.failures == [], "case \(number)")
      #expect(outcome.counts["transactions"] ?? 0 > 0)
    }
    #expect(campaign.untested[0].contains("combinations"))
  }

  @Test(
    "finds a planted bug, and saves a scenario of at most 40 lines that shows it",
    .enabled(if: DriverBuild.hasTestPoints),
    arguments: ["connection.forgetsToDropChangedValues", "connection.losesTheBookmark"]
  )
  func planted(bug: String) throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let seed = Seed.announce(for: "RandomCampaignTests")
    let campaign = try RandomCampaign(seed: seed, plantedBugs: [bug], shrinkingSeconds: 20)
    for number in 0..<30 {
      let outcome = try run(campaign, case: number, seed: seed, in: folder.path)
      guard !outcome.failures.isEmpty else { continue }
      let path = "\(folder.path)/case-\(number)"
      let text = try String(contentsOfFile: "\(path)/scenario.yaml", encoding: .utf8)
      #expect(text.split(separator: "\n").count <= 40, "\(text)")
      #expect(try ScenarioLoader.load(text: text).scenario.invariants.isEmpty == false)
      #expect(outcome.failures[0].contains("--plant \(bug)"), "\(outcome.failures)")
      #expect(FileManager.default.fileExists(atPath: "\(path)/database"))
      return
    }
    Issue.record("not found in 30 cases of seed \(seed)")
  }
}
