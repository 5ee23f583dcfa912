import Foundation
import ThreadingPrimitives

@testable import YapEngine

/// Waits until something holds. It orders nothing: what is waited for must come about by itself.
/// - Returns: false after 100 seconds, which no working code needs.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = MonotonicClock.now + 100_000_000_000
  while try !condition() {
    if MonotonicClock.now > deadline { return false }
    Parker().park(deadline: MonotonicClock.now + 200_000)
  }
  return true
}

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

/// A list that threads append to.
final class SharedList<Element: Sendable>: Sendable {
  private let elements = Guarded<[Element]>([])

  func append(_ element: Element) { elements.withLock { $0.append(element) } }
  /// A new array, made under the lock: with a shared one the thread sanitizer would see a race in its last release.
  var all: [Element] { elements.withLock { list in list.map { $0 } } }
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
