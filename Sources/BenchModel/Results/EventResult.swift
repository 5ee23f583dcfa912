/// One event of a phase, as it went. Times are nanoseconds since the run's first phase began.
public struct EventResult: Codable, Sendable, Equatable {
  public enum Outcome: String, Codable, Sendable {
    case done
    /// It could not do what it should; `detail` says why.
    case failed
    /// The phase was over before.
    case notReached
    /// It had begun, and nobody knows its end: the run gave it up.
    case unfinished
  }

  /// How a database was opened again, whose engine's process had ended.
  public struct Recovery: Codable, Sendable, Equatable {
    /// From the start of opening to the end of the first read.
    public var durationNanoseconds: UInt64
    /// In the WAL, before.
    public var frames: Int

    public init(durationNanoseconds: UInt64, frames: Int) {
      self.durationNanoseconds = durationNanoseconds
      self.frames = frames
    }
  }

  /// Such as "checkpoint": the operation under which it is timed.
  public var word: String
  /// What stands in its parentheses; empty for none.
  public var arguments: String
  public var dueNanoseconds: UInt64
  /// nil where it did not begin.
  public var begunNanoseconds: UInt64?
  /// nil where it did not end.
  public var endedNanoseconds: UInt64?
  public var outcome: Outcome
  /// What it did, or why it could not; empty where its outcome says all.
  public var detail: String
  /// nil for what does not end the engine's process.
  public var recovery: Recovery?

  public init(
    word: String,
    arguments: String,
    dueNanoseconds: UInt64,
    begunNanoseconds: UInt64? = nil,
    endedNanoseconds: UInt64? = nil,
    outcome: Outcome,
    detail: String = "",
    recovery: Recovery? = nil
  ) {
    self.word = word
    self.arguments = arguments
    self.dueNanoseconds = dueNanoseconds
    self.begunNanoseconds = begunNanoseconds
    self.endedNanoseconds = endedNanoseconds
    self.outcome = outcome
    self.detail = detail
    self.recovery = recovery
  }

  /// As a scenario writes it.
  public var text: String { arguments.isEmpty ? word : "\(word)(\(arguments))" }
}
