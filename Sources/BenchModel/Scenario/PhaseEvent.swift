/// An action that runs once at a time of a phase, independently of its actors.
public struct PhaseEvent: Sendable, Equatable {
  /// The name of all events of a phase in results and expectations, where an actor's name is expected.
  public static let actorName = "events"

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
