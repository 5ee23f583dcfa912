import BenchResults
import EngineStress
import Testing

@testable import ScenarioStress

@Suite struct RunOutcomeTests {
  @Test func `an empty outcome has neither counts nor failures`() {
    #expect(CaseOutcome() == CaseOutcome(counts: [:], failures: []))
  }
}
