import Glibc
import HarnessPrimitives
import Synchronization
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// The threads of asynchronous and awaited calls.
@Suite(.timeLimit(.minutes(20))) struct AsyncThreadTests {
  private func options(threads: Int) -> YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.asyncThreadLimit = threads
    return options
  }

  @Test func `reads of many connections use no more threads than the option allows`() throws {
    try withDatabase(options(threads: 4)) { database in
      let connections = try (0..<40).map { _ in try database.newConnection() }
      let (gate, done) = (StartGate(), SharedList<Bool>())
      for connection in connections {
        connection.asyncRead({ _ in gate.wait() }, completion: { done.append($0 == nil) })
      }
      #expect(database.pool.threadCount == 4 && database.pool.waitingCount == 36)
      gate.open()
      #expect(eventually { done.all.count == 40 })
      #expect(done.all.allSatisfy { $0 })
    }
  }

  //  this thread                      asynchronous writes               an asynchronous read
  //  ──────────────────────────────  ────────────────────────────────  ──────────────────────
  //  is in a read-write transaction
  //                                   two threads wait for the write
  //                                   lane, 38 calls for a thread
  //                                                                     runs
  //  commits
  //                                   all are committed
  @Test func `writes that wait for other writers leave threads to reads`() throws {
    try withDatabase(options(threads: 4)) { database in
      let writer = try database.newConnection()
      let connections = try (0..<40).map { _ in try database.newConnection() }
      let reader = try database.newConnection()
      let done = SharedList<Bool>()
      try writer.readWrite { transaction in
        try transaction.setObject(bytes("1"), forKey: "first")
        for (index, connection) in connections.enumerated() {
          connection.asyncReadWrite({ try $0.setObject(bytes("1"), forKey: "\(index)") }) { outcome in
            if case .committed = outcome { done.append(true) } else { done.append(false) }
          }
        }
        #expect(eventually { database.writer.waitingCount == 2 })
        #expect(database.pool.threadCount == 2)
        let hasRead = StopFlag()
        reader.asyncRead { _ in hasRead.raise() }
        #expect(eventually { hasRead.isRaised })
      }
      #expect(eventually { done.all.count == 40 })
      #expect(done.all.allSatisfy { $0 } && database.snapshot == 41)
    }
  }

  @Test(arguments: [1, 3]) func `calls whose blocks read with each other's connections all end`(threads: Int) throws {
    let seed = Seed.announce(for: "AsyncThreadTests")
    var random = RandomStream(seed: seed)
    try withDatabase(options(threads: threads)) { database in
      let connections = try (0..<6).map { _ in try database.newConnection() }
      let done = SharedList<String>()
      let count = TestScale.count(600)
      for index in 0..<count {
        let path = connections.indices.filter { _ in random.chance(oneIn: 2) }
        guard let first = path.first else {
          done.append("")
          continue
        }
        let inner = path.dropFirst().map { connections[$0] }
        let block: @Sendable (YapDatabaseReadTransaction) throws -> Void = { _ in
          func read(_ rest: ArraySlice<YapDatabaseConnection>) throws {
            guard let next = rest.first else { return }
            try next.read { _ in try read(rest.dropFirst()) }
          }
          try read(inner[...])
        }
        if random.chance(oneIn: 3) {
          connections[first].asyncReadWrite { transaction in
            try transaction.setObject(bytes("1"), forKey: "\(index)")
            try block(transaction)
          } completion: { outcome in
            if case .failed(let error) = outcome { done.append("\(error)") } else { done.append("") }
          }
        } else {
          connections[first].asyncRead(block) { error in done.append(error.map { "\($0)" } ?? "") }
        }
      }
      #expect(eventually { done.all.count == count }, "with seed \(seed)")
      // A write whose block reads with a connection whose own write waits is a deadlock, and is refused.
      #expect(done.all.allSatisfy { $0.isEmpty || $0.contains("deadlock") }, "with seed \(seed)")
    }
  }

  @Test func `a deadlock with a write that waits for a thread is detected`() throws {
    try withDatabase(options(threads: 1)) { database in
      let connections = try (0..<3).map { _ in try database.newConnection() }
      let (gate, done) = (StartGate(), SharedList<Bool>())
      connections[2].asyncRead { _ in gate.wait() }
      connections[1].asyncReadWrite(
        { try $0.setObject(bytes("1"), forKey: "b") },
        completion: { _ in done.append(true) }
      )
      #expect(database.pool.waitingCount == 1)
      try connections[0].readWrite { transaction in
        try transaction.setObject(bytes("1"), forKey: "a")
        #expect(code { try connections[1].read { _ in } } == .deadlock)
      }
      #expect(eventually { done.all == [true] })
      gate.open()
    }
  }

  @Test func `reads, settings and flushes of many connections end with one thread`() throws {
    try withDatabase(options(threads: 1)) { database in
      let connections = try (0..<8).map { _ in try database.newConnection() }
      let done = SharedList<Int>()
      for (index, connection) in connections.enumerated() {
        connection.asyncRead { _ in }
        connection.objectCacheLimit = 7
        connection.flushMemory()
        connection.flushTransactions { done.append(index) }
      }
      #expect(eventually { done.all.count == 8 })
      #expect(connections.allSatisfy { $0.objectCacheLimit == 7 })
    }
  }

  /// The calls that a connection queues.
  private enum QueuedCall: CaseIterable {
    case read, readWrite, vacuum, backup, flushOfTransactions, flushOfMemory, setting

    func queue(on connection: YapDatabaseConnection) {
      switch self {
      case .read: connection.asyncRead { _ in }
      case .readWrite: connection.asyncReadWrite { try $0.setCustomObject(1) }
      case .vacuum: connection.asyncVacuum()
      case .backup: connection.asyncBackup(to: connection.database.path + "-copy") { _ in }
      case .flushOfTransactions: connection.flushTransactions {}
      case .flushOfMemory: connection.flushMemory()
      case .setting:
        // A setting is queued only behind another call.
        connection.asyncRead { _ in }
        connection.objectCacheLimit = 7
      }
    }
  }

  //  this thread                       the database's only thread
  //  ────────────────────────────────  ──────────────────────────
  //                                    a read waits at a gate
  //  queues a call, and releases its
  //  connection
  //  opens the gate
  //                                    runs the call
  @Test(arguments: QueuedCall.allCases)
  private func `a connection may be released while its call waits for a thread`(call: QueuedCall) throws {
    try withDatabase(options(threads: 1)) { database in
      let reader = try database.newConnection()
      let gate = StartGate()
      reader.asyncRead { _ in gate.wait() }
      call.queue(on: try database.newConnection())
      #expect(database.pool.waitingCount == 1 && database.connections.live.count == 2)
      gate.open()
      #expect(eventually { database.connections.live.count == 1 })
    }
  }

  /// The last reference to a connection.
  private final class LastReference: Sendable {
    private let held: Guarded<YapDatabaseConnection?>

    init(_ connection: YapDatabaseConnection) { held = Guarded(connection) }

    var connection: YapDatabaseConnection? { held.withLock { $0 } }

    /// Releases the connection, but not under the lock.
    func release() {
      let connection = held.withLock { $0.take() }
      withExtendedLifetime(connection) {}
    }
  }

  @Test(arguments: ["read", "readWrite", "asyncRead", "asyncReadWrite", "other's readWrite", "completion"])
  func `a connection's last reference may be released inside of a block`(place: String) throws {
    try withDatabase { database in
      let last = LastReference(try database.newConnection())
      switch place {
      case "read": try last.connection?.read { _ in last.release() }
      case "readWrite": try last.connection?.readWrite { _ in last.release() }
      case "asyncRead": last.connection?.asyncRead { _ in last.release() }
      case "asyncReadWrite":
        last.connection?.asyncReadWrite {
          try $0.setCustomObject(1)
          last.release()
        }
      case "completion": last.connection?.asyncReadWrite({ _ in }, completion: { _ in last.release() })
      default: try database.newConnection().readWrite { _ in last.release() }
      }
      #expect(eventually { database.connections.live.isEmpty })
    }
  }

  @Test(arguments: ["asyncRead", "asyncReadWrite", "flush"])
  func `a database's last reference may be released inside of a block`(call: String) throws {
    try withTemporaryFolder { folder in
      let isDone = StopFlag()
      weak var gone: YapDatabase?
      do {
        let database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
        gone = database
        let last = LastReference(try database.newConnection())
        switch call {
        case "asyncRead":
          last.connection?.asyncRead { _ in
            last.release()
            isDone.raise()
          }
        case "asyncReadWrite":
          last.connection?.asyncReadWrite {
            try $0.setCustomObject(1)
            last.release()
            isDone.raise()
          }
        default:
          last.connection?.flushTransactions { isDone.raise() }
          last.release()
        }
      }
      #expect(eventually { isDone.isRaised && gone == nil })
      let again = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
      try again.close()
    }
  }

  @Test func `a limit below one thread is refused`() throws {
    try withTemporaryFolder { folder in
      let found = failure { _ = try YapDatabase(path: folder + "/test.sqlite", options: options(threads: 0)) }
      #expect(found?.code == .invalidArgument && found?.message.contains("asyncThreadLimit is 0") == true)
    }
  }

  /// The largest number of processes and threads of a user. Root has none, so the child process becomes another user.
  private static func limitThreads(to count: UInt) throws {
    guard setgid(54_321) == 0, setuid(54_321) == 0 else { throw Discrepancy("root stays root") }
    var limit = rlimit(rlim_cur: count, rlim_max: count)
    guard setrlimit(__rlimit_resource_t(6), &limit) == 0 else { throw Discrepancy("the limit is not set") }
  }

  @Test(.enabled(if: geteuid() == 0)) func `all calls end where the system starts few threads`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    chmod(folder.path, 0o777)
    await #expect(processExitsWith: .success) { [path = folder.path + "/test.sqlite" as String] in
      reported {
        try Self.limitThreads(to: 20)
        let database = try YapDatabase(path: path, options: .quick)
        let connections = try (0..<60).map { _ in try database.newConnection() }
        let done = Atomic<Int>(0)
        for (index, connection) in connections.enumerated() {
          if index % 2 == 0 {
            connection.asyncRead({ _ in Parker().park(deadline: MonotonicClock.now + 20_000_000) }) { error in
              if error == nil { done.add(1, ordering: .relaxed) }
            }
          } else {
            connection.asyncReadWrite {
              try $0.setObject(bytes("1"), forKey: "\(index)")
            } completion: { outcome in
              if case .committed = outcome { done.add(1, ordering: .relaxed) }
            }
          }
        }
        let haveEnded = eventually { done.load(ordering: .relaxed) == 60 }
        try Discrepancy.check(haveEnded, true, "ended: \(done.load(ordering: .relaxed))")
        try Discrepancy.check(database.snapshot, 30, "commits")
        try database.close()
      }
    }
  }

  @Test(.enabled(if: geteuid() == 0)) func `opening where the system starts no thread is a typed error`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    chmod(folder.path, 0o777)
    await #expect(processExitsWith: .success) { [path = folder.path + "/test.sqlite" as String] in
      reported {
        try Self.limitThreads(to: 1)
        let error = failure { _ = try YapDatabase(path: path, options: .quick) }
        try Discrepancy.check(error?.code, .noThread, "the code of \(String(describing: error))")
      }
    }
  }
}
