import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct ReadOnlyTests {
  private static var options: YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.isReadOnly = true
    return options
  }

  /// The bytes and the times of the files in a folder.
  private func state(of folder: String) throws -> [String: [String]] {
    try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: [:]) { files, name in
      let path = folder + "/" + name
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let bytes = FileManager.default.contents(atPath: path).map { "\($0.hashValue)" } ?? ""
      files[name] = ["\(attributes[.size] ?? "")", "\(attributes[.modificationDate] ?? "")", bytes]
    }
  }

  @Test func `a closed database is read without creating or changing a file`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      try StoredFiles.create(path, count: 100)
      let before = try state(of: folder)
      let database = try YapDatabase(path: path, options: Self.options)
      let connection = try database.newConnection()
      #expect(database.snapshot == 1)
      for _ in 0..<3 {
        try connection.read { transaction in
          try #expect(transaction.numberOfKeys() == 100)
          try #expect(transaction.object(forKey: "7") as? String == "v")
          try #expect(transaction.allCollections() == [""])
        }
      }
      try #expect(connection.beginLongLivedReadTransaction().isEmpty)
      try connection.read { try #expect($0.object(forKey: "8") as? String == "v") }
      try #expect(connection.endLongLivedReadTransaction()?.isEmpty == true)
      #expect(database.statistics.walBytes == 0)
      try #expect(state(of: folder) == before)
      try database.close()
      try #expect(state(of: folder) == before)
      try StoredFiles.check(path, count: 100)
    }
  }

  @Test func `every call that would change the file throws, and a backup works`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    try StoredFiles.create(path, count: 100)
    let database = try YapDatabase(path: path, options: Self.options)
    let connection = try database.newConnection()
    connection.permittedTransactions = .any
    #expect(code { try connection.readWrite { _ in } } == .readOnly)
    #expect(code { try connection.vacuum() } == .readOnly)
    #expect(code { try connection.incrementalVacuum() } == .readOnly)
    #expect(code { try database.checkpoint() } == .readOnly)
    let view = YapDatabaseView(
      grouping: .withKeyBlock { _, collection, _ in collection },
      sorting: .withKeyBlock { _, _, _, _, _, _ in .orderedSame }
    )
    #expect(code { try database.register(view, withName: "view") } == .readOnly)
    #expect(code { try database.unregister("view") } == .readOnly)
    let codes = SharedList<YapDatabaseError.Code?>()
    connection.asyncReadWrite { _ in
    } completion: {
      codes.append(($0.failure as? YapDatabaseError)?.code)
    }
    connection.asyncVacuum { codes.append(($0 as? YapDatabaseError)?.code) }
    database.asyncRegister(view, withName: "view") { codes.append(($0 as? YapDatabaseError)?.code) }
    database.asyncUnregister("view") { codes.append(($0 as? YapDatabaseError)?.code) }
    #expect(eventually { codes.all == Array(repeating: .readOnly, count: 4) })
    do {
      try await connection.readWrite { _ in }
      Issue.record("a write that is awaited succeeded")
    } catch { #expect((error as? YapDatabaseError)?.code == .readOnly) }
    try connection.backup(to: folder.path + "/copy")
    try StoredFiles.check(folder.path + "/copy", count: 100)
    try database.close()
    #expect(code { try connection.read { _ in } } == .closed)
  }

  /// The files of a killed process. Their commits must not be ignored, wherever they are.
  @Test func `commits in the WAL are read, or the file is refused`() throws {
    try withTemporaryFolder { folder in
      let copies = folder + "/copies"
      mkdir(copies, 0o755)
      try StoredFiles.kill(folder + "/test.sqlite", into: copies) { database in
        let writer = try database.newConnection()
        for key in 0..<50 { try writer.readWrite { try $0.setObject("v", forKey: "\(key)") } }
      }
      let path = copies + "/killed.sqlite"
      let before = try state(of: copies)
      try StoredFiles.check(path, count: 50, options: Self.options)
      try #expect(state(of: copies) == before)
      unlink(path + "-shm")
      let error = failure { _ = try YapDatabase(path: path, options: Self.options) }
      #expect(error?.code == .incompatible && error?.message.contains("-shm") == true, "\(error as Any)")
      // The remedy that the message names.
      try StoredFiles.put("", at: path + "-shm")
      try StoredFiles.check(path, count: 50, options: Self.options)
      // A WAL of another database is refused here too.
      let other = folder + "/other"
      try StoredFiles.create(other, count: 5)
      for suffix in ["-wal", "-shm"] { rename(path + suffix, other + suffix) }
      #expect(code { _ = try YapDatabase(path: other, options: Self.options) } == .foreignWAL)
    }
  }

  @Test(.enabled(if: MountView.isAvailable)) func `files on a read-only file system are read`() async throws {
    await #expect(processExitsWith: .success) {
      reported {
        try MountView.create()
        try withTemporaryFolder { folder in
          let media = folder + "/media"
          mkdir(media, 0o755)
          try MountView.mountMemory(at: media, bytes: 8 << 20)
          try StoredFiles.create(media + "/closed", count: 100)
          try StoredFiles.kill(folder + "/test.sqlite", into: media) { database in
            let writer = try database.newConnection()
            for key in 0..<50 { try writer.readWrite { try $0.setObject("v", forKey: "\(key)") } }
          }
          try MountView.makeReadOnly(media)
          try StoredFiles.check(media + "/closed", count: 100, options: ReadOnlyTests.options)
          try StoredFiles.check(media + "/killed.sqlite", count: 50, options: ReadOnlyTests.options)
        }
      }
    }
  }

  @Test func `a file that cannot be used is refused with its cause`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      func refused(_ expected: YapDatabaseError.Code, _ words: String) {
        let error = failure { _ = try YapDatabase(path: path, options: Self.options) }
        #expect(error?.code == expected && error?.message.contains(words) == true, "\(error as Any)")
      }
      refused(.invalidArgument, "does not exist")
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      try StoredFiles.put("", at: path)
      refused(.incompatible, "empty")
      unlink(path)
      try StoredFiles.create(path, count: 3)
      let database = try YapDatabase(path: path, options: Self.options)
      refused(.alreadyOpen, "open in this process")
      #expect(code { _ = try YapDatabase(path: path, options: .quick) } == .alreadyOpen)
      try database.close()
      let writer = try YapDatabase(path: path, options: .quick)
      refused(.alreadyOpen, "open in this process")
      try writer.close()
      try StoredFiles.put("interrupted", at: path + "-journal")
      refused(.incompatible, "-journal")
      unlink(path + "-journal")
      let handle = try SQLiteHandle(path: path)
      try handle.execute("PRAGMA user_version = 3")
      try handle.close()
      refused(.incompatible, "layout 3")
      try Data(bytes("no database")).write(to: URL(fileURLWithPath: path))
      refused(.corrupt, "not a database")
      #expect(FileManager.default.contents(atPath: path) == Data(bytes("no database")))
    }
  }

  //  this process                            another process
  //  ──────────────────────────────────────  ──────────────────────────────────────
  //  opens the closed file for reading
  //                                          opens it for writing, and commits
  //  reads: refused
  //  opens it again, and reads the commit
  @Test(arguments: [false, true])
  func `a file that was closed and is written later is not read inconsistently`(isLongLived: Bool) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    try StoredFiles.create(path, count: 100)
    let database = try YapDatabase(path: path, options: Self.options)
    let connection = try database.newConnection()
    if isLongLived { try connection.syncBeginLongLivedReadTransaction() }
    try connection.syncRead { try #expect($0.object(forKey: "1") as? String == "v") }
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported {
        let database = try YapDatabase(path: path, options: .quick)
        try database.newConnection().readWrite { try $0.setObject("later", forKey: "1") }
        try database.close()
      }
    }
    let error = failure { try connection.read { _ = try $0.object(forKey: "1") } }
    #expect(error?.code == .snapshotLost && error?.message.contains("open it again") == true, "\(error as Any)")
    #expect(code { try connection.beginLongLivedReadTransaction() } == .snapshotLost)
    try database.close()
    let again = try YapDatabase(path: path, options: Self.options)
    try again.newConnection().syncRead { try #expect($0.object(forKey: "1") as? String == "later") }
    try again.close()
  }

  // MARK: Beside a writer

  /// The writer makes commit n: it stores n in collection "c<n mod 5>", and drops collection "c<n + 2 mod 5>". So there
  /// are the collections of n, n - 1 and n - 2. Sometimes it restarts, and then numbers the collections otherwise.
  @Test func `each read sees one commit of a process that writes and restarts`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    let isDone = StopFlag()
    let failures = SharedList<String>()
    try Self.write(path, from: 1, through: 10)
    let writer = Thread {
      var number: UInt64 = 11
      // The test may learn much later than this thread that the process has ended.
      while !isDone.isRaised && access(Self.mark(path), F_OK) != 0 {
        do { try Self.write(path, from: number, through: number + 29) } catch { failures.append("\(error)") }
        number += 30
      }
      failures.append("ended")
    }
    writer.start()
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported {
        try ReadOnlyTests.follow(path)
        try Data().write(to: URL(fileURLWithPath: ReadOnlyTests.mark(path)))
      }
    }
    isDone.raise()
    #expect(eventually { !failures.all.isEmpty })
    #expect(failures.all == ["ended"])
    let database = try YapDatabase(path: path, options: .quick)
    try database.newConnection().syncRead { try Self.check($0) }
    try database.close()
  }

  /// The path of a file that the reading process creates at its end.
  private static func mark(_ path: String) -> String { path + ".read" }

  private static func write(_ path: String, from first: UInt64, through last: UInt64) throws {
    var options = YapDatabaseOptions.quick
    options.busyTimeoutNanoseconds = 10_000_000_000
    let database = try YapDatabase(path: path, options: options)
    let connection = try database.newConnection()
    for number in first...last {
      try connection.readWrite { transaction in
        try transaction.setObject(Int(number), forKey: "k", inCollection: "c\(number % 5)")
        try transaction.dropCollection("c\((number + 2) % 5)")
      }
    }
    try database.close()
  }

  private static func check(_ transaction: YapDatabaseReadTransaction) throws {
    let number = Int(transaction.snapshot)
    for offset in 0..<5 {
      let found = try transaction.object(forKey: "k", inCollection: "c\((number - offset) % 5)") as? Int
      try Discrepancy.check(found, offset < 3 ? number - offset : nil, "commit \(number), \(offset) before")
    }
    let expected = (0..<3).map { "c\((number - $0) % 5)" }.sorted()
    try Discrepancy.check(transaction.allCollections().sorted(), expected, "the collections of commit \(number)")
  }

  private static func follow(_ path: String) throws {
    var seen: Set<UInt64> = []
    var options = options
    // On a busy machine, the writer may hold the lock of its last close for long.
    options.busyTimeoutNanoseconds = 100_000_000_000
    while seen.count < TestScale.count(100) {
      let database = try YapDatabase(path: path, options: options)
      do { try follow(database, &seen) } catch let error as YapDatabaseError where error.code == .snapshotLost {
        // The file was closed when it was opened here.
      }
      try database.close()
    }
  }

  private static func follow(_ database: YapDatabase, _ seen: inout Set<UInt64>) throws {
    let connections = try (0..<2).map { _ in try database.newConnection() }
    var last: UInt64 = 0
    for step in 0..<TestScale.count(300) {
      let bookmark = connections[1].snapshot
      let jumped = try connections[1].beginLongLivedReadTransaction()
      if connections[1].snapshot > bookmark {
        guard jumped.count == 1, jumped[0].isExternal, jumped[0].snapshots == bookmark + 1...connections[1].snapshot,
          connections[1].hasChange(forKey: "k", inCollection: "c1", in: jumped)
        else { throw Discrepancy("the jump from \(bookmark) returned \(jumped)") }
      } else if !jumped.isEmpty {
        throw Discrepancy("a jump to the same commit returned \(jumped)")
      }
      for _ in 0..<3 {
        try connections[1].read { transaction in
          try Discrepancy.check(transaction.snapshot, connections[1].snapshot, "the bookmark")
          try check(transaction)
        }
        try connections[0].read { transaction in
          guard transaction.snapshot >= last else { throw Discrepancy("from \(last) back to \(transaction.snapshot)") }
          last = transaction.snapshot
          seen.insert(last)
          try check(transaction)
        }
      }
      if step % 7 == 0 { try connections[1].endLongLivedReadTransaction() }
    }
  }
}
