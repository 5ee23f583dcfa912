internal import Glibc

/// Inspects the WAL of a database from outside: it reads the files and the kernel's table of locks, takes no lock and
/// writes nothing, so it does not disturb other processes.
///
/// It must not be used in a process that uses the database itself: see `ReadOnlyFile`.
package struct WALInspector {
  private static let indexAttempts = 100
  /// The largest number of attempts. Few are enough in most cases: a writer restarts the WAL once in thousands of
  /// frames, and reading the frames of a commit takes microseconds.
  private static let maximumAttempts = 100
  private static let lockAttempts = 20

  private let path: String
  private var scan = WALScan()

  package init(path: String) {
    self.path = path
  }

  /// Reads the files until all figures belong to one moment, at most 100 times.
  ///
  /// - Parameter clock: Returns nanoseconds since an arbitrary start.
  /// - Throws: `InspectionError` if there is no database in WAL mode, or if a file cannot be read.
  package mutating func inspect(clock: () -> UInt64) throws(InspectionError) -> WALReport {
    let database = try database()
    let isFirst = scan.generation == nil
    let began = clock()
    var (report, isConsistent) = try attempt(database)
    for _ in 1..<Self.maximumAttempts where !isConsistent {
      sched_yield()
      (report, isConsistent) = try attempt(database)
    }
    report.isConsistent = isConsistent
    if isFirst, report.walBytes > 0 { report.recovery.readNanoseconds = clock() - began }
    return report
  }

  private struct Database {
    var header: DatabaseHeader
    var status: ReadOnlyFile.Status
  }

  /// Reads the files once.
  ///
  /// - Returns: The report, and whether neither the index nor the WAL was replaced while they were read.
  private mutating func attempt(_ database: Database) throws(InspectionError) -> (WALReport, isConsistent: Bool) {
    var report = WALReport(
      path: path,
      pageSize: database.header.pageSize,
      databaseBytes: database.status.bytes,
      frameBytes: database.header.pageSize + 24
    )
    let file = try ReadOnlyFile(path: path + "-shm")
    let locks = try Self.locks(database: database.status.lockName, index: file?.status().lockName)
    report.exclusiveHolders = holders(of: LockByte.database, in: locks.database, isExclusive: true)
    guard let file, let table = locks.index else {
      report.openedBy = report.exclusiveHolders
      let isWALUnchanged = try addWAL(nil, to: &report)
      return (report, isWALUnchanged)
    }
    report.writer = holders(of: LockByte.write, in: table)
    report.checkpointer = holders(of: LockByte.checkpoint, in: table)
    report.recoverer = holders(of: LockByte.recover, in: table)
    let openedBy = holders(of: LockByte.open, in: table)
    report.openedBy = openedBy.isEmpty ? report.exclusiveHolders : openedBy
    // An index that no process has open is left over; the next process to open the database replaces it.
    let index = openedBy.isEmpty ? nil : try consistentIndex(file)
    let isWALUnchanged = try addWAL(index, to: &report)
    guard let index else { return (report, isWALUnchanged) }
    addReaders(of: index, locks: table, to: &report)
    guard let after = try consistentIndex(file) else { return (report, false) }
    return (report, isWALUnchanged && after.salts == index.salts && after.lastFrame >= index.lastFrame)
  }

  /// Counts frames. With an index, only the frames that were committed when the index was read are counted as
  /// committed: they do not change until the WAL restarts.
  ///
  /// - Returns: Whether the WAL was not restarted while it was read.
  private mutating func addWAL(_ index: WALIndex?, to report: inout WALReport) throws(InspectionError) -> Bool {
    guard let wal = try ReadOnlyFile(path: path + "-wal") else {
      scan = WALScan()
      return true
    }
    try scan.readHeader(of: wal)
    // A restart changes the index first. Until the first frame is written, the file still contains the old WAL, all of
    // whose frames are in the database file.
    let isIndexed = index.map { $0.salts == scan.salts } ?? true
    try scan.advance(in: wal, upTo: isIndexed ? index?.lastFrame ?? .max : 0)
    report.validFrames = try scan.validFrames(in: wal)
    report.walBytes = try wal.status().bytes
    report.generation = scan.generation
    if scan.generation != nil { report.frameBytes = scan.frameBytes }
    report.recovery.walBytes = scan.recoveryBytes(validFrames: report.validFrames, ofFile: report.walBytes)
    if isIndexed {
      report.committedFrames = scan.committedFrames
      report.committedPages = scan.committedPages
      report.commits = scan.commits
    }
    return try scan.isCurrent(in: wal)
  }

  private func addReaders(of index: WALIndex, locks: LockTable, to report: inout WALReport) {
    report.copiedFrames = min(index.salts == scan.salts ? index.copiedFrames : 0, report.committedFrames)
    report.readers = ReaderTable.readers(index.marks, committed: report.committedFrames) { mark in
      holders(of: LockByte.reader(mark), in: locks)
    }
    report.copyableFrames = ReaderTable.copyableFrames(
      report.readers,
      committed: report.committedFrames,
      copied: report.copiedFrames ?? 0
    )
  }

  private func database() throws(InspectionError) -> Database {
    guard let file = try ReadOnlyFile(path: path) else {
      let remedy = "Name a database file."
      throw InspectionError(path: path, kind: .missing, problem: "there is no such file", remedy: remedy)
    }
    let bytes = try file.read(at: 0, count: DatabaseHeader.byteCount)
    guard let header = DatabaseHeader(bytes) else {
      let remedy = "Name the database file, not its -wal or -shm."
      throw InspectionError(path: path, kind: .notDatabase, problem: "this is not an SQLite database", remedy: remedy)
    }
    guard header.isInWALMode else {
      let remedy = "It has no WAL to inspect."
      throw InspectionError(path: path, kind: .notDatabase, problem: "this database is not in WAL mode", remedy: remedy)
    }
    return Database(header: header, status: try file.status())
  }

  /// Reads the index until both copies of its header agree, because a writer changes one copy after the other.
  ///
  /// - Returns: nil if no attempt has read a valid index.
  private func consistentIndex(_ file: ReadOnlyFile) throws(InspectionError) -> WALIndex? {
    for _ in 0..<Self.indexAttempts {
      if let index = WALIndex(try file.read(at: 0, count: WALIndex.byteCount)) { return index }
      sched_yield()
    }
    return nil
  }

  private func holders(of byte: Int, in locks: LockTable, isExclusive: Bool = false) -> [WALReport.Holder] {
    locks.holders(of: byte, isExclusive: isExclusive).map { process in
      WALReport.Holder(process: process, name: Self.name(ofProcess: process))
    }
  }

  private struct Locks: Equatable {
    var database: LockTable
    var index: LockTable?
  }

  /// Reads the locks of the database file and of its index until two readings agree, at most 20 times: the kernel
  /// returns a long list in pieces, and a lock is omitted if another one was released between two pieces.
  private static func locks(database: String, index: String?) throws(InspectionError) -> Locks {
    func read() throws(InspectionError) -> Locks {
      let text = try kernelLocks()
      return Locks(database: LockTable(text, of: database), index: index.map { LockTable(text, of: $0) })
    }
    var locks = try read()
    for _ in 1..<lockAttempts {
      let before = locks
      locks = try read()
      if locks == before { break }
    }
    return locks
  }

  private static func kernelLocks() throws(InspectionError) -> String {
    let path = "/proc/locks"
    guard let file = try ReadOnlyFile(path: path) else {
      let remedy = "Mount /proc, which lists the kernel's locks."
      throw InspectionError(path: path, kind: .missing, problem: "there is no such file", remedy: remedy)
    }
    return String(decoding: try file.readToEnd(), as: UTF8.self)
  }

  private static func name(ofProcess process: Int) -> String {
    let file = try? ReadOnlyFile(path: "/proc/\(process)/comm")
    let bytes = (try? file?.read(at: 0, count: 64)) ?? []
    return bytes.isEmpty ? "?" : String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" }
  }
}
