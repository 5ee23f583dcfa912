/// The stretches of time in which the WAL was larger than twice the engine's `aggressiveCheckpointAt`, by the samples
/// of a run. Only stretches of more than a second count. The size counts the WAL's frames, because the file does not
/// shrink when the WAL restarts.
public struct WALExcessResult: Codable, Sendable, Equatable {
  /// The reason why the WAL could not become smaller.
  public enum Reason: String, Codable, Sendable, CaseIterable {
    /// A connection had pinned a snapshot, so the frames after the snapshot could not be copied.
    case pinned
    /// Most frames were copied, but at every moment some reader used the WAL, so it could not restart.
    case neverUnread
    /// Frames that nothing pinned were not copied: commits wrote faster than checkpoints copied.
    case writersAhead
  }

  /// A WAL that is larger than its limit times this factor is far above the limit.
  public static let limitFactor = 2

  /// The engine's `aggressiveCheckpointAt`.
  public var limitBytes: Int
  /// The total duration of the stretches.
  public var totalNanoseconds: UInt64 = 0
  public var longestNanoseconds: UInt64 = 0
  /// The phase in which the longest stretch began.
  public var phase = ""
  /// The largest size of the WAL's frames in the run.
  public var peakBytes = 0
  /// The reason with the largest share of the WAL's size integrated over the stretches.
  public var reason: Reason
  /// The connection that had a snapshot pinned for the longest time in the stretches; for `pinned`, the oldest one. nil
  /// for `writersAhead`, and without pins.
  public var connection: String?
}

extension WALExcessResult {
  public init(limitBytes: Int, reason: Reason) { (self.limitBytes, self.reason) = (limitBytes, reason) }
}
