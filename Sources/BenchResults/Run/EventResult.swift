/// The outcome of one event of a phase. Times are nanoseconds since the run's first phase began.
public struct EventResult: Codable, Sendable, Equatable {
  /// The name that stands for the events of a phase in results and expectations, in the place of an actor's name.
  public static let actorName = "events"

  public enum Outcome: String, Codable, Sendable {
    case done
    /// The event failed; `detail` has the reason.
    case failed
    /// The phase ended before the event began.
    case notReached
    /// The event had begun and did not end in time, so the run gave it up.
    case unfinished
  }

  /// The opening of a database after its engine's process had ended.
  public struct Recovery: Codable, Sendable, Equatable {
    /// From the start of opening to the end of the first read.
    public var durationNanoseconds: UInt64
    /// The size of SQLite's WAL before opening, in frames; nil for a driver without it.
    public var frames: Int?

    public init(durationNanoseconds: UInt64, frames: Int?) {
      self.durationNanoseconds = durationNanoseconds
      self.frames = frames
    }
  }

  /// The event's word, such as "checkpoint". Its times are recorded as an operation of this name.
  public var word: String
  /// The text in the word's parentheses; empty for none.
  public var arguments: String
  /// The time at which the event was due. For an event at a count, the time at which it began; if it did not begin, the
  /// start of the phase.
  public var dueNanoseconds: UInt64
  /// The count at which the event was due, such as "commits(50)"; nil for an event at a time.
  public var condition: String?
  /// nil if the event did not begin.
  public var begunNanoseconds: UInt64?
  /// nil if the event did not end.
  public var endedNanoseconds: UInt64?
  public var outcome: Outcome
  /// The effect of the event, or the reason of its failure; empty if the outcome says enough.
  public var detail = ""
  /// nil unless the event has ended the engine's process and the database was opened again.
  public var recovery: Recovery?

  /// The event in the syntax of a scenario.
  public var text: String { arguments.isEmpty ? word : "\(word)(\(arguments))" }
}

extension EventResult {
  public init(word: String, arguments: String, dueNanoseconds: UInt64, outcome: Outcome) {
    (self.word, self.arguments, self.dueNanoseconds, self.outcome) = (word, arguments, dueNanoseconds, outcome)
  }
}
