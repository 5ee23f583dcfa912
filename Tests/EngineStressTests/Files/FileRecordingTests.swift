import Foundation
import SQLiteBinding
import TestSupport
import Testing

@testable import EngineStress

/// Recordings of SQLite's writes by the VFS "fault".
@Suite struct FileRecordingTests {
  /// Runs statements on a new database in WAL mode, and returns the recording.
  private static func record(
    _ folder: TemporaryFolder,
    name: String = "data.sqlite",
    synchronous: String = "full",
    closes: Bool = true
  ) throws -> FileRecording {
    let path = folder.path + "/" + name
    let scope = try FileScope(prefix: path)
    scope.startRecording()
    let handle = try SQLiteHandle(path: path)
    try handle.execute("PRAGMA synchronous = \(synchronous); CREATE TABLE t(x); PRAGMA journal_mode = WAL")
    for number in 1...5 as ClosedRange<UInt64> {
      try handle.execute("INSERT INTO t VALUES (randomblob(3000))")
      scope.mark(1, number)
    }
    if closes { try handle.close() }
    return try scope.stopRecording()
  }

  /// The contents that the recorded writes and truncations give each file that was not deleted.
  private static func contents(of recording: FileRecording) -> [String: [UInt8]] {
    var files: [Int: [UInt8]] = [:]
    for operation in recording.operations {
      switch operation {
      case .create(let file): files[file] = []
      case .delete(let file): files[file] = nil
      case .truncate(let file, let size): files[file] = Array(files[file]?.prefix(size) ?? [])
      case .write(let file, let offset, let bytes):
        var contents = files[file] ?? []
        let missing = offset + bytes.count - contents.count
        if missing > 0 { contents += [UInt8](repeating: 0, count: missing) }
        contents.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
        files[file] = contents
      default: break
      }
    }
    return Dictionary(uniqueKeysWithValues: files.map { (recording.files[$0].path, $1) })
  }

  @Test func `the recorded operations produce the files that SQLite has written`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let recording = try Self.record(folder)
    let contents = Self.contents(of: recording)
    #expect(contents.keys.sorted() == [folder.path + "/data.sqlite"])
    let file = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/data.sqlite"))
    #expect(contents[folder.path + "/data.sqlite"] == Array(file))
    #expect(Set(recording.files.map(\.kind)) == [.database, .journal, .wal])
  }

  @Test func `a commit is acknowledged after its WAL was synced`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let recording = try Self.record(folder)
    var unsynced = 0
    var marks: [UInt64] = []
    for operation in recording.operations {
      switch operation {
      case .write(let file, _, _) where recording.files[file].kind == .wal: unsynced += 1
      case .sync(let file, _, let begun) where recording.files[file].kind == .wal:
        #expect(begun <= recording.operations.count)
        unsynced = 0
      case .mark(let kind, let number):
        #expect(kind == 1)
        #expect(unsynced == 0)
        marks.append(number)
      default: break
      }
    }
    #expect(marks == [1, 2, 3, 4, 5])
    let relaxed = try Self.record(folder, name: "off.sqlite", synchronous: "off")
    let syncs = relaxed.operations.filter { if case .sync = $0 { true } else { false } }
    #expect(syncs.isEmpty)
  }

  @Test func `files outside of the scope, and of another scope, are not recorded`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let scope = try FileScope(prefix: folder.path + "/other.sqlite")
    scope.startRecording()
    let recording = try Self.record(folder)
    #expect(recording.operations.count > 10)
    #expect(scope.operationCount == 0)
  }

  @Test func `a recording that starts later begins with the open files that change`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let path = folder.path + "/data.sqlite"
    let scope = try FileScope(prefix: path)
    let handle = try SQLiteHandle(path: path)
    try handle.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(x)")
    #expect(scope.operationCount == 0)
    scope.startRecording()
    try handle.execute("INSERT INTO t VALUES (1)")
    let recording = try scope.stopRecording()
    #expect(recording.operations.first == .open(file: 0))
    #expect(recording.files.map(\.kind) == [.wal])
    let count = scope.operationCount
    try handle.execute("INSERT INTO t VALUES (2)")
    #expect(scope.operationCount == count)
    scope.startRecording()
    #expect(scope.operationCount == 0)
  }

  @Test func `files remain usable after their scope has ended`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let path = folder.path + "/data.sqlite"
    var scope: FileScope? = try FileScope(prefix: folder.path + "/")
    scope?.startRecording()
    let handle = try SQLiteHandle(path: path)
    try handle.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(x)")
    #expect(scope.map { $0.operationCount > 0 } == true)
    scope = nil
    try handle.execute("INSERT INTO t VALUES (1)")
    #expect(try handle.integer("SELECT count(*) FROM t") == 1)
    #expect(try handle.checkpoint(.truncate).isBusy == false)
    try handle.close()
  }

  @Test func `SQLite behaves in a scope as without one`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    func run(_ name: String) throws -> [String] {
      let path = folder.path + "/" + name
      let first = try SQLiteHandle(path: path)
      let second = try SQLiteHandle(path: path)
      try first.execute("PRAGMA journal_mode = WAL; PRAGMA mmap_size = 65536; CREATE TABLE t(x INTEGER PRIMARY KEY, y)")
      try second.execute("BEGIN; SELECT count(*) FROM t")
      for number in 0..<50 { try first.execute("INSERT INTO t VALUES (\(number), zeroblob(\(number * 40)))") }
      let pinned = try first.checkpoint(.passive)
      let seen = try second.integer("SELECT count(*) FROM t")
      #expect(throws: SQLiteError.self) { try second.execute("INSERT INTO t VALUES (100, 1)") }
      try second.execute("ROLLBACK")
      let whole = try first.checkpoint(.truncate)
      try first.execute("VACUUM")
      let sum = try second.integer("SELECT sum(length(y)) FROM t")
      let integrity = try first.text("PRAGMA integrity_check") ?? ""
      try first.close()
      try second.close()
      let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
      let names = try folder.names().filter { $0.hasPrefix(name) }.map { $0.dropFirst(name.count) }
      return ["\(pinned)", "\(seen ?? -1)", "\(whole)", "\(sum ?? -1)", integrity, "\(size)", "\(names)"]
    }
    let plain = try run("plain")
    let scope = try FileScope(prefix: folder.path + "/watched")
    scope.startRecording()
    scope.setFault(FileFault(method: .write, code: 10, call: 0))
    #expect(try run("watched") == plain)
    #expect(scope.faultCounts.calls > 50)
  }
}
