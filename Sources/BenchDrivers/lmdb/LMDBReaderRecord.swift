#if LMDB
  internal import BenchResults
  internal import CLMDB
  internal import Foundation

  /// The driver's record of the pages that LMDB keeps for old snapshots.
  // All mutable state is protected by the lock.
  final class LMDBReaderRecord: @unchecked Sendable {
    private let environment: LMDBEnvironment
    private let pageSize: Int
    private let lock = NSLock()
    private var heldPages = LMDBHeldPages()
    /// Reads the list of free pages.
    private let reader: LMDBReader

    init(_ environment: LMDBEnvironment) throws {
      self.environment = environment
      pageSize = environment.pageSize
      reader = try LMDBReader(in: environment)
    }

    func state(_ pins: PinRecord, storageBytes: Int) throws -> EngineSample {
      // Read first: a snapshot that is taken later is newer than all of these, and the oldest stays the oldest.
      let snapshots = environment.openSnapshots
      let newestTransaction = environment.newestTransaction
      let oldest = snapshots.min()
      let held = try lock.withLock { try heldPages.count(from: oldest, reader, in: environment) }
      let (commit, _, connections) = pins.sample()
      return EngineSample(
        commit: Int(commit),
        storageBytes: storageBytes,
        connections: connections,
        figures: [
          "lmdb.usedBytes": environment.pages * pageSize, "lmdb.heldBytes": held * pageSize,
          "lmdb.readers": snapshots.count,
          "lmdb.oldestReaderLag": oldest.map { Int(newestTransaction - min($0, newestTransaction)) } ?? 0,
        ]
      )
    }
  }

  /// Counts the pages that LMDB cannot reuse because of the oldest open snapshot.
  ///
  /// For each commit, LMDB keeps a list of the pages that it replaced. LMDB reuses the pages of a list once every open
  /// snapshot is newer than the commit. Until then the list does not change, so each list is read once.
  private struct LMDBHeldPages {
    private var oldest: UInt64?
    private var lastRead: UInt64 = 0
    private var pages = 0

    /// - Parameter oldest: The oldest open snapshot; nil if there is none.
    mutating func count(from oldest: UInt64?, _ reader: LMDBReader, in environment: LMDBEnvironment) throws -> Int {
      guard let oldest else {
        self = Self()
        return 0
      }
      if oldest != self.oldest {
        (self.oldest, pages) = (oldest, 0)
        lastRead = oldest - min(oldest, 1)
      }
      try reader.renew()
      defer { reader.reset() }
      var cursor: OpaquePointer?
      let listOfFreePages: MDB_dbi = 0
      try environment.check(mdb_cursor_open(reader.pointer, listOfFreePages, &cursor), "read the list of free pages")
      defer { mdb_cursor_close(cursor) }
      var first = lastRead + 1
      let code = withUnsafeBytes(of: &first) { bytes in
        var key = MDB_val(bytes)
        var value = MDB_val()
        var code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
        while code == 0 {
          lastRead = key.bytes.loadUnaligned(as: UInt64.self)
          // The value begins with the number of pages.
          pages += value.bytes.loadUnaligned(as: Int.self)
          code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
        }
        return code
      }
      if code != MDB_NOTFOUND { try environment.check(code, "read the list of free pages") }
      return pages
    }
  }
#endif
