public import BenchResults

/// A part of the run, with the actors that act in it.
public struct PhaseSettings: Sendable, Equatable {
  public var name: String
  public var end: PhaseEnd
  /// `false` for a warm-up, which is sampled too but left out of every figure.
  public var records = true
  public var actors: [PhaseActor]
  /// In the order of their times.
  public var events: [PhaseEvent] = []
}

extension [PhaseSettings] {
  /// The longest time that they take together, without phases that count operations.
  var plannedNanoseconds: UInt64 {
    reduce(0) { sum, phase in
      let (longer, overflow) = sum.addingReportingOverflow(phase.end.plannedNanoseconds ?? 0)
      return overflow ? .max : longer
    }
  }
}

/// The condition that ends a phase.
public enum PhaseEnd: Sendable, Equatable {
  case duration(nanoseconds: UInt64)
  /// A number of operations of all its actors together.
  case operations(Int)
  /// The first sample for which the condition holds; the run fails if there is none within that time.
  case until(PhaseCondition, withinNanoseconds: UInt64)

  /// The longest time that the phase may take; nil for a number of operations, whose time is unknown.
  public var plannedNanoseconds: UInt64? {
    switch self {
    case .duration(let nanoseconds), .until(_, let nanoseconds): nanoseconds
    case .operations: nil
    }
  }
}

/// A condition that a phase waits for, such as `wal.backlogFrames == 0` or `steady(throughput 1% 10s)`.
public struct PhaseCondition: Sendable, Equatable {
  public enum Rule: Sendable, Equatable {
    /// The value is in the metric's base unit.
    case compares(Comparison, Double)
    /// Each tenth of the last `windowNanoseconds` is within a share of the mean of all ten.
    case steady(tolerance: Double, windowNanoseconds: UInt64)
  }

  /// The text in the scenario.
  public var source: String
  public var metric: Metric
  public var rule: Rule

  var isSteadiness: Bool {
    if case .steady = rule { true } else { false }
  }
}

/// An actor in a phase, with the phase's overrides.
public struct PhaseActor: Sendable, Equatable {
  /// The actor's settings, the phase's overrides already merged in.
  public var settings: ActorSettings
  /// The keys that the phase overrides, in its order.
  public var overriddenKeys: [String]

  public var name: String { settings.name }

  public init(_ settings: ActorSettings, overriddenKeys: [String] = []) {
    self.settings = settings
    self.overriddenKeys = overriddenKeys
  }
}

/// An action that runs once at a time of a phase, independently of its actors.
public struct PhaseEvent: Sendable, Equatable {
  public enum Action: Sendable, Equatable {
    case checkpoint(CheckpointModeSetting)
    /// Every connection frees its memory.
    case flushMemory
    case vacuum
    /// Moves the bookmarks of the actor's connections to the newest snapshot.
    case advance(actor: String)
    /// Pauses the actor's workers between two transactions; their connections stay as they are.
    case stall(actor: String, nanoseconds: UInt64)
    /// Creates the view, which exists from that commit on.
    case register(view: String)
    /// Closes the database when no transaction is open, ends its process, and opens it in another one.
    case reopen
    /// Ends the engine's process like a crash, without waiting for transactions, and opens the database in another.
    case kill
  }

  /// Time since the start of the phase.
  public var atNanoseconds: UInt64
  public var action: Action

  public init(atNanoseconds: UInt64, _ action: Action) {
    self.atNanoseconds = atNanoseconds
    self.action = action
  }
}

extension PhaseEvent.Action: CustomStringConvertible {
  /// Its word, which is its name in results.
  public var word: String {
    switch self {
    case .checkpoint: "checkpoint"
    case .advance: "advance"
    case .stall: "stall"
    case .register: "register"
    case .flushMemory, .vacuum, .reopen, .kill: Scalars.eventActions.name(of: self) ?? ""
    }
  }

  /// The text in its parentheses; empty for an action without arguments.
  public var arguments: String {
    switch self {
    case .checkpoint(let mode): mode.rawValue
    case .flushMemory, .vacuum, .reopen, .kill: ""
    case .advance(let actor): actor
    case .register(let view): view
    case .stall(let actor, let nanoseconds): "\(actor) \(Scalars.text(nanoseconds: nanoseconds))"
    }
  }

  /// The text in a scenario.
  public var description: String { arguments.isEmpty ? word : "\(word)(\(arguments))" }

  /// Whether it ends the engine's process, which therefore is not the harness's own.
  public var endsProcess: Bool { self == .reopen || self == .kill }

  /// The actor that it is about; nil for an action on the database.
  var actor: String? {
    switch self {
    case .advance(let actor), .stall(let actor, _): actor
    case .checkpoint, .flushMemory, .vacuum, .register, .reopen, .kill: nil
    }
  }

  /// The view that it registers; nil for another action.
  public var view: String? {
    if case .register(let view) = self { view } else { nil }
  }
}
