internal import CommitLedger
internal import Foundation
internal import HarnessPrimitives
internal import ThreadingPrimitives
internal import YapEngine

/// The bytes of a database's files, by the suffixes "", "-wal" and "-shm" of its name.
typealias DatabaseFiles = [String: [UInt8]]

/// An undamaged database whose rows are known after each of its commits.
struct DamageStore {
  /// The layouts of a database's files.
  enum Shape: String, CaseIterable {
    case allInWAL, restarted, copiedBehindReader, closed, smallPages, largeValues

    var pageSize: Int { self == .smallPages ? 512 : 4_096 }

    /// Whether the database file alone has all rows of a commit, and the WAL only later commits. Then a damaged WAL
    /// leaves the rows after one of the commits.
    var hasSeparateWAL: Bool { self != .copiedBehindReader }

    /// Whether the database file has no commit.
    var isAllInWAL: Bool { self == .allInWAL || self == .smallPages }

    /// The checkpoint after `copiedCommit`; nil for none.
    fileprivate var checkpoint: YapDatabaseCheckpoint.Mode? {
      switch self {
      case .restarted, .largeValues: .restart
      case .copiedBehindReader: .passive
      case .allInWAL, .closed, .smallPages: nil
      }
    }
  }

  static let suffixes = ["", "-wal", "-shm"]
  static let view = "byKey"
  static let commitCount = 30
  /// The number of different keys in each collection.
  static let keyCount = 16
  private static let earlierCommit = 10
  private static let copiedCommit = 16

  let shape: Shape
  /// The files after the last commit, as a kill leaves them; for `closed`, as closing leaves them.
  let files: DatabaseFiles
  /// The files after `earlierCommit`.
  let earlier: DatabaseFiles
  /// The rows after each commit, beginning with the empty database.
  let states: [RowsDigest]

  /// - Parameter folder: A folder for its files, which are removed afterwards.
  init(_ shape: Shape, in folder: String, _ random: RandomStream) throws {
    let path = folder + "/made.sqlite"
    Self.remove(path)
    defer { Self.remove(path) }
    var random = random
    var options = Self.options
    options.pageSize = shape.pageSize
    let database = try YapDatabase(path: path, options: options)
    if shape == .smallPages { try Self.register(in: database) }
    var transactions = LedgeredWriter.Shape(keys: Self.keyCount)
    if shape == .largeValues { transactions.objectSize = 32...9_000 }
    let writer = LedgeredWriter(try database.newConnection(), number: 1, shape: transactions)
    let reader = try database.newConnection()
    let blocker = try database.newConnection()
    var states = [RowsDigest()]
    var earlier: DatabaseFiles = [:]
    while states.count <= Self.commitCount {
      let commit = try writer.commit(&random)
      // Registering a view may have been a commit of its own.
      while states.count < commit { states.append(states[states.count - 1]) }
      states.append(try reader.read { try RowsDigest(of: $0) })
      if commit == Self.earlierCommit {
        if shape == .copiedBehindReader { _ = try blocker.beginLongLivedReadTransaction() }
        earlier = try Self.contents(path)
      }
      if commit == Self.copiedCommit, let mode = shape.checkpoint { _ = try database.checkpoint(mode) }
    }
    let killed = try Self.contents(path)
    try database.close()
    self.shape = shape
    self.states = states
    self.earlier = earlier
    files = shape == .closed ? try Self.contents(path) : killed
  }

  var newest: RowsDigest { states[states.count - 1] }
  var commits: UInt64 { UInt64(states.count - 1) }

  /// Whether these are the rows of a commit.
  func contains(_ rows: RowsDigest, at commit: UInt64) -> Bool {
    commit < states.count && rows == states[Int(commit)]
  }

  static var options: YapDatabaseOptions {
    var options = LedgeredDatabase.options(synchronous: .off)
    options.aggressiveCheckpointAt = .max
    options.checkpointing = .every(nanoseconds: .max)
    options.busyTimeoutNanoseconds = 100_000_000
    return options
  }

  /// Registers a view of all rows except the ledger's.
  static func register(in database: YapDatabase) throws {
    let grouping = YapDatabaseViewGrouping.withKeyBlock { _, collection, _ in
      collection == LedgerEntry.collection ? nil : collection
    }
    let sorting = YapDatabaseViewSorting.withKeyBlock { _, _, _, left, _, right in left.compare(right) }
    try database.register(YapDatabaseView(grouping: grouping, sorting: sorting, versionTag: "1"), withName: view)
  }

  /// Reads the files. If the database is open, this drops the process's locks on them, which protect nothing here,
  /// because no other process has the files.
  static func contents(_ path: String) throws -> DatabaseFiles {
    var files: DatabaseFiles = [:]
    for suffix in suffixes where FileManager.default.fileExists(atPath: path + suffix) {
      files[suffix] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + suffix)))
    }
    return files
  }

  private static func remove(_ path: String) {
    for suffix in suffixes { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  static func write(_ files: DatabaseFiles, to path: String) throws {
    for (suffix, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: path + suffix)) }
  }
}

/// The undamaged databases of a campaign, each made for the first case that uses it.
final class DamageStores: Sendable {
  private let made = Guarded<[DamageStore.Shape: DamageStore]>([:])

  func store(_ shape: DamageStore.Shape, for testCase: StressCase) throws -> DamageStore {
    try made.withLock { made in
      if let store = made[shape] { return store }
      let random = RandomStream(seed: testCase.seed, "store", shape.rawValue)
      let store = try DamageStore(shape, in: testCase.folder, random)
      made[shape] = store
      return store
    }
  }
}

/// A digest of all rows of a snapshot, including the ledger's. It does not depend on their order.
struct RowsDigest: Equatable, Sendable {
  private(set) var count = 0
  private var sum: UInt64 = 0

  init() {}

  /// - Throws: The engine's errors.
  init(of transaction: YapDatabaseReadTransaction) throws {
    for collection in try transaction.allCollections() {
      try transaction.enumerateRows(inCollection: collection) { key, object, metadata, _ in
        add(key, in: collection, object: object as? [UInt8] ?? [], metadata: metadata as? [UInt8])
      }
    }
  }

  private mutating func add(_ key: String, in collection: String, object: [UInt8], metadata: [UInt8]?) {
    var row = LedgerDigest()
    for bytes in [Array(collection.utf8), Array(key.utf8), object, metadata ?? []] {
      bytes.withUnsafeBytes { row.add($0) }
    }
    count += 1
    sum &+= RandomStream.mix(row.value &+ (metadata == nil ? 0 : 1))
  }
}
