import CFaultVFS
import SQLiteBinding
import TestSupport
import Testing

@testable import EngineStress

/// Calls that the VFS "fault" makes fail.
@Suite struct FileFaultTests {
  private static let diskFull: Int32 = 13
  private static let syncFailed: Int32 = 10 | 4 << 8
  private static let shortRead: Int32 = 10 | 2 << 8

  private static func open(_ path: String) throws -> SQLiteHandle {
    let handle = try SQLiteHandle(path: path)
    try handle.execute("PRAGMA synchronous = full; PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t(x)")
    return handle
  }

  private static func code(_ body: () throws -> Void) -> Int32? {
    do { try body() } catch { return (error as? SQLiteError)?.code ?? -1 }
    return nil
  }

  @Test func `methods and kinds of files have the numbers of the VFS`() {
    let methods: [FileFault.Method: cfaultvfs_method] = [
      .read: CFAULTVFS_METHOD_READ, .write: CFAULTVFS_METHOD_WRITE, .truncate: CFAULTVFS_METHOD_TRUNCATE,
      .sync: CFAULTVFS_METHOD_SYNC, .fileSize: CFAULTVFS_METHOD_FILE_SIZE, .lock: CFAULTVFS_METHOD_LOCK,
      .checkReservedLock: CFAULTVFS_METHOD_CHECK_RESERVED_LOCK, .shmMap: CFAULTVFS_METHOD_SHM_MAP,
      .shmLock: CFAULTVFS_METHOD_SHM_LOCK, .fetch: CFAULTVFS_METHOD_FETCH, .open: CFAULTVFS_METHOD_OPEN,
      .delete: CFAULTVFS_METHOD_DELETE, .access: CFAULTVFS_METHOD_ACCESS,
      .fullPathname: CFAULTVFS_METHOD_FULL_PATHNAME,
    ]
    for method in FileFault.Method.allCases { #expect(methods[method]?.rawValue == method.rawValue) }
    let kinds: [FileKind: cfaultvfs_kind] = [
      .database: CFAULTVFS_DATABASE, .wal: CFAULTVFS_WAL, .journal: CFAULTVFS_JOURNAL, .other: CFAULTVFS_OTHER,
    ]
    for kind in FileKind.allCases { #expect(kinds[kind]?.rawValue == kind.rawValue) }
  }

  @Test func `exactly the chosen call fails, and later ones succeed`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let path = folder.path + "/data.sqlite"
    let scope = try FileScope(prefix: path)
    let handle = try Self.open(path)
    scope.setFault(FileFault(method: .sync, code: Self.syncFailed, call: 3, kinds: [.wal]))
    let codes = (0..<5).map { _ in Self.code { try handle.execute("INSERT INTO t VALUES (1)") } }
    #expect(codes == [nil, nil, Self.syncFailed, nil, nil])
    #expect(scope.faultCounts == (5, 1))
    #expect(try handle.integer("SELECT count(*) FROM t") == 4)
  }

  @Test func `a sticky fault lasts until it is removed`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let path = folder.path + "/data.sqlite"
    let scope = try FileScope(prefix: path)
    let handle = try Self.open(path)
    scope.setFault(FileFault(method: .write, code: Self.diskFull, call: 2, kinds: [.wal], isSticky: true))
    let failed = (0..<3).map { _ in Self.code { try handle.execute("INSERT INTO t VALUES (1)") } }
    #expect(failed == [Self.diskFull, Self.diskFull, Self.diskFull])
    #expect(scope.faultCounts == (4, 3))
    scope.removeFault()
    #expect(Self.code { try handle.execute("INSERT INTO t VALUES (1)") } == nil)
    #expect(scope.faultCounts == (4, 3))
  }

  @Test func `a failing write can write the first half, which is recorded`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let path = folder.path + "/data.sqlite"
    let scope = try FileScope(prefix: path)
    let handle = try Self.open(path)
    scope.startRecording()
    scope.setFault(FileFault(method: .write, code: Self.diskFull, call: 2, kinds: [.wal], writesHalf: true))
    #expect(Self.code { try handle.execute("INSERT INTO t VALUES (1)") } == Self.diskFull)
    let sizes = try scope.stopRecording().operations.compactMap { operation in
      if case .write(_, _, let bytes) = operation { bytes.count } else { nil }
    }
    #expect(sizes == [24, 2048])
  }

  @Test func `only files of the chosen kinds and paths are concerned`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let scope = try FileScope(prefix: folder.path + "/data.sqlite")
    scope.setFault(FileFault(method: .write, code: Self.diskFull, call: 1, kinds: [.other], isSticky: true))
    let handle = try Self.open(folder.path + "/data.sqlite")
    scope.setFault(FileFault(method: .write, code: Self.diskFull, call: 1, isSticky: true))
    let other = try Self.open(folder.path + "/other.sqlite")
    #expect(Self.code { try other.execute("INSERT INTO t VALUES (1)") } == nil)
    #expect(Self.code { try handle.execute("INSERT INTO t VALUES (1)") } == Self.diskFull)
  }

  @Test func `a short read is filled with zeros, and opening fails with the chosen code`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let path = folder.path + "/data.sqlite"
    let scope = try FileScope(prefix: path)
    try Self.open(path).close()
    scope.setFault(FileFault(method: .read, code: Self.shortRead, call: 1, kinds: [.database], isSticky: true))
    let handle = try SQLiteHandle(path: path)
    // SQLite finds zeros in place of the header: the file is not a database.
    #expect(Self.code { _ = try handle.integer("SELECT count(*) FROM sqlite_master") } == 26)
    #expect(scope.faultCounts.failures > 0)
    scope.setFault(FileFault(method: .open, code: 14, call: 1, kinds: [.database]))
    #expect(Self.code { _ = try SQLiteHandle(path: path) } == 14)
    #expect(Self.code { _ = try SQLiteHandle(path: path) } == nil)
  }

  @Test(arguments: [FileFault.Method.shmMap, .shmLock, .access, .fullPathname, .open, .lock])
  func `a failure of any method while the database is opened reaches the caller`(method: FileFault.Method) throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let path = folder.path + "/data.sqlite"
    let scope = try FileScope(prefix: path)
    let writer = try Self.open(path)
    // Sticky, because SQLite opens some files again without an error.
    scope.setFault(FileFault(method: method, code: 10 | 1 << 8, call: 1, isSticky: true))
    #expect(Self.code { _ = try SQLiteHandle(path: path).integer("SELECT count(*) FROM t") } != nil)
    #expect(scope.faultCounts.failures > 0)
    scope.removeFault()
    #expect(try writer.integer("SELECT count(*) FROM t") == 0)
  }
}
