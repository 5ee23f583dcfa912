import Glibc
import HarnessPrimitives
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Each pattern runs in a process of its own, which exits if it hangs.
@Suite struct DeadlockTests {
  static let hung: Int32 = 97

  @Test(arguments: DeadlockPattern.all.map(\.name))
  func `a pattern ends with the documented error, or completes`(name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      reported { try DeadlockTests.perform(name) }
    }
  }

  private static func perform(_ name: String) throws {
    try endProcess(afterNanoseconds: 60_000_000_000, exitCode: hung)
    var options = YapDatabaseOptions.quick
    options.joinAlways()
    guard let pattern = DeadlockPattern.named(name) else { throw Discrepancy("there is no pattern \(name)") }
    try withTemporaryFolder { try DeadlockPlay(folder: $0, options: options).perform(pattern) }
  }

  @Test func `the error names the connections and the lanes for which they wait`() throws {
    try withDatabase { database in
      let a = try database.newConnection(name: "a")
      let b = try database.newConnection(name: "b")
      let crew = Crew()
      let (error, thread) = try a.readWrite { _ in
        let thread = try WorkerThread(name: "b") {
          if let found = Discrepancy.first({ try b.readWrite { try $0.setCustomObject(1) } }) { crew.report(found) }
        }
        #expect(eventually { b.lane.occupancy > 0 && database.writer.lane.waiterCount > 0 })
        return (failure { try b.read { _ in } }, thread)
      }
      thread.join()
      #expect(crew.run() == nil)
      #expect(error?.code == .deadlock)
      let writer = "the write lane of \(database.path)"
      let circle = "connection \"a\" with \(writer) waits for connection \"b\", connection \"b\" waits for \(writer)"
      #expect(error?.message.contains(circle) == true, "\(error?.message ?? "")")
      #expect(database.snapshot == 1)
    }
  }

  /// Threads nest reads and writes of four connections at random. All end, and no transaction is stored in part.
  @Test func `random nesting never hangs`() throws {
    let seed = Seed.announce(for: "DeadlockTests")
    try withDatabase { database in
      let connections = try (0..<4).map { try database.newConnection(name: "\($0)") }
      let crew = Crew()
      let rounds = TestScale.count(300)
      let committed = SharedList<UInt64>()
      for thread in 0..<4 {
        try crew.add("thread \(thread)") {
          var generator = RandomStream(seed: seed &+ UInt64(thread))
          for _ in 0..<rounds {
            try Self.nest(connections, &generator, depth: 3, committed)
            connections[generator.below(4)].asyncReadWrite { transaction in
              try transaction.setCustomObject(1)
              committed.append(transaction.snapshot)
            }
          }
        }
      }
      #expect(crew.run() == nil)
      for connection in connections { #expect(eventually { connection.pendingTransactionCount == 0 }) }
      #expect(committed.all.sorted() == Array(1...database.snapshot))
    }
  }

  private static func nest(
    _ connections: [YapDatabaseConnection],
    _ generator: inout RandomStream,
    depth: Int,
    _ committed: SharedList<UInt64>
  ) throws {
    guard depth > 0 else { return }
    let connection = connections[generator.below(connections.count)]
    do {
      if generator.chance(oneIn: 3) {
        var number: UInt64 = 0
        try connection.readWrite { transaction in
          try transaction.setCustomObject(1)
          number = transaction.snapshot
          try nest(connections, &generator, depth: depth - 1, committed)
        }
        committed.append(number)
      } else {
        try connection.read { _ in try nest(connections, &generator, depth: depth - 1, committed) }
      }
    } catch let error as YapDatabaseError where [.deadlock, .nestedTransaction].contains(error.code) {}
  }
}
