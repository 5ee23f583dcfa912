import ThreadingPrimitives

/// Waits until `condition` holds, which it must come to without this thread.
/// - Returns: False if it does not hold after 100 seconds.
package func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = MonotonicClock.now + 100_000_000_000
  while try !condition() {
    if MonotonicClock.now > deadline { return false }
    Parker().park(deadline: MonotonicClock.now + 100_000)
  }
  return true
}

/// Runs `body` with each index on a thread of its own, starts all threads at the same time, and waits for all.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
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

/// A list to which threads append.
package final class SharedList<Element: Sendable>: Sendable {
  private let elements = Guarded<[Element]>([])

  package init() {}

  package func append(_ element: Element) { elements.withLock { $0.append(element) } }

  /// A copy that is made under the lock. With a shared array, the thread sanitizer would report a race in its release.
  package var all: [Element] { elements.withLock { list in list.map { $0 } } }
}
