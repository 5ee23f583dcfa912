#if LMDB
  internal import BenchScenario
  internal import CLMDB

  /// The named databases of an environment: one for each collection, and one for the number of the newest commit.
  struct LMDBDatabases: Sendable {
    let collections: DriverCollections<MDB_dbi>
    private let commits: MDB_dbi

    /// Opens the databases and creates missing ones.
    init(_ dataset: [DatasetCollection], in environment: LMDBEnvironment) throws {
      (commits, collections) = try environment.write { transaction in
        func open(_ name: String) throws -> MDB_dbi {
          var handle: MDB_dbi = 0
          let code = mdb_dbi_open(transaction, name, UInt32(MDB_CREATE), &handle)
          try environment.check(code, "open the database \"\(name)\"")
          return handle
        }
        return (try open("commits"), try DriverCollections(dataset) { try open("collection_\($0)") })
      }
    }

    /// Returns the number of the newest commit that a transaction sees; 0 before the first one.
    func commit(in transaction: OpaquePointer, of environment: LMDBEnvironment) throws -> UInt64 {
      var found = MDB_val()
      let code = Self.withCommitKey { mdb_get(transaction, commits, $0, &found) }
      if code == MDB_NOTFOUND { return 0 }
      try environment.check(code, "read the number of the newest commit")
      guard found.mv_size == MemoryLayout<UInt64>.size else {
        throw LMDBError(code: MDB_CORRUPTED, "read the number of the newest commit, which has \(found.mv_size) bytes")
      }
      return UInt64(littleEndian: found.mv_data.loadUnaligned(as: UInt64.self))
    }

    func setCommit(_ commit: UInt64, in transaction: OpaquePointer, of environment: LMDBEnvironment) throws {
      try withUnsafeBytes(of: commit.littleEndian) { bytes in
        var value = MDB_val(bytes)
        let code = Self.withCommitKey { mdb_put(transaction, commits, $0, &value, 0) }
        try environment.check(code, "store the number of the commit")
      }
    }

    private static func withCommitKey(_ body: (UnsafeMutablePointer<MDB_val>) -> Int32) -> Int32 {
      withUnsafeBytes(of: UInt8(0)) { bytes in
        var key = MDB_val(bytes)
        return body(&key)
      }
    }
  }

  extension MDB_val {
    /// Refers to bytes that must outlive the value. LMDB reads them only.
    init(_ bytes: UnsafeRawBufferPointer) {
      self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: mv_data, count: mv_size) }
  }
#endif
