import Foundation
import YapEngine

/// A small database whose rows are known after each of its commits.
struct FuzzDatabase {
  /// The bytes of its files, by the suffixes "", "-wal" and "-shm" of the database's name.
  typealias Files = [String: [UInt8]]

  static let suffixes = ["", "-wal", "-shm"]
  static let commitCount = 40
  static let view = "byKey"
  private static let rowCount = 12

  /// Files whose commits are all in the WAL, so a damaged WAL has the rows after one of the commits.
  let allInWAL: Files
  /// Files of which half of the commits are in the database file.
  let halfCopied: Files

  /// - Parameter folder: The folder for its files, which are removed afterwards.
  init(in folder: String) throws {
    allInWAL = try Self.make(folder, copiesHalf: false)
    halfCopied = try Self.make(folder, copiesHalf: true)
  }

  static var options: YapDatabaseOptions {
    var options = YapDatabaseOptions()
    options.synchronous = .off
    options.aggressiveCheckpointAt = .max
    options.checkpointing = .every(nanoseconds: 3_600_000_000_000)
    options.busyTimeoutNanoseconds = 100_000_000
    return options
  }

  /// Registers the view whose pages are in the files.
  static func register(in database: YapDatabase) throws {
    let grouping = YapDatabaseViewGrouping.withKeyBlock { _, _, key in key.hasSuffix("0") ? nil : "all" }
    let sorting = YapDatabaseViewSorting.withKeyBlock { _, _, _, left, _, right in left.compare(right) }
    try database.register(YapDatabaseView(grouping: grouping, sorting: sorting, versionTag: "1"), withName: view)
  }

  /// The rows after a commit. Each commit changes one row and writes its own number to another.
  static func rows(after commit: Int) -> [String: [UInt8]] {
    var rows: [String: [UInt8]] = [:]
    for number in 1...max(commit, 1) where number <= commit { write(number) { rows[$0] = $1 } }
    return rows
  }

  private static func write(_ commit: Int, _ set: (_ key: String, _ value: [UInt8]) throws -> Void) rethrows {
    // Some values fill several pages.
    let count = commit % 9 == 0 ? 9_000 : 150
    try set("key \(commit % rowCount)", [UInt8](repeating: UInt8(commit), count: count))
    try set("commit", [UInt8(commit)])
  }

  private static func make(_ folder: String, copiesHalf: Bool) throws -> Files {
    let path = folder + "/made.sqlite"
    defer { for suffix in suffixes { try? FileManager.default.removeItem(atPath: path + suffix) } }
    let database = try YapDatabase(path: path, options: options)
    let connection = try database.newConnection()
    try register(in: database)
    for commit in 1...commitCount {
      try connection.readWrite { transaction in
        try write(commit) { try transaction.setObject($1, forKey: $0, inCollection: "rows") }
      }
      if copiesHalf, commit == commitCount / 2 { try database.checkpoint(.passive) }
    }
    // Before closing, which would copy all frames and remove the WAL.
    let files = try suffixes.map { ($0, [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + $0)))) }
    try database.close()
    return Dictionary(uniqueKeysWithValues: files)
  }
}
