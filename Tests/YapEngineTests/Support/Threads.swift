import Foundation
import TestSupport
import ThreadingPrimitives

@testable import YapEngine

/// Threads that start together, and the first discrepancy that any of them finds.
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

  /// Whether a thread has found a discrepancy, so that the others may stop.
  var hasFailed: Bool { found != nil }
  var found: Discrepancy? { first.withLock { $0 } }

  /// Starts all threads and waits for their end.
  func run() -> Discrepancy? {
    gate.open()
    for thread in threads.withLock({ $0 }) { thread.join() }
    return first.withLock { $0 }
  }
}

/// The modifications of a database's notifications, in the order of delivery.
final class Listener: Sendable {
  let told = SharedList<YapDatabaseModification>()
  // Set once before anything is posted, and read only by `deinit`.
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
