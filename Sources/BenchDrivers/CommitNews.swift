/// A commit that somebody is told of.
public struct CommitNews: Sendable, Equatable {
  /// Its number.
  public let commit: UInt64
  /// Nanoseconds of the monotonic clock at which it had been written; nil where the engine does not tell.
  public let writtenAt: UInt64?

  public init(_ commit: UInt64, writtenAt: UInt64? = nil) {
    self.commit = commit
    self.writtenAt = writtenAt
  }
}
