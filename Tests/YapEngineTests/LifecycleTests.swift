import Dispatch
import Foundation
import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct LifecycleTests {
  private func write(_ database: YapDatabase) throws {
    try database.newConnection().readWrite { try $0.setObject(bytes("\($0.snapshot)"), forKey: "k") }
  }

  @Test func `closing twice is allowed, and afterwards every call fails as closed`() throws {
    try withTemporaryFolder { folder in
      let database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
      let connection = try database.newConnection()
      let ui = try database.newConnection()
      try write(database)
      try ui.beginLongLivedReadTransaction()
      try database.close()
      try database.close(timeout: .zero)
      let calls: [(String, () throws -> Void)] = [
        ("read", { try connection.read { _ in } }),
        ("readWrite", { try connection.readWrite { _ in } }),
        ("begin", { try connection.beginLongLivedReadTransaction() }),
        ("end", { try ui.endLongLivedReadTransaction() }),
        ("read of a bookmark", { try ui.read { _ in } }),
        ("newConnection", { _ = try database.newConnection() }),
      ]
      for (name, call) in calls { #expect(code(call) == .closed, "\(name)") }
      let errors = SharedList<YapDatabaseError?>()
      connection.asyncRead({ _ in }, completion: { errors.append($0 as? YapDatabaseError) })
      connection.asyncReadWrite(
        { _ in },
        completion: { if case .failed(let error) = $0 { errors.append(error as? YapDatabaseError) } }
      )
      #expect(eventually { errors.all.count == 2 })
      #expect(errors.all.allSatisfy { $0?.code == .closed })
      #expect(database.statistics.connections.allSatisfy { $0.pinnedSnapshot == nil })
      // A clean close leaves one file.
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == ["test.sqlite"])
    }
  }

  @Test(arguments: ["closed", "closed twice", "let go"])
  func `the close of a database is notified once, when its files are released`(how: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let told = SharedList<String>()
      var options = YapDatabaseOptions.quick
      let queue = DispatchQueue(label: "notifications")
      options.notificationQueue = queue
      let center = NotificationCenter.default
      let token = center.addObserver(forName: .YapDatabaseClosed, object: nil, queue: nil) { [options] notification in
        guard let files = YapDatabaseFiles(notification), files == YapDatabaseFiles(path: path) else { return }
        guard told.all.isEmpty else { return told.append("again") }
        // All its files are closed, so another database may open them, and its close is notified too.
        let refusal = failure { try YapDatabase(path: files.database.path, options: options).close() }
        told.append(refusal?.message ?? "free")
      }
      defer { center.removeObserver(token) }
      weak var gone: YapDatabase?
      do {
        let database = try YapDatabase(path: path, options: options)
        gone = database
        try write(database)
        if how != "let go" { try database.close() }
        if how == "closed twice" { try database.close() }
      }
      #expect(eventually { gone == nil && told.all.count >= 2 })
      queue.sync {}
      #expect(told.all == ["free", "again"])
    }
  }

  //  closing thread              writing thread              checkpointer
  //  ──────────────────────────  ──────────────────────────  ──────────────────────────
  //                              in a read-write block
  //  ends a bookmark
  //                                                          waits for the write lane
  //  close: times out
  //                              leaves the block
  //  close: succeeds
  @Test func `a close that times out names the connection, and can be repeated`() throws {
    try withTemporaryFolder { folder in
      var options = YapDatabaseOptions.quick
      options.aggressiveCheckpointAt = 0  // so that the checkpointer always needs the write lane
      let database = try YapDatabase(path: folder + "/test.sqlite", options: options)
      let ui = try database.newConnection(name: "ui")
      try write(database)
      try ui.beginLongLivedReadTransaction()
      for _ in 0..<3 { try write(database) }
      let busy = try database.newConnection(name: "busy one")
      let entered = StartGate()
      let leave = StartGate()
      let crew = Crew()
      let thread = try WorkerThread(name: "writer") {
        let found = Discrepancy.first {
          try busy.readWrite { transaction in
            entered.open()
            leave.wait()
            try transaction.setObject(bytes("last"), forKey: "k")
          }
        }
        if let found { crew.report(found) }
      }
      entered.wait()
      try ui.endLongLivedReadTransaction()
      #expect(eventually { database.writer.lane.waiterCount > 0 })
      let started = MonotonicClock.now
      let error = failure { try database.close(timeout: .milliseconds(50)) }
      #expect(error?.code == .timeout)
      #expect(error?.message.contains("\"busy one\"") == true)
      #expect(MonotonicClock.now - started < 5_000_000_000)
      #expect(code { try ui.read { _ in } } == .closed)
      leave.open()
      thread.join()
      #expect(crew.run() == nil)
      try database.close(timeout: .seconds(Int64.max))
      let again = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
      try #expect(again.newConnection().read { try $0.object(forKey: "k") as? [UInt8] } == bytes("last"))
      try again.close()
    }
  }

  @Test func `a file is open once in a process, whatever its path`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: path)
      let first = try YapDatabase(path: path, options: .quick)
      for name in [path, folder + "/../" + folder.split(separator: "/").last! + "/test.sqlite", folder + "/link"] {
        #expect(code { _ = try YapDatabase(path: name, options: .quick) } == .alreadyOpen)
      }
      try first.close()
      let second = try YapDatabase(path: path, options: .quick)
      // A second close must not release the file, which another database owns now.
      try first.close()
      #expect(code { _ = try YapDatabase(path: path, options: .quick) } == .alreadyOpen)
      try second.close()
    }
  }

  @Test func `the end of a closed database does not free the file for a third`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      var first: YapDatabase? = try YapDatabase(path: path, options: .quick)
      weak let gone = first
      try first?.close()
      let second = try YapDatabase(path: path, options: .quick)
      first = nil
      #expect(eventually { gone == nil })
      #expect(code { _ = try YapDatabase(path: path, options: .quick) } == .alreadyOpen)
      try second.close()
    }
  }

  @Test func `a database that was not closed is closed when its last reference is released`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      weak var gone: YapDatabase?
      do {
        let database = try YapDatabase(path: path, options: .quick)
        gone = database
        try write(database)
      }
      #expect(eventually { gone == nil })
      // Its deinitialization has begun, possibly on another thread, and lasts until SQLite has closed the file.
      var again: YapDatabase?
      #expect(eventually { code { again = try YapDatabase(path: path, options: .quick) } == nil })
      #expect(again?.snapshot == 1)
      try again?.close()
    }
  }

  @Test func `another program's file is rejected and left unchanged`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/foreign.sqlite"
      let handle = try SQLiteHandle(path: path)
      try handle.execute("CREATE TABLE theirs(a); INSERT INTO theirs VALUES (1)")
      try handle.close()
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let error = failure { _ = try YapDatabase(path: path, options: .quick) }
      #expect(error?.code == .incompatible)
      #expect(error?.message.contains(path) == true)
      try #expect(Data(contentsOf: URL(fileURLWithPath: path)) == before)
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == ["foreign.sqlite"])
    }
  }

  @Test(arguments: [0, Schema.version - 1, Schema.version + 1, Int64(Int32.max)], [false, true])
  func `a file of another layout is rejected and left unchanged`(layout: Int64, isReadOnly: Bool) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      try YapDatabase(path: path, options: .quick).close()
      let handle = try SQLiteHandle(path: path)
      try handle.execute("PRAGMA user_version = \(layout)")
      try handle.close()
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      var options = YapDatabaseOptions.quick
      options.isReadOnly = isReadOnly
      let found = failure { _ = try YapDatabase(path: path, options: options) }
      #expect(found?.code == .incompatible)
      #expect(
        found?.message.hasSuffix(
          "has layout \(layout), this version supports only layout \(Schema.version): "
            + "open it with the version that wrote it"
        ) == true
      )
      try #expect(Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }

  @Test func `a file that is not a database is rejected and left unchanged`() throws {
    try withTemporaryFolder { folder in
      let garbage = folder + "/garbage"
      try Data(repeating: 0x41, count: 5_000).write(to: URL(fileURLWithPath: garbage))
      var failing = YapDatabaseOptions.quick
      failing.corruptAction = .fail
      #expect(code { _ = try YapDatabase(path: garbage, options: failing) } == .corrupt)
      try #expect(Data(contentsOf: URL(fileURLWithPath: garbage)) == Data(repeating: 0x41, count: 5_000))
    }
  }

  @Test func `a lock that another program holds ends in an error within the limit`() throws {
    var options = YapDatabaseOptions.quick
    options.busyTimeoutNanoseconds = 20_000_000
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      try connection.readWrite { try $0.setObject(bytes("0"), forKey: "before") }
      #expect(database.statistics.lockWaitCount == 0)
      let foreign = try SQLiteHandle(path: database.path)
      try foreign.execute("BEGIN IMMEDIATE")
      // The lock is acquired at the beginning, or the block does not run.
      #expect(code { try connection.readWrite { _ in _ = Issue.record("the block ran") } } == .busy)
      try #expect(!connection.read { try $0.hasObject(forKey: "k") })
      // The attempts are after at most 1, 3, 8, 18 and 20 ms.
      let waits = database.statistics.lockWaitCount
      #expect(waits == 5)
      try foreign.execute("ROLLBACK")
      try foreign.close()
      try connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      #expect(database.snapshot == 2 && database.statistics.lockWaitCount == waits)
    }
  }

  @Test func `another program's commit is detected, and no cached value is returned for it`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try write(database)
      let foreign = try SQLiteHandle(path: database.path)
      try foreign.execute("UPDATE snapshot SET number = 7 WHERE id = 1")
      try foreign.close()
      let error = failure { try connection.read { _ in } }
      #expect(error?.code == .snapshotLost)
      #expect(database.statistics.connections.allSatisfy { $0.pinnedSnapshot == nil })
    }
  }

  @Test func `connections that are opened and closed leave no open handle`() throws {
    try withDatabase { database in
      try write(database)
      let before = try openFileCount()
      for index in 0..<100 {
        let connection = try database.newConnection()
        if index % 2 == 0 { try connection.beginLongLivedReadTransaction() }
        try connection.read { try #expect($0.hasObject(forKey: "k")) }
      }
      try write(database)
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
      #expect(database.statistics.connections.isEmpty)
      // Other tests of this process open files too.
      try #expect(openFileCount() < before + 100)
    }
  }

  private func openFileCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }
}
