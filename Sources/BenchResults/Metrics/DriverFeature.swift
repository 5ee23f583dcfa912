/// A part of an engine that some drivers lack.
public enum DriverFeature: Sendable, CaseIterable {
  /// Rows that can be read again.
  case rows
  /// SQLite's WAL, whose frames are counted.
  case wal
  /// Counts of the bytes and syncs of the database's files.
  case countedFiles
  /// Checkpoints, which can be requested and are reported.
  case checkpoints
  case vacuum
  /// The release of cached memory on request.
  case memoryRelease
  /// Caches of objects, which follow the commits of other connections.
  case caches
  /// Reports of the rows that other connections have changed.
  case changes
  case views
  case asynchronousCalls
  /// The refusal of nested transactions that would wait forever.
  case deadlockDetection

  /// The absence of the feature, as a clause whose subject is the driver.
  package var absence: String {
    switch self {
    case .rows: "it keeps no data"
    case .wal: "it has no WAL of SQLite"
    case .countedFiles: "it does not count its writes to files"
    case .checkpoints: "it makes no checkpoints"
    case .vacuum: "it cannot rewrite its file without gaps"
    case .memoryRelease: "it cannot release its memory on request"
    case .caches: "it has no caches of objects"
    case .changes: "it does not report which rows other connections have changed"
    case .views: "it has no views"
    case .asynchronousCalls: "it has no asynchronous calls"
    case .deadlockDetection: "it detects no deadlocks, so it could wait for itself forever"
    }
  }
}
