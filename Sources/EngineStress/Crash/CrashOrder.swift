internal import Foundation
internal import YapEngine

/// The task of one child process of a crash test, which it gets as its last argument.
struct CrashOrder: Codable, Equatable {
  /// The absolute path of the database file.
  var path: String
  /// The form of the path by which the process opens the database.
  var form = PathForm.absolute
  /// The folder that stays writable while those for temporary files are read-only; nil if these are writable, too.
  var onlyWritableFolder: String?
  var synchronous: YapDatabaseOptions.Synchronous
  /// The number of the process among the processes of its database.
  var life: UInt32
  /// The seed of the process's random choices.
  var seed: UInt64
  /// The newest acknowledged commit.
  var acknowledged: UInt64 = 0
  /// The most commits after the newest ledger entry that may have no entry.
  var unrecorded: UInt64 = 0
  /// Whether a view is registered, which is stored in the file.
  var hasView = false
  /// The number of threads that write.
  var writers = 2
  /// The number of commits after which the process closes the database; nil if it continues until it is killed.
  var closesAfter: Int?
  /// The named point at which the process kills itself, and how often it must be reached; nil for none.
  var kill: PointKill?
  /// Whether threads pause at random at named points.
  var pauses = false
  /// Whether some commits fail.
  var fails = false

  struct PointKill: Codable, Equatable {
    var point: TestPoint
    var count: Int
  }
}

extension CrashOrder {
  var text: String {
    get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
  }

  init(text: String) throws { self = try JSONDecoder().decode(CrashOrder.self, from: Data(text.utf8)) }
}

extension YapDatabaseOptions.Synchronous: Codable {}
extension TestPoint: Codable {}
