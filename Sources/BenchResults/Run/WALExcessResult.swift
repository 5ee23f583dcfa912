/// A WAL that stayed above twice the size at which the engine checkpoints more eagerly, by a run's samples.
///
/// The size is that of the frames in use. The file's size does not count, because it stays when the WAL restarts. Only
/// stretches of more than a second count.
public struct WALExcessResult: Codable, Sendable, Equatable {
  /// The reason why the WAL could not become smaller.
  public enum Reason: String, Codable, Sendable, CaseIterable {
    /// A connection had pinned a snapshot, so the frames behind it could not be copied.
    case pinned
    /// Most frames were copied, but readers used the WAL at every moment, so it could not begin again at its start.
    case neverUnread
    /// Frames that nothing pinned were not copied: commits wrote faster than checkpoints copied.
    case writersAhead
  }

  /// A WAL above this many times its limit is far above it.
  public static let limitFactor = 2

  /// The engine's `aggressiveCheckpointAt`.
  public var limitBytes: Int
  /// The total of all such stretches.
  public var totalNanoseconds: UInt64 = 0
  public var longestNanoseconds: UInt64 = 0
  /// The phase in which the longest stretch began.
  public var phase = ""
  /// The largest size of the WAL's frames in use.
  public var peakBytes = 0
  /// The reason with the largest share of the WAL's size integrated over these stretches.
  public var reason: Reason
  /// The connection that pinned a snapshot longest (for `pinned`, the oldest); nil for `writersAhead` or without pins.
  public var connection: String?
}

extension WALExcessResult {
  public init(limitBytes: Int, reason: Reason) { (self.limitBytes, self.reason) = (limitBytes, reason) }
}
