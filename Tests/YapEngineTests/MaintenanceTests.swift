import Foundation
import HarnessPrimitives
import SQLiteBinding
import Synchronization
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct MaintenanceTests {
  private func fill(_ database: YapDatabase, count: Int = 2_000) throws {
    try database.newConnection().readWrite { transaction in
      for index in 0..<count { try transaction.setObject([UInt8](repeating: 7, count: 500), forKey: "\(index)") }
    }
  }

  private func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// The state of the file, read by SQLite without the engine.
  private func audit(_ path: String) throws -> (integrity: String?, snapshot: Int64?, sum: Int64?) {
    let handle = try SQLiteHandle(path: path)
    let found = try (
      handle.text("PRAGMA integrity_check"), handle.integer("SELECT number FROM snapshot"),
      handle.integer("SELECT total(CAST(CAST(object AS TEXT) AS INTEGER)) FROM data")
    )
    try handle.close()
    return found
  }

  @Test func `a vacuum shrinks the file, is a commit without changes, and leaves every snapshot unchanged`() throws {
    try withDatabase { database in
      try fill(database)
      let connection = try database.newConnection(name: "worker")
      let ui = try database.newConnection(name: "ui")
      try connection.readWrite { transaction in
        for index in 1..<2_000 { try transaction.removeObject(forKey: "\(index)") }
      }
      try ui.beginLongLivedReadTransaction()
      try connection.readWrite { try $0.removeObject(forKey: "0") }
      let listener = Listener(database)
      #expect(eventually { connection.snapshot == 3 })
      // Otherwise most pages may still be in the WAL alone.
      try database.checkpoint(.passive)
      let before = size(database.path)
      try connection.vacuum()
      #expect(database.snapshot == 4 && connection.snapshot == 4)
      try ui.read { transaction in
        try #expect(transaction.snapshot == 2 && transaction.numberOfKeys() == 1)
        try #expect((transaction.object(forKey: "0") as? [UInt8])?.count == 500)
      }
      let told = try ui.beginLongLivedReadTransaction()
      #expect(told.map(\.snapshot) == [3, 4])
      #expect(!ui.hasChange(forCollection: "", in: Array(told.suffix(1))))
      #expect(eventually { listener.told.all.last?.snapshot == 4 })
      // Statements that were compiled before still work.
      try ui.endLongLivedReadTransaction()
      try connection.readWrite { try $0.setObject(bytes("1"), forKey: "new") }
      try ui.read { try #expect($0.allKeys() == ["new"]) }
      try database.close()
      #expect(size(database.path) < before / 4)
      #expect(code { try connection.vacuum() } == .closed)
    }
  }

  @Test func `a vacuum is rejected like any write, and can be queued`() throws {
    try withDatabase { database in
      let a = try database.newConnection(name: "a")
      let b = try database.newConnection(name: "b")
      try a.read { _ in #expect(code { try a.vacuum() } == .nestedTransaction) }
      try a.readWrite { _ in
        #expect(code { try a.vacuum() } == .nestedTransaction)
        #expect(code { try b.vacuum() } == .nestedTransaction)
      }
      try a.beginLongLivedReadTransaction()
      #expect(code { try a.vacuum() } == .longLivedReadInTheWay)
      a.refusesToEndLongLivedReadImplicitly = false
      try a.vacuum()
      #expect(!a.isInLongLivedReadTransaction && database.snapshot == 1)
      let told = SharedList<Bool>()
      try b.read { _ in b.asyncVacuum { told.append($0 == nil) } }
      #expect(eventually { told.all == [true] })
      #expect(database.snapshot == 2)
    }
  }

  @Test(arguments: [YapDatabaseOptions.AutoVacuum.none, .full, .incremental])
  func `free pages are kept, released, or released on request`(mode: YapDatabaseOptions.AutoVacuum) throws {
    var options = YapDatabaseOptions.quick
    options.autoVacuum = mode
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let database = try YapDatabase(path: path, options: options)
      try fill(database)
      let connection = try database.newConnection()
      try #expect(connection.handle.sqlite.integer("PRAGMA auto_vacuum") == Int64(mode.rawValue))
      let pages = { try connection.read { _ in try connection.handle.sqlite.integer("PRAGMA page_count") ?? 0 } }
      let full = try pages()
      try connection.readWrite { try $0.removeAllObjects() }
      try #expect((pages() < full / 4) == (mode == .full))
      if mode == .incremental {
        try connection.incrementalVacuum(pages: 10)
        try #expect(pages() == full - 10)
        try connection.incrementalVacuum()
        try #expect(pages() < full / 4)
        #expect(database.snapshot == 4)
      }
      try database.close()
      // For an existing file the option takes effect with the next vacuum.
      options.autoVacuum = .full
      let again = try YapDatabase(path: path, options: options)
      try again.newConnection().vacuum()
      try again.close()
      let handle = try SQLiteHandle(path: path)
      try #expect(handle.integer("PRAGMA auto_vacuum") == 1)
      try handle.close()
    }
  }

  // MARK: Backup

  /// Writers move money between rows during backups, and one thread vacuums. Each copy has the state of one commit.
  @Test func `a backup is one snapshot, while others write and vacuum`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = .bytes
    try withTemporaryFolder { [options] folder in
      let database = try YapDatabase(path: folder + "/test.sqlite", options: options)
      let bank = try database.newConnection(name: "bank")
      try bank.readWrite { transaction in
        for index in 0..<200 { try transaction.setObject(bytes("100"), forKey: "\(index)") }
      }
      let isDone = Atomic<Bool>(false)
      let crew = Crew()
      for thread in 0..<2 {
        try crew.add("writer \(thread)") {
          let connection = try database.newConnection()
          var generator = RandomStream(seed: UInt64(thread))
          repeat {
            try connection.readWrite { try Self.move(1, $0, from: generator.below(200), to: generator.below(200)) }
            if generator.chance(oneIn: 50) { try connection.vacuum() }
          } while !isDone.load(ordering: .relaxed)
        }
      }
      try crew.add("backups") {
        defer { isDone.store(true, ordering: .relaxed) }
        let connection = try database.newConnection()
        for number in 0..<TestScale.count(10) {
          if number % 2 == 1 { try connection.beginLongLivedReadTransaction() }
          let bookmark = connection.snapshot
          let path = folder + "/backup \(number)"
          var steps = 0
          // Commits must happen between the steps, or the test checks nothing.
          let snapshot = try connection.backup(to: path, pagesPerStep: 1) { progress in
            steps += 1
            try Discrepancy.check(progress.copiedPages, min(steps, progress.totalPages), "pages")
            if steps == 2 {
              let then = database.snapshot
              if !eventually({ database.snapshot > then }) { throw Discrepancy("no commit beside the backup") }
            }
          }
          if number % 2 == 1 { try Discrepancy.check(snapshot, bookmark, "the bookmark") }
          let found = try self.audit(path)
          try Discrepancy.check(found.integrity, "ok", path)
          try Discrepancy.check(found.snapshot, Int64(snapshot), path)
          try Discrepancy.check(found.sum, 20_000, path)
          let copy = try YapDatabase(path: path, options: .quick)
          try copy.newConnection().read { try Discrepancy.check($0.numberOfKeys(), 200, "rows") }
          try copy.close()
        }
      }
      #expect(crew.run() == nil)
      try database.close()
    }
  }

  private static func move(
    _ amount: Int,
    _ transaction: YapDatabaseReadWriteTransaction,
    from: Int,
    to: Int
  ) throws {
    guard from != to else { return }
    for (key, change) in [(from, -amount), (to, amount)] {
      let bytes = try transaction.object(forKey: "\(key)") as? [UInt8] ?? []
      let value = Int(String(decoding: bytes, as: UTF8.self)) ?? 0
      try transaction.setObject(Array("\(value + change)".utf8), forKey: "\(key)")
    }
  }

  @Test func `a backup that is stopped, or that fails, leaves no file`() throws {
    try withTemporaryFolder { folder in
      let database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
      try fill(database)
      let connection = try database.newConnection()
      let path = folder + "/backup"
      #expect(throws: Deliberate()) {
        try connection.backup(to: path, pagesPerStep: 10) { if $0.copiedPages > 50 { throw Deliberate() } }
      }
      #expect(code { try connection.backup(to: folder + "/no/such/folder") } == .invalidArgument)
      #expect(code { try connection.backup(to: database.path) } == .invalidArgument)
      try connection.read { _ in #expect(code { try connection.backup(to: path) } == .nestedTransaction) }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("backup") }
      #expect(left.isEmpty)
      // The connection still works.
      try connection.backup(to: path)
      try #expect(audit(path).integrity == "ok")
      #expect(code { try connection.backup(to: path) } == .invalidArgument)
      try database.close()
    }
  }

  @Test func `a queued backup reports its progress, and can be cancelled`() throws {
    try withTemporaryFolder { folder in
      let database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
      try fill(database)
      let connection = try database.newConnection()
      let gate = StartGate()
      let results = SharedList<Result<UInt64, any Error>>()
      connection.asyncRead({ _ in gate.wait() })
      let first = connection.asyncBackup(to: folder + "/first") { results.append($0) }
      let second = connection.asyncBackup(to: folder + "/second") { results.append($0) }
      #expect(first.progress == YapDatabaseBackupProgress(copiedPages: 0, totalPages: 0))
      first.cancel()
      gate.open()
      #expect(eventually { results.all.count == 2 })
      let codes = results.all.map { result in code { _ = try result.get() } }
      #expect(codes == [.cancelled, nil])
      #expect(second.progress.totalPages > 100 && second.progress.copiedPages == second.progress.totalPages)
      #expect(!FileManager.default.fileExists(atPath: folder + "/first"))
      try #expect(audit(folder + "/second").snapshot == 1)
      try database.close()
    }
  }
}
