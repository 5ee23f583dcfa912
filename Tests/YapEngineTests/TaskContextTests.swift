import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// The task in which an awaited block runs: its task-local values, its cancellation and its priority.
@Suite(.timeLimit(.minutes(20))) struct TaskContextTests {
  private enum Trace {
    @TaskLocal static var id = "none"
  }

  private actor Counter {
    private(set) var count = 0
    private let connection: YapDatabaseConnection

    init(_ connection: YapDatabaseConnection) { self.connection = connection }

    func add(_ key: String) async throws -> String {
      count += 1
      let found = try await connection.readWrite { transaction in
        try transaction.setObject(bytes("1"), forKey: key)
        return Trace.id
      }
      // The actor's state is accessed in its own isolation again.
      count += 10
      return found
    }
  }

  /// Runs `body` with a database that is closed afterwards.
  private func withDatabase(_ body: (YapDatabase) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let database = try YapDatabase(path: folder.path + "/test.sqlite", options: .quick)
    try await body(database)
    try database.close()
  }

  @Test func `a block has the task-local values of the task that awaits it`() async throws {
    try await withDatabase { database in
      let connection = try database.newConnection()
      for id in ["a", "b"] {
        try await Trace.$id.withValue(id) {
          #expect(try await connection.read { _ in Trace.id } == id)
          #expect(try await connection.readWrite { _ in Trace.id } == id)
          let inside = try await connection.read { _ in Trace.$id.withValue("inside") { Trace.id } }
          #expect(inside == "inside" && Trace.id == id)
        }
      }
      #expect(try await connection.read { _ in Trace.id } == "none")
    }
  }

  @Test func `child tasks, groups and actors are seen by their blocks`() async throws {
    try await withDatabase { database in
      let connections = try (0..<3).map { _ in try database.newConnection() }
      try await Trace.$id.withValue("outer") {
        async let first = connections[0].read { _ in Trace.id }
        async let second = connections[1].readWrite { _ in Trace.id }
        #expect(try await [first, second] == ["outer", "outer"])
        let found = try await withThrowingTaskGroup(of: String.self) { group in
          for index in 0..<30 {
            group.addTask {
              try await Trace.$id.withValue("\(index)") {
                let inside = try await connections[index % 3].read { _ in Trace.id }
                return inside == Trace.id ? inside : "\(inside) instead of \(Trace.id)"
              }
            }
          }
          return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(found == Set((0..<30).map { "\($0)" }))
        let counter = Counter(connections[0])
        for index in 0..<20 { #expect(try await counter.add("\(index)") == "outer") }
        #expect(await counter.count == 220)
      }
      #expect(database.snapshot == 20)
    }
  }

  @Test func `a block without a task has no task's values`() async throws {
    try await withDatabase { database in
      let connection = try database.newConnection()
      let found = SharedList<String>()
      try await Trace.$id.withValue("outer") {
        try await connection.readWrite { _ in
          connection.asyncRead { _ in found.append(Trace.id) }
        }
      }
      let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        connection.asyncReadWrite { _ in found.append("\(Task.isCancelled)") }
      }
      await cancelled.value
      #expect(try await connection.read { _ in withUnsafeCurrentTask { $0 != nil } })
      #expect(found.all == ["none", "false"])
    }
  }

  //  the task                           the test
  //  ─────────────────────────────────  ─────────────────────────────────
  //  stores, and waits for the gate
  //                                     cancels the task, opens the gate
  //  checks for cancellation, throws
  @Test func `a block that checks for cancellation throws, and its changes are rolled back`() async throws {
    try await withDatabase { database in
      let connection = try database.newConnection()
      let (hasBegun, gate) = (StopFlag(), StartGate())
      let task = Task {
        try await connection.readWrite { transaction in
          try transaction.setObject(bytes("1"), forKey: "k")
          if Task.isCancelled { Issue.record("cancelled too early") }
          hasBegun.raise()
          gate.wait()
          try Task.checkCancellation()
        }
      }
      while !hasBegun.isRaised { await Task.yield() }
      task.cancel()
      gate.open()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(database.snapshot == 0)
      #expect(try await connection.read { try !$0.hasObject(forKey: "k") })
      let reading = Task {
        try await connection.read { _ in
          withUnsafeCurrentTask { $0?.cancel() }
          try Task.checkCancellation()
        }
      }
      await #expect(throws: CancellationError.self) { try await reading.value }
    }
  }

  @Test func `a block runs on a thread of the database, with the lane held, and the task continues elsewhere`()
    async throws
  {
    try await withDatabase { database in
      let connection = try database.newConnection()
      for _ in 0..<200 {
        let isHeld = try await connection.read { _ in connection.lane.isHeldByCurrentThread }
        #expect(isHeld)
        #expect(!Lane.isAnyHeldByCurrentThread)
        try connection.syncRead { _ in }
        await #expect(throws: Deliberate.self) { try await connection.readWrite { _ in throw Deliberate() } }
        #expect(!Lane.isAnyHeldByCurrentThread)
      }
      let nested = try await connection.read { _ in code { try connection.read { _ in } } }
      #expect(nested == .nestedTransaction)
    }
  }

  @Test(arguments: [TaskPriority.low, .high]) func `a block has the task's priority`(priority: TaskPriority)
    async throws
  {
    try await withDatabase { database in
      let connection = try database.newConnection()
      // Awaiting the task would raise its priority.
      let found = SharedList<TaskPriority>()
      Task(priority: priority) { try await connection.read { _ in found.append(Task.currentPriority) } }
      while found.all.isEmpty { await Task.yield() }
      #expect(found.all == [priority])
    }
  }

  @Test func `a task's own executor gets the task back`() async throws {
    /// Runs each job on a new thread.
    final class Threads: TaskExecutor {
      let jobs = SharedList<Int>()

      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.append(1)
        let thread = try? WorkerThread(name: "own") { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        guard let thread else { preconditionFailure("no thread") }
        thread.detach()
      }
    }
    try await withDatabase { database in
      let connection = try database.newConnection()
      let executor = Threads()
      try await withTaskExecutorPreference(executor) {
        let before = executor.jobs.all.count
        try await connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
        #expect(executor.jobs.all.count > before)
        #expect(try await connection.read { try $0.hasObject(forKey: "k") })
      }
    }
  }
}
