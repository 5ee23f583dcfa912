/// A commit, as reported to listeners.
public struct CommitNews: Sendable, Equatable {
  /// The commit's number.
  public let commit: UInt64
  /// The time when the commit had been written, in nanoseconds of the monotonic clock; nil if the engine does not
  /// report it.
  public let writtenAt: UInt64?

  public init(_ commit: UInt64, writtenAt: UInt64? = nil) {
    self.commit = commit
    self.writtenAt = writtenAt
  }
}
