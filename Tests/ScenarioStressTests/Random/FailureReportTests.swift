import TestSupport
import Testing
import ThreadingPrimitives

@testable import EngineStress
@testable import ScenarioStress

@Suite struct FailureReportTests {
  @Test func `the report of an interrupted case says that the scenario was not shrunk to the end`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let interruption = StopFlag()
    interruption.raise()
    let testCase = StressCase(number: 0, seed: 11, folder: folder.path, interruption: interruption)
    let report = FailureReport(
      testCase: testCase,
      trials: TrialProcess(interruption: interruption),
      settings: TrialSettings(),
      shrinking: ShrinkingLimits()
    )
    let plan = CombinationPlan(seed: 11)
    var found = TrialResult()
    found.failures = ["row 7 is wrong"]
    let text = try report.save(ScenarioGenerator.scenario(ofCase: 0, seed: 11, plan: plan), found)
    #expect(text.hasPrefix("row 7 is wrong; scenario.yaml has "))
    #expect(text.contains("shrinking was interrupted"))
    #expect(!text.contains("it did not fail again"))
    #expect(try folder.names() == ["original.yaml", "scenario.yaml"])
  }
}
