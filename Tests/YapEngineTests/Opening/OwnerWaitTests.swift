import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Opening waits for a predecessor that is about to close the file.
@Suite struct OwnerWaitTests {
  /// Options with a long wait, whose handler calls `body`.
  private func waiting(_ reports: SharedList<String>, _ body: @escaping @Sendable () -> Void) -> YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.busyTimeoutNanoseconds = 100_000_000_000
    options.openWaitHandler = { reason in
      reports.append(reason.message)
      body()
    }
    return options
  }

  @Test func `opening waits for another process, says so once, and succeeds when that closes the file`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      try YapDatabase(path: path, options: .quick).close()
      let owner = try OtherOwner(path)
      let reports = SharedList<String>()
      let database = try YapDatabase(path: path, options: waiting(reports) { owner.release() })
      let expected =
        "\(path) is open in another process, and only one process at a time may open it: waiting for at "
        + "most 100 s until it is closed there"
      #expect(reports.all == [expected])
      #expect(database.snapshot == 0)
      try database.close()
    }
  }

  @Test func `the error after the wait states its duration`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      try YapDatabase(path: path, options: .quick).close()
      let owner = try OtherOwner(path)
      var options = YapDatabaseOptions.quick
      options.busyTimeoutNanoseconds = 30_000_000
      let lines = SharedList<String>()
      options.testHooks.onFailureLine = { lines.append($0) }
      let error = failure { _ = try YapDatabase(path: path, options: options) }
      #expect(error?.code == .alreadyOpen)
      #expect(error?.message.contains("close it there first (waited 0.") == true, "\(error?.message ?? "")")
      // Without a handler, a line is written.
      #expect(lines.all.count == (TestHooks.areBuiltIn ? 1 : 0))
      #expect(lines.all.allSatisfy { $0.hasPrefix("YapEngine: \(path) is open in another process") })
      #expect(lines.all.allSatisfy { $0.hasSuffix("waiting for at most 0.03 s until it is closed there") })
      // With a timeout of 0, there is neither a wait nor a report.
      options.busyTimeoutNanoseconds = 0
      let immediate = failure { _ = try YapDatabase(path: path, options: options) }
      #expect(immediate?.code == .alreadyOpen && immediate?.message.hasSuffix("close it there first") == true)
      #expect(lines.all.count <= 1)
      owner.release()
      try YapDatabase(path: path, options: options).close()
    }
  }

  @Test(arguments: [false, true]) func `a closed database that is released does not mark its successor as closing`(
    isReadOnly: Bool
  ) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      try YapDatabase(path: path, options: .quick).close()
      var options = YapDatabaseOptions.quick
      options.isReadOnly = isReadOnly
      var closed: YapDatabase? = try YapDatabase(path: path, options: options)
      try closed?.close()
      let successor = try YapDatabase(path: path, options: .quick)
      try closed?.close()
      weak let released = closed
      closed = nil
      // A thread of the database may hold it for a moment.
      while released != nil { sched_yield() }
      let error = failure { _ = try YapDatabase(path: path, options: .quick) }
      #expect(error?.message == "\(path) is open in this process: use that database, or close it first")
      try successor.close()
    }
  }

  /// A standby tries again and again to open the file, whose owner has locks of SQLite on it.
  @Test func `refused openings keep one descriptor`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      try YapDatabase(path: path, options: .quick).close()
      let owner = try OtherOwner(path)
      let handle = try SQLiteHandle(path: path)
      try handle.execute("BEGIN; SELECT count(*) FROM sqlite_master")
      var options = YapDatabaseOptions.quick
      options.busyTimeoutNanoseconds = 0
      let backup = folder + "/backup.sqlite"
      var counts: [Int] = []
      for _ in 0..<5 {
        #expect(code { _ = try YapDatabase(path: path, options: options) } == .alreadyOpen)
        #expect(code { try YapDatabase.checkIsClosed(path) } == .alreadyOpen)
        #expect(code { _ = try YapDatabase.restore(from: path, to: backup) } == .alreadyOpen)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) == path
        }
        counts.append(open)
      }
      #expect(Set(counts).count == 1, "\(counts)")
      try handle.execute("COMMIT")
      try handle.close()
      owner.release()
      try YapDatabase(path: path, options: options).close()
    }
  }

  @Test func `opening does not wait for a database of this process that is in use`() throws {
    try withDatabase { database in
      let reports = SharedList<String>()
      let error = failure { _ = try YapDatabase(path: database.path, options: waiting(reports) {}) }
      #expect(error?.code == .alreadyOpen && reports.all == [])
      #expect(error?.message == "\(database.path) is open in this process: use that database, or close it first")
    }
  }

  //  closing thread                          opening thread
  //  ──────────────────────────────────────  ──────────────────────────────────────
  //  close: waits for a running block
  //                                          opens: waits
  //  the block ends, close returns
  //                                          opens the file
  @Test func `opening waits for a database of this process that is being closed`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let old = try YapDatabase(path: path, options: .quick)
      let connection = try old.newConnection()
      let (entered, leave) = (StartGate(), StartGate())
      let crew = Crew()
      try crew.add("writer") {
        try connection.readWrite { transaction in
          entered.open()
          leave.wait()
          try transaction.setObject(bytes("1"), forKey: "k")
        }
      }
      try crew.add("closer") {
        entered.wait()
        try old.close(timeout: .seconds(100))
      }
      let reports = SharedList<String>()
      let options = waiting(reports) { leave.open() }
      try crew.add("opener") {
        _ = eventually { old.refusesNewCalls }
        let new = try YapDatabase(path: path, options: options)
        try Discrepancy.check(new.snapshot, 1, "the snapshot")
        try new.close()
      }
      #expect(crew.run() == nil)
      #expect(reports.all.count == 1 && reports.all[0].hasPrefix("\(path) is being closed in this process"))
    }
  }

  /// The predecessor replaces the file while another one waits for it: the waiter opens what is at the path then.
  @Test(arguments: ["deleted", "replaced"])
  func `a waiter opens the file that is at the path when the wait ends`(_ end: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      for (name, commits) in [(path, 1), (folder + "/new", 3)] {
        let database = try YapDatabase(path: name, options: .quick)
        for _ in 0..<commits { try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") } }
        try database.close()
      }
      let owner = try OtherOwner(path)
      let database = try YapDatabase(
        path: path,
        options: waiting(SharedList()) {
          if end == "deleted" { unlink(path) } else { rename(folder + "/new", path) }
          owner.release()
        }
      )
      #expect(database.snapshot == (end == "deleted" ? 0 : 3))
      try database.close()
    }
  }

  /// A descriptor that was left by each attempt would show.
  @Test func `waiting opens the file once`() async {
    await #expect(processExitsWith: .success) {
      reported {
        try withTemporaryFolder { folder in
          let path = folder + "/test.sqlite"
          try YapDatabase(path: path, options: .quick).close()
          let owner = try OtherOwner(path)
          var options = YapDatabaseOptions.quick
          options.busyTimeoutNanoseconds = 100_000_000
          options.openWaitHandler = { _ in }
          let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
          try Discrepancy.check(code { _ = try YapDatabase(path: path, options: options) }, .alreadyOpen, "the code")
          let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
          try Discrepancy.check(after, before, "open files")
          owner.release()
        }
      }
    }
  }
}
