#if LMDB
  internal import CLMDB

  /// An environment of LMDB: one file with named databases, which is mapped into memory. It is closed when its last
  /// reference is released.
  // LMDB protects the environment; the properties never change.
  final class LMDBEnvironment: @unchecked Sendable {
    /// The size of the map, which limits the size of the file. The map takes only addresses until pages are used.
    static let defaultMapBytes = 64 << 30
    /// The number of slots in the reader table. Each connection takes one.
    static let readerSlots: UInt32 = 4_096

    let pointer: OpaquePointer
    let mapBytes: Int
    let longestKeyBytes: Int

    /// - Parameters:
    ///   - path: The path of the file. The lock file has the same path with the suffix `-lock`.
    ///   - syncsCommits: Whether each commit waits until it is on the storage device.
    ///   - databases: The number of named databases.
    init(path: String, syncsCommits: Bool, databases: Int, mapBytes: Int = defaultMapBytes) throws {
      self.mapBytes = mapBytes
      var created: OpaquePointer?
      let code = mdb_env_create(&created)
      guard let created else { throw LMDBError(code: code, "create an environment") }
      pointer = created
      longestKeyBytes = Int(mdb_env_get_maxkeysize(created))
      // With MDB_NOTLS a read transaction belongs to its connection instead of to a thread.
      var flags = MDB_NOSUBDIR | MDB_NOTLS
      if !syncsCommits { flags |= MDB_NOSYNC }
      try check(mdb_env_set_mapsize(created, mapBytes), "set the size of the map")
      try check(mdb_env_set_maxreaders(created, Self.readerSlots), "set the number of readers")
      try check(mdb_env_set_maxdbs(created, UInt32(databases)), "set the number of databases")
      try check(mdb_env_open(created, path, UInt32(flags), 0o644), "open \(path)")
      // Slots of a killed process would keep its snapshots.
      try check(mdb_reader_check(created, nil), "clear the slots of ended processes")
    }

    deinit { mdb_env_close(pointer) }

    /// - Throws: `LMDBError` if the code is not 0.
    func check(_ code: Int32, _ operation: @autoclosure () -> String) throws {
      guard code != 0 else { return }
      let remedy: String? =
        switch code {
        case MDB_MAP_FULL:
          "The file has reached the map's size of \(mapBytes) bytes. "
            + "Store fewer or smaller rows, or end long-lived reads, which keep replaced pages."
        case MDB_READERS_FULL: "The reader table has \(Self.readerSlots) slots. Open fewer connections."
        default: nil
        }
      throw LMDBError(code: code, operation(), remedy: remedy)
    }

    /// Begins a write transaction. Blocks while another one is open.
    func beginWriting() throws -> OpaquePointer { try begin("write", flags: 0) }

    fileprivate func begin(_ kind: String, flags: Int32) throws -> OpaquePointer {
      var begun: OpaquePointer?
      let code = mdb_txn_begin(pointer, nil, UInt32(flags), &begun)
      try check(code, "begin a \(kind) transaction")
      guard let begun else { throw LMDBError(code: code, "begin a \(kind) transaction") }
      return begun
    }

    /// Commits a write transaction, which ends even if an error is thrown.
    func commit(_ transaction: OpaquePointer) throws { try check(mdb_txn_commit(transaction), "commit") }

    /// Runs `body` in a write transaction. Commits when `body` returns; aborts if it throws.
    func write<Result>(_ body: (_ transaction: OpaquePointer) throws -> Result) throws -> Result {
      let transaction = try beginWriting()
      let result: Result
      do { result = try body(transaction) } catch {
        mdb_txn_abort(transaction)
        throw error
      }
      try commit(transaction)
      return result
    }

    /// The library with its version, such as "LMDB 0.9.24".
    static var library: String {
      var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
      mdb_version(&major, &minor, &patch)
      return "LMDB \(major).\(minor).\(patch)"
    }

    /// Whether each commit waits until it is on the storage device.
    var syncsCommits: Bool {
      var flags: UInt32 = 0
      mdb_env_get_flags(pointer, &flags)
      return flags & UInt32(MDB_NOSYNC) == 0
    }

    /// The page size of the file in bytes.
    var pageSize: Int {
      var stat = MDB_stat()
      mdb_env_stat(pointer, &stat)
      return Int(stat.ms_psize)
    }

    /// The number of pages that the file uses or has used: it never shrinks.
    var pages: Int { info.me_last_pgno + 1 }

    /// LMDB's number of the newest transaction that was committed.
    var newestTransaction: UInt64 { UInt64(info.me_last_txnid) }

    private var info: MDB_envinfo {
      var info = MDB_envinfo()
      mdb_env_info(pointer, &info)
      return info
    }

    /// LMDB's numbers of the snapshots that open read transactions of all processes see, in any order.
    var openSnapshots: [UInt64] {
      var snapshots: [UInt64] = []
      withUnsafeMutablePointer(to: &snapshots) { list in
        // A line for each slot in use: process, thread, and the snapshot's number, or "-" for a reset transaction.
        _ = mdb_reader_list(
          pointer,
          { line, list in
            guard let line, let list else { return 0 }
            let last = String(cString: line).split(whereSeparator: \.isWhitespace).last
            if let snapshot = last.flatMap({ UInt64($0) }) {
              list.assumingMemoryBound(to: [UInt64].self).pointee.append(snapshot)
            }
            return 0
          },
          list
        )
      }
      return snapshots
    }
  }

  /// A read-only transaction that is begun once, and renewed for each read, so that it keeps its slot in the reader
  /// table. Not thread-safe.
  final class LMDBReader {
    let pointer: OpaquePointer
    private let environment: LMDBEnvironment

    /// Begins without a snapshot.
    init(in environment: LMDBEnvironment) throws {
      pointer = try environment.begin("read", flags: MDB_RDONLY)
      self.environment = environment
      mdb_txn_reset(pointer)
    }

    deinit { mdb_txn_abort(pointer) }

    /// Takes the newest snapshot. Must be called without a snapshot.
    func renew() throws { try environment.check(mdb_txn_renew(pointer), "renew a read transaction") }

    /// Releases the snapshot.
    func reset() { mdb_txn_reset(pointer) }
  }
#endif
