internal import Glibc

/// Looks at the WAL of a database from outside: it reads its files and the kernel's table of locks, takes no lock and
/// writes nothing, so nobody is disturbed.
///
/// It must not be used in a process that uses the database itself: see `ReadOnlyFile`.
public struct WALInspector {
  private static let indexTries = 100

  private let path: String
  private var scan = WALScan()

  public init(path: String) {
    self.path = path
  }

  /// - Parameter clock: nanoseconds from any start.
  /// - Throws: `InspectionError` where there is no database in WAL mode.
  public mutating func inspect(clock: () -> UInt64) throws(InspectionError) -> WALReport {
    let (header, bytes) = try database()
    let isFirst = scan.generation == nil
    let began = clock()
    var walBytes = 0
    if let wal = try ReadOnlyFile(path: path + "-wal") {
      try scan.advance(in: wal)
      walBytes = try wal.status().bytes
    } else {
      scan = WALScan()
    }
    let took = clock() - began
    var report = WALReport(
      path: path,
      pageSize: header.pageSize,
      databaseBytes: bytes,
      walBytes: walBytes,
      frameBytes: scan.generation == nil ? header.pageSize + 24 : scan.frameBytes,
      generation: scan.generation,
      validFrames: scan.frames,
      committedFrames: scan.committedFrames,
      commits: scan.commits,
      committedPages: scan.committedPages,
      readers: [],
      writer: [],
      checkpointer: [],
      recoverer: [],
      openedBy: [],
      recovery: WALReport.Recovery(walBytes: walBytes, readNanoseconds: isFirst && walBytes > 0 ? took : nil)
    )
    try addIndex(to: &report)
    return report
  }

  private func database() throws(InspectionError) -> (header: DatabaseHeader, bytes: Int) {
    guard let file = try ReadOnlyFile(path: path) else {
      throw InspectionError(path, "there is no such file", remedy: "Name a database file.", isMissing: true)
    }
    let status = try file.status()
    guard status.isRegular, let header = DatabaseHeader(try file.read(at: 0, count: DatabaseHeader.byteCount)) else {
      throw InspectionError(path, "this is no SQLite database", remedy: "Name the database file, not its -wal or -shm.")
    }
    guard header.isInWALMode else {
      throw InspectionError(path, "this database is not in WAL mode", remedy: "There is no WAL to inspect.")
    }
    return (header, status.bytes)
  }

  private func addIndex(to report: inout WALReport) throws(InspectionError) {
    guard let file = try ReadOnlyFile(path: path + "-shm") else { return }
    let locks = LockTable(try Self.procLocks(), of: try file.status().lockName)
    report.writer = holders(of: LockByte.write, locks)
    report.checkpointer = holders(of: LockByte.checkpoint, locks)
    report.recoverer = holders(of: LockByte.recover, locks)
    report.openedBy = holders(of: LockByte.open, locks)
    // An index that nobody has open is left over, and made anew by whoever comes.
    guard !report.openedBy.isEmpty, let index = try wholeIndex(file) else { return }
    // A WAL that has not begun anew yet on disk has salts of its own: then all of it has been copied.
    let fits = index.salts == scan.salts
    report.committedFrames = fits ? min(max(index.lastFrame, 0), scan.committedFrames) : 0
    report.copiedFrames = fits ? min(index.copiedFrames, report.committedFrames) : 0
    report.readers = ReaderTable.readers(index.marks, committed: report.committedFrames) { mark in
      holders(of: LockByte.reader(mark), locks)
    }
    report.copyableFrames = ReaderTable.copyable(report.readers, report.committedFrames, report.copiedFrames ?? 0)
  }

  /// Whoever writes changes one header after the other.
  private func wholeIndex(_ file: ReadOnlyFile) throws(InspectionError) -> WALIndex? {
    for _ in 0..<Self.indexTries {
      if let index = WALIndex(try file.read(at: 0, count: WALIndex.byteCount)) { return index }
      sched_yield()
    }
    return nil
  }

  private func holders(of byte: Int, _ locks: LockTable) -> [WALReport.Holder] {
    locks.holders(of: byte).map { WALReport.Holder(process: $0, name: Self.name(ofProcess: $0)) }
  }

  private static func procLocks() throws(InspectionError) -> String {
    let path = "/proc/locks"
    guard let file = try ReadOnlyFile(path: path) else {
      throw InspectionError(path, "there is no such file", remedy: "Inspect where Linux shows its locks.")
    }
    return String(decoding: try file.readToEnd(), as: UTF8.self)
  }

  private static func name(ofProcess process: Int) -> String {
    let file = try? ReadOnlyFile(path: "/proc/\(process)/comm")
    let bytes = (try? file?.read(at: 0, count: 64)) ?? []
    return bytes.isEmpty ? "?" : String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" }
  }
}
