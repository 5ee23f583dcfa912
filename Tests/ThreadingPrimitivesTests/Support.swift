import Foundation
import Synchronization

@testable import ThreadingPrimitives

/// Counts are scaled by the environment variable YAP_TEST_SCALE, a percentage.
func scaled(_ count: Int) -> Int {
  let percentage = ProcessInfo.processInfo.environment["YAP_TEST_SCALE"].flatMap { Int($0) } ?? 100
  return max(count * percentage / 100, 1)
}

/// Waits until something holds. It orders nothing: what is waited for must come about by itself.
/// - Returns: false after ten seconds, which no working code needs.
func eventually(_ condition: () -> Bool) -> Bool {
  let deadline = MonotonicClock.now + 10_000_000_000
  while !condition() {
    if MonotonicClock.now > deadline { return false }
    Parker().park(deadline: MonotonicClock.now + 100_000)
  }
  return true
}

/// Runs `body` with each index on a thread of its own, all at once, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
  let gate = StartGate()
  let threads = try (0..<count).map { index in
    try WorkerThread(name: "test-\(index)") {
      gate.wait()
      body(index)
    }
  }
  gate.open()
  for thread in threads { thread.join() }
}

/// A list that threads append to.
final class SharedList<Element: Sendable>: Sendable {
  private let elements = Guarded<[Element]>([])

  func append(_ element: Element) { elements.withLock { $0.append(element) } }
  /// A new array, made under the lock: with a shared one the thread sanitizer would see a race in its last release.
  var all: [Element] { elements.withLock { list in list.map { $0 } } }
}

/// A number that is not atomic on purpose: only mutual exclusion keeps it right, and the thread sanitizer quiet.
// Reached only with a lane held; that is what the tests are about.
final class Unguarded: @unchecked Sendable {
  var count = 0
  var isInUse = false
}

/// An atomic number that can be held in an array.
final class SharedNumber: Sendable {
  let value = Atomic<UInt64>(0)
}
