internal import BenchScenario

/// The action of an event without actors, views and durations; or no event.
enum EventForm: String, CaseIterable, Sendable {
  /// The phase has no event.
  case none
  case checkpointPassive, checkpointFull, checkpointRestart, checkpointTruncate
  case flushMemory, vacuum, advance, stall, register, reopen, kill

  init(_ action: PhaseEvent.Action) {
    self =
      switch action {
      case .checkpoint(.passive): .checkpointPassive
      case .checkpoint(.full): .checkpointFull
      case .checkpoint(.restart): .checkpointRestart
      case .checkpoint(.truncate): .checkpointTruncate
      case .flushMemory: .flushMemory
      case .vacuum: .vacuum
      case .advance: .advance
      case .stall: .stall
      case .register: .register
      case .reopen: .reopen
      case .kill: .kill
      }
  }

  /// Whether the engine needs a process of its own.
  var endsProcess: Bool {
    switch self {
    case .reopen, .kill: true
    case .none, .checkpointPassive, .checkpointFull, .checkpointRestart, .checkpointTruncate, .flushMemory, .vacuum,
      .advance, .stall, .register:
      false
    }
  }
}
