/// The WAL of an earlier run that was found at open, for instance after a crash, and the cost of reading it.
///
/// SQLite reads such a WAL from beginning to end before anything else can be read. It is copied to the database file
/// later, beside transactions. A long WAL then restarts, and its file is truncated as `journalSizeLimit` specifies.
public struct YapDatabaseRecovery: Sendable, Equatable {
  /// The size of the WAL file at open, in bytes.
  public let walBytes: Int
  /// The number of frames that fit into it, including frames of transactions that were not committed.
  public let frames: Int
  /// The time from before the file was opened until the newest commit's number was read.
  public let nanoseconds: UInt64

  /// nil if the WAL has no frame.
  init?(walBytes: Int, pageSize: Int, nanoseconds: UInt64) {
    frames = WALFile.frames(inBytes: walBytes, pageSize: pageSize)
    guard frames > 0 else { return nil }
    self.walBytes = walBytes
    self.nanoseconds = nanoseconds
  }
}
