import BenchScenario
import TestSupport
import Testing

@testable import ScenarioStress

@Suite("Drawn scenarios") struct ScenarioGeneratorTests {
  private static let cases = 0..<(Nightly.minutes == nil ? 100 : 2_000)

  /// The combinations of a scenario's first phase.
  private func combinations(of scenario: Scenario) -> Set<Combination> {
    var found: Set<Combination> = []
    for phase in scenario.phases {
      let events = phase.events.isEmpty ? [.none] : phase.events.map { EventForm($0.action) }
      for actor in phase.actors.map(\.settings) {
        let own = scenario.connections.first { $0.name == actor.connections[0] }?.objectPolicy
        let policy = own ?? scenario.engine.defaultObjectPolicy ?? .containment
        for operation in actor.operations {
          for event in events {
            found.insert(
              Combination(
                operation: operation.kind.verb,
                snapshot: SnapshotForm(actor),
                policy: policy,
                event: event
              )
            )
          }
        }
      }
    }
    return found
  }

  @Test("are valid, load as they were drawn without a warning, and are small")
  func valid() throws {
    let seed = Seed.announce(for: "ScenarioGeneratorTests")
    let plan = CombinationPlan(seed: seed)
    var invariants: Set<Invariant> = []
    for number in Self.cases {
      let scenario = ScenarioGenerator.scenario(ofCase: number, seed: seed, plan: plan)
      let text = try scenario.text()
      let name = Comment(rawValue: "case \(number); YAP_SEED=\(seed)\n\(text)")
      do {
        let loaded = try ScenarioLoader.load(text: text)
        #expect(loaded.scenario == scenario, name)
        #expect(loaded.warnings == [], name)
      } catch {
        Issue.record("\(error); \(name)")
      }
      #expect(scenario.phases.allSatisfy { $0.actors.reduce(0) { $0 + $1.settings.threads } <= 8 }, name)
      #expect(scenario.plannedDurationNanoseconds <= 2_000_000_000, name)
      invariants.formUnion(scenario.invariants)
    }
    #expect(invariants == Set(Invariant.stated))
  }

  @Test("depend only on the seed and the number of the case")
  func deterministic() {
    let plan = CombinationPlan(seed: 7)
    func draw(_ number: Int, seed: UInt64 = 7) -> Scenario {
      ScenarioGenerator.scenario(ofCase: number, seed: seed, plan: CombinationPlan(seed: seed))
    }
    #expect(draw(40) == ScenarioGenerator.scenario(ofCase: 40, seed: 7, plan: plan))
    #expect(draw(40) != draw(41))
    #expect(draw(40) != draw(40, seed: 8))
  }

  @Test("have combinations that depend only on the seed, so that each process draws the same")
  func expected() {
    let plan = CombinationPlan(seed: 7)
    let planned = [0, 1, 40].map { plan.combinations(ofCase: $0).map(\.description) }
    #expect(
      planned == [
        [
          "scan onNotificationReacting containment checkpointFull", "viewAt after containment checkpointFull",
          "empty latest copy checkpointFull", "nestedWrite behind share checkpointFull",
        ],
        [
          "get onNotificationReacting containment stall", "exists onNotification containment stall",
          "touch latest containment stall", "begin every share stall",
        ],
        [
          "getMetadata every copy vacuum", "scan behind containment vacuum",
          "getMetadata every containment vacuum", "nestedWrite never share vacuum",
        ],
      ]
    )
  }

  @Test("contain their planned combinations")
  func planned() {
    let seed = Seed.announce(for: "ScenarioGeneratorTests")
    let plan = CombinationPlan(seed: seed)
    for number in Self.cases {
      let scenario = ScenarioGenerator.scenario(ofCase: number, seed: seed, plan: plan)
      var expected = plan.combinations(ofCase: number)
      // Without a long-lived snapshot in the phase, none can be advanced.
      if expected[0].event == .advance, !expected.contains(where: \.snapshot.isLongLived) { expected = [] }
      let missing = Set(expected).subtracting(combinations(of: scenario))
      #expect(missing.isEmpty, "case \(number); YAP_SEED=\(seed)")
    }
  }

  @Test("are planned so that each possible combination is planned once in a known number of cases")
  func plan() {
    let plan = CombinationPlan(seed: Seed.announce(for: "ScenarioGeneratorTests"))
    #expect(plan.caseCount < 1_500)
    let planned = (0..<plan.caseCount).flatMap(plan.combinations(ofCase:))
    #expect(Set(planned) == Set(Combination.possible))
    #expect(Combination.possible.count > 3_000)
    #expect(Set(Combination.possible.map(\.description)).count == Combination.possible.count)
    #expect(Combination.possible.allSatisfy { Combination($0.description) == $0 })
  }
}
