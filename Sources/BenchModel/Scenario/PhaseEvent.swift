/// Something that is done once while a phase runs, whatever its actors do.
public struct PhaseEvent: Sendable, Equatable {
  /// What stands for all events of a phase where an actor's name is expected: in results and expectations.
  public static let actorName = "events"

  public enum Action: Sendable, Equatable {
    case checkpoint(CheckpointModeSetting)
    /// Every connection gives its memory back.
    case flushMemory
    case vacuum
    /// The bookmarks of the actor's connections move to the newest snapshot.
    case advance(actor: String)
    /// The actor's workers hold still between two transactions, with their connections as they are.
    case stall(actor: String, nanoseconds: UInt64)
    /// The view is made, and is there from that commit on.
    case register(view: String)
    /// The database is closed when nobody is inside, its process ends, and another opens it again.
    case reopen
    /// The engine's process ends as by a crash, whatever is under way, and another opens the database again.
    case kill
  }

  /// Since the phase began.
  public var atNanoseconds: UInt64
  public var action: Action

  public init(atNanoseconds: UInt64, _ action: Action) {
    self.atNanoseconds = atNanoseconds
    self.action = action
  }
}

extension PhaseEvent.Action: CustomStringConvertible {
  /// Its word, which results call it by.
  public var word: String {
    switch self {
    case .checkpoint: "checkpoint"
    case .flushMemory: "flushMemory"
    case .vacuum: "vacuum"
    case .advance: "advance"
    case .stall: "stall"
    case .register: "register"
    case .reopen: "reopen"
    case .kill: "kill"
    }
  }

  /// What stands in its parentheses; empty for none.
  public var arguments: String {
    switch self {
    case .checkpoint(let mode): mode.rawValue
    case .flushMemory, .vacuum, .reopen, .kill: ""
    case .advance(let actor): actor
    case .register(let view): view
    case .stall(let actor, let nanoseconds): "\(actor) \(DurationScalar.text(nanoseconds))"
    }
  }

  /// As a scenario writes it.
  public var description: String { arguments.isEmpty ? word : "\(word)(\(arguments))" }

  /// Whether the engine's process ends by it, and so is not the harness's own.
  public var endsProcess: Bool { self == .reopen || self == .kill }

  /// The actor that it is about, if it is about one.
  var actor: String? {
    switch self {
    case .advance(let actor), .stall(let actor, _): actor
    case .checkpoint, .flushMemory, .vacuum, .register, .reopen, .kill: nil
    }
  }

  /// The view that it registers, if it registers one.
  public var view: String? {
    if case .register(let view) = self { view } else { nil }
  }
}
