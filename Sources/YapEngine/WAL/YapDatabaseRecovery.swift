/// What opening a database did with a WAL that an earlier run had left, after a crash for instance.
///
/// SQLite reads such a WAL from its beginning to its end before anything else can be read. It is copied to the database
/// file afterwards, beside transactions; a long one then begins anew, and its file is cut as `journalSizeLimit` says.
public struct YapDatabaseRecovery: Sendable, Equatable {
  /// Size of the WAL file that was found.
  public let walBytes: Int
  /// Frames that fit into it; what a transaction wrote that was not committed is among them.
  public let frames: Int
  /// From before the file was opened until the newest commit's number was read.
  public let nanoseconds: UInt64

  /// nil for a WAL without a frame.
  init?(walBytes: Int, pageSize: Int, nanoseconds: UInt64) {
    frames = WALFile.frames(inBytes: walBytes, pageSize: pageSize)
    guard frames > 0 else { return nil }
    self.walBytes = walBytes
    self.nanoseconds = nanoseconds
  }
}
