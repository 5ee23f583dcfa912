import BenchResults
import LatencyMetrics

/// Access to parts of a run by name, for tests that change them.
extension RunResult {
  /// - Precondition: The phase exists.
  subscript(name: String) -> PhaseResult {
    get { phases.first { $0.name == name }! }
    set { phases[phases.firstIndex { $0.name == name }!] = newValue }
  }

  var events: [EventResult] { phases.flatMap(\.events) }

  mutating func changeActors(_ change: (inout ActorResult) -> Void) {
    for phase in phases.indices {
      for actor in phases[phase].actors.indices { change(&phases[phase].actors[actor]) }
    }
  }

  /// Changes all times of one actor, in all phases.
  mutating func changeTimes(of actor: String, _ change: (inout LatencyHistogram) -> Void) {
    changeActors { found in
      guard found.name == actor else { return }
      for operation in found.operations.indices {
        for kind in TimeKind.allCases where found.operations[operation].times[kind] != nil {
          change(&found.operations[operation].times[kind]!)
        }
      }
    }
  }

  func histogram(of actor: String, _ operation: String, _ kind: TimeKind, in phase: String) -> LatencyHistogram? {
    self.phase(named: phase)?.actor(actor)?.operation(operation)?.times[kind]
  }
}

extension PhaseResult {
  /// - Precondition: The actor exists.
  subscript(name: String) -> ActorResult {
    get { actors.first { $0.name == name }! }
    set { actors[actors.firstIndex { $0.name == name }!] = newValue }
  }
}
