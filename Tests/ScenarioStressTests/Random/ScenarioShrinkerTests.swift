import BenchScenario
import TestSupport
import Testing

@testable import ScenarioStress

/// Shrinks drawn scenarios by predicates that need no run.
@Suite("A shrunk scenario") struct ScenarioShrinkerTests {
  private static let seed: UInt64 = 11

  /// Returns the first drawn scenarios of which the predicate is true.
  private func scenarios(_ count: Int, where fails: (Scenario) -> Bool) -> [Scenario] {
    let plan = CombinationPlan(seed: Self.seed)
    let drawn = (0..<500).lazy.map { ScenarioGenerator.scenario(ofCase: $0, seed: Self.seed, plan: plan) }
    return Array(drawn.filter(fails).prefix(count))
  }

  private func shrink(_ scenario: Scenario, _ fails: @escaping (Scenario) -> Bool) throws -> Scenario {
    var shrinker = ScenarioShrinker(fails: fails)
    let smallest = try shrinker.shrink(scenario)
    #expect(fails(smallest))
    #expect(try ScenarioLoader.load(text: smallest.text()).scenario == smallest)
    return smallest
  }

  @Test("has only the operation and the event by which it fails")
  func operationAndEvent() throws {
    func fails(_ scenario: Scenario) -> Bool {
      scenario.phases.contains { phase in
        phase.events.contains { $0.action == .vacuum }
          && phase.actors.contains { $0.settings.operations.contains { $0.kind.verb == .remove } }
      }
    }
    let drawn = scenarios(2, where: fails)
    #expect(drawn.count == 2)
    for scenario in drawn {
      let smallest = try shrink(scenario, fails)
      #expect(smallest.phases.count == 1 && smallest.actors.count == 1 && smallest.views.isEmpty)
      #expect(smallest.connections.count == 1 && smallest.dataset.count == 1)
      #expect(smallest.actors[0].operations.map(\.kind.verb) == [.remove])
      #expect(smallest.actors[0].threads == 1 && smallest.actors[0].load == .closed(thinkNanoseconds: 0))
      #expect(smallest.phases[0].events.map(\.action) == [.vacuum])
      #expect(try smallest.text().split(separator: "\n").count <= 16)
    }
  }

  @Test("keeps two actors, their snapshot and a setting of the engine if it fails only with them")
  func actorsAndSetting() throws {
    func fails(_ scenario: Scenario) -> Bool {
      let actors = scenario.phases.flatMap(\.actors).map(\.settings)
      return scenario.engine.checkpoint != nil && actors.contains { $0.snapshot == .longLived(.onNotification) }
        && actors.contains {
          $0.operations.contains { $0.kind.verb == .set } && $0.operationsPerTransaction.upperBound > 1
        }
    }
    let drawn = scenarios(1, where: fails)
    #expect(drawn.count == 1)
    for scenario in drawn {
      let smallest = try shrink(scenario, fails)
      #expect(smallest.actors.count == 2 && smallest.phases.count == 1 && smallest.phases[0].events.isEmpty)
      #expect(smallest.engine.checkpoint == scenario.engine.checkpoint)
      #expect(smallest.engine.aggressiveCheckpointAtBytes == nil && smallest.engine.pageSizeBytes == nil)
      #expect(try smallest.text().split(separator: "\n").count <= 30)
    }
  }

  @Test("is the same each time, and cannot be shrunk further")
  func isDeterministic() throws {
    func fails(_ scenario: Scenario) -> Bool {
      scenario.views.contains { $0.sort == .commit } && scenario.dataset.contains { $0.codec == .json }
    }
    for scenario in scenarios(1, where: fails) {
      let smallest = try shrink(scenario, fails)
      #expect(try shrink(scenario, fails) == smallest)
      #expect(try shrink(smallest, fails) == smallest)
    }
  }

  @Test("is the scenario itself if no reduction fails, and if there is no time left")
  func unchanged() throws {
    let scenario = scenarios(1) { _ in true }[0]
    #expect(try shrink(scenario) { $0 == scenario } == scenario)
    var shrinker = ScenarioShrinker(mayContinue: { _ in false }, fails: { _ in true })
    #expect(try shrinker.shrink(scenario) == scenario)
    #expect(shrinker.triedCount == 0)
  }
}
