import Foundation
import TestSupport
import ThreadingPrimitives

@testable import YapEngine

/// Threads that start together; the first discrepancy of any is theirs.
final class Crew: Sendable {
  private let gate = StartGate()
  private let threads = Guarded<[WorkerThread]>([])
  private let first = Guarded<Discrepancy?>(nil)

  /// Adds a thread that waits for `run()`.
  func add(_ name: String, _ body: @escaping @Sendable () throws -> Void) throws {
    let thread = try WorkerThread(name: name) { [self] in
      gate.wait()
      if let found = Discrepancy.first(body) { report(Discrepancy("\(name): \(found)")) }
    }
    threads.withLock { $0.append(thread) }
  }

  func report(_ found: Discrepancy) {
    first.withLock { $0 = $0 ?? found }
  }

  /// Whether somebody has found something, so that the others may stop.
  var hasFailed: Bool { found != nil }
  var found: Discrepancy? { first.withLock { $0 } }

  /// Lets all run and waits for all.
  func run() -> Discrepancy? {
    gate.open()
    for thread in threads.withLock({ $0 }) { thread.join() }
    return first.withLock { $0 }
  }
}

/// The commits that a database's notifications tell of, in the order in which they come.
final class Listener: Sendable {
  let told = SharedList<YapDatabaseModification>()
  // Set once before anything is posted, and read by the end of life only.
  private nonisolated(unsafe) var token: (any NSObjectProtocol)?

  init(_ database: YapDatabase) {
    token = NotificationCenter.default.addObserver(
      forName: .YapDatabaseModified,
      object: database,
      queue: nil
    ) { [told] notification in
      if let modification = YapDatabaseModification(notification) { told.append(modification) }
    }
  }

  deinit {
    if let token { NotificationCenter.default.removeObserver(token) }
  }
}
