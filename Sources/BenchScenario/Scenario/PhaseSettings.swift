public import BenchResults
internal import HarnessPrimitives

/// A part of the run, with its actors and events.
public struct PhaseSettings: Sendable, Equatable {
  public var name: String
  public var end: PhaseEnd
  /// `false` for a warm-up, which is measured too, but excluded from expectations, comparisons and most of the report.
  public var records = true
  public var actors: [PhaseActor]
  /// The events in the order of their times; events at a count follow, in the order of the file.
  public var events: [PhaseEvent] = []

  /// The sum of the actors' own numbers of operations; nil if none has one.
  public var operationsOfActors: Int? {
    let counts = actors.compactMap(\.settings.operationCount)
    return counts.isEmpty ? nil : counts.saturatingSum()
  }

  /// The counts that end the phase, each with its noun.
  public var countedEnds: [(count: Int, noun: String)] {
    let counts = [
      (end.operations, "operation"), (end.commits, "commit"), (end.rows, "row"), (operationsOfActors, "operation"),
    ]
    return counts.compactMap { count, noun in count.map { ($0, noun) } }
  }

  /// Whether several conditions may end the phase.
  public var hasSeveralEnds: Bool {
    countedEnds.count + (end.nanoseconds == nil ? 0 : 1) + (end.until == nil ? 0 : 1) > 1
  }
}

extension [PhaseSettings] {
  /// The sum of the phases' planned times, without phases that only counts end; `UInt64.max` if it overflows.
  var plannedNanoseconds: UInt64 { compactMap(\.end.plannedNanoseconds).saturatingSum() }
}

/// The conditions that end a phase. It ends at the first of them.
public struct PhaseEnd: Sendable, Equatable {
  /// A condition, by the key that states it.
  public enum Key: String, CaseIterable, Sendable {
    case time = "for"
    case operations, commits, rows, until
    /// All actors with a number of operations of their own have done them.
    case operationCount
  }

  public var nanoseconds: UInt64?
  /// The number of operations of all actors together, as for `commits` and `rows`.
  public var operations: Int?
  public var commits: Int?
  /// Rows that are written or removed.
  public var rows: Int?
  /// Holds at the first sample that fulfils it.
  public var until: PhaseCondition?
  /// The time after which the phase times out if `until` has not held.
  public var withinNanoseconds: UInt64?

  public static func duration(nanoseconds: UInt64) -> Self { Self(nanoseconds: nanoseconds) }

  public static func operations(_ count: Int) -> Self { Self(operations: count) }

  public static func until(_ condition: PhaseCondition, withinNanoseconds: UInt64) -> Self {
    Self(until: condition, withinNanoseconds: withinNanoseconds)
  }

  /// The time after which the phase ends at the latest; nil if only counts end it.
  public var plannedNanoseconds: UInt64? { nanoseconds ?? withinNanoseconds }

  /// Whether the numbers of operations, commits or rows that workers begin are limited.
  public var countsWork: Bool { operations != nil || commits != nil || rows != nil }

  /// Returns a count that ends the phase; nil for none, and for a key that is no count of the phase.
  public func count(_ key: Key) -> Int? {
    switch key {
    case .operations: operations
    case .commits: commits
    case .rows: rows
    case .time, .until, .operationCount: nil
    }
  }
}

/// A condition that a phase waits for, such as `wal.backlogFrames == 0` or `steady(throughput 1% 10s)`.
public struct PhaseCondition: Sendable, Equatable {
  public enum Rule: Sendable, Equatable {
    /// A comparison of the last sample with a value in the metric's base unit.
    case compares(Comparison, Double)
    /// Each tenth of the last `windowNanoseconds` differs from their mean by at most `tolerance`, a fraction of it.
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
  /// The keys that the phase overrides, in the order of the file.
  public var overriddenKeys: [String]

  public var name: String { settings.name }

  public init(_ settings: ActorSettings, overriddenKeys: [String] = []) {
    self.settings = settings
    self.overriddenKeys = overriddenKeys
  }
}

/// The moment at which an event begins. `Scalars.eventTime` has the words.
public enum EventTime: Sendable, Equatable {
  /// A time since the start of the phase.
  case time(nanoseconds: UInt64)
  /// As soon as the phase has acknowledged this many commits.
  case commits(Int)
  /// As soon as the phase has recorded this many checkpoints.
  case checkpoints(Int)

  /// The time since the start of the phase; nil for a count.
  public var nanoseconds: UInt64? {
    if case .time(let nanoseconds) = self { nanoseconds } else { nil }
  }
}

extension EventTime: CustomStringConvertible {
  /// The moment as a scenario writes it.
  public var description: String {
    switch self {
    case .time(let nanoseconds): Scalars.text(nanoseconds: nanoseconds)
    case .commits(let count): "commits(\(count))"
    case .checkpoints(let count): "checkpoints(\(count))"
    }
  }
}

/// An action that runs once, at a moment of a phase, on a thread that is not an actor's.
public struct PhaseEvent: Sendable, Equatable {
  public enum Action: Sendable, Equatable {
    case checkpoint(CheckpointModeSetting)
    /// Frees the cached memory of every connection.
    case flushMemory
    case vacuum
    /// Moves the bookmarks of the actor's connections to the newest snapshot.
    case advance(actor: String)
    /// Pauses the actor's workers between two transactions. Their connections keep their snapshots.
    case stall(actor: String, nanoseconds: UInt64)
    /// Registers the view. It exists from the commit of its registration on.
    case register(view: String)
    /// Closes the database when no transaction is open, ends the engine's process, and opens the database in a new one.
    case reopen
    /// Kills the engine's process without waiting for transactions, and opens the database in a new process.
    case kill
  }

  public var at: EventTime
  public var action: Action

  public init(at: EventTime, _ action: Action) {
    self.at = at
    self.action = action
  }
}

extension PhaseEvent.Action: CustomStringConvertible {
  /// The action as a scenario writes it.
  public var description: String {
    switch self {
    case .checkpoint(let mode): "checkpoint(\(mode.rawValue))"
    case .flushMemory: "flushMemory"
    case .vacuum: "vacuum"
    case .advance(let actor): "advance(\(actor))"
    case .stall(let actor, let nanoseconds): "stall(\(actor) \(Scalars.text(nanoseconds: nanoseconds)))"
    case .register(let view): "register(\(view))"
    case .reopen: "reopen"
    case .kill: "kill"
    }
  }

  /// The action's word, which is its name in results.
  public var word: String { String(description.prefix { $0 != "(" }) }

  /// The text in the action's parentheses; empty for an action without arguments.
  public var arguments: String { String(description.dropFirst(word.count + 1).dropLast()) }

  /// Whether the action ends the engine's process, so that the engine needs a process of its own.
  public var endsProcess: Bool { self == .reopen || self == .kill }

  /// The actor whose snapshots move or whose workers pause; nil for an action on the database.
  var actor: String? {
    switch self {
    case .advance(let actor), .stall(let actor, _): actor
    case .checkpoint, .flushMemory, .vacuum, .register, .reopen, .kill: nil
    }
  }

  /// The view that the action registers; nil for any other action.
  public var view: String? {
    if case .register(let view) = self { view } else { nil }
  }
}

// MARK: Keys

extension ScenarioGrammar {
  static let phase = Section(
    "a phase",
    blank: PhaseSettings(name: "", end: PhaseEnd(), actors: []),
    dependent: (within.name, on: until.name),
    notes: ScenarioNotes.phase
  ) {
    Key("name", .name, in: \.name).required.means("The name of the phase, unique in the scenario.")
    Key("for", .duration, in: \.end.nanoseconds).means("The duration after which the phase ends.")
    Key("operations", .count, in: \.end.operations)
      .means("The number of operations, of all actors together, after which the phase ends.")
    Key("commits", .count, in: \.end.commits)
      .means("The number of read-write transactions, of all actors together, after which the phase ends.")
    Key("rows", .count, in: \.end.rows)
      .means("The number of rows that all actors together write or remove, after which the phase ends.")
    until
    within
    Key("actors", .phaseActors(actor.grammar), in: \.actors) { (phase) throws(ScalarProblem) in
      try node(of: phase.actors)
    }.required
      .means("The actors of the phase, and the keys that the phase overrides.")
    Key("record", .boolean, in: \.records)
      .means("Whether the phase is recorded. `false` makes it a warm-up, which most of the report omits.")
    Key("events", .list(event.grammar), in: \.events) { (phase) throws(ScalarProblem) in
      try event.list(of: phase.events)
    }
    .means("Actions that run once, each at a time of the phase.")
  }

  private static let until = Key<PhaseSettings>("until", Form(Scalars.condition, text: { $0.source }), in: \.end.until)
    .means("The condition that ends the phase. It is evaluated at each sample: see `measure.every`.")

  private static let within = Key<PhaseSettings>("within", .duration, in: \.end.withinNanoseconds)
    .means("The maximum time to wait for `until`. If the condition is not reached, the run exits with 99.")

  private static func node(of actors: [PhaseActor]) throws(ScalarProblem) -> YAMLNode {
    if actors.allSatisfy(\.overriddenKeys.isEmpty) { return .list(actors.map { .text($0.name) }) }
    var mapping = WrittenMapping()
    for phased in actors { mapping.add(phased.name, try actor.node(of: phased.settings, only: phased.overriddenKeys)) }
    return mapping.node()
  }

  static let event = Section(
    "an event",
    like: "{at: 5s, do: vacuum}",
    blank: PhaseEvent(at: .time(nanoseconds: 0), .vacuum),
    notes: ScenarioNotes.event
  ) {
    Key("at", Form(Scalars.eventTime, text: { $0.description }), in: \.at).required
      .means("The time of the event, counted from the start of the phase, or a number of commits or checkpoints.")
    Key("do", Form(Scalars.eventAction, text: { $0.description }), in: \.action).required.means(
      "The action to perform."
    )
  }
}
