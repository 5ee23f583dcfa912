import TestSupport
import ThreadingPrimitives

@testable import YapEngine

/// A read-write transaction of one connection, which runs concurrently with those of others.
struct Writing: Sendable {
  let connection: YapDatabaseConnection
  let block: @Sendable (YapDatabaseReadWriteTransaction) throws -> Void

  init(
    _ connection: YapDatabaseConnection,
    _ block: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void
  ) {
    self.connection = connection
    self.block = block
  }
}

extension YapDatabaseOptions {
  /// Makes every transaction join. After `waitForOpeningCheckpoint` the checkpointer is idle, and so ends no joint
  /// commit.
  mutating func joinAlways() {
    testHooks.joinsAlways = true
    checkpointing = .every(nanoseconds: .max)
  }
}

extension YapDatabase {
  /// Waits until the frames that are in the WAL at open are copied, which happens with all options. It must be called
  /// before anything is written.
  func waitForOpeningCheckpoint() throws {
    guard eventually({ statistics.walBacklogFrames == 0 }) else { throw Discrepancy("no checkpoint at open") }
  }
}

/// Runs the transactions one after the other, so that each ends while the next waits to begin.
///
/// With `joinsAlways` they are committed together, unless the checkpointer runs in between.
/// - Returns: The outcomes in the order of the transactions.
func writeTogether(_ writings: [Writing]) -> [YapDatabaseOutcome] {
  guard let writer = writings.first?.connection.database.writer else { return [] }
  let outcomes = SharedList<(place: Int, outcome: YapDatabaseOutcome)>()
  let hasBegun = StopFlag()
  let mayEnd = StartGate()
  let isOver = Parker()
  for (place, writing) in writings.enumerated() {
    writing.connection.asyncReadWrite { transaction in
      if place == 0 {
        hasBegun.raise()
        mayEnd.wait()
      }
      try writing.block(transaction)
    } completion: { outcome in
      outcomes.append((place, outcome))
      if outcomes.all.count == writings.count { isOver.unpark() }
    }
    while !(place == 0 ? hasBegun.isRaised : writer.waitingCount == place && writer.lane.waiterCount >= place) {
      Parker().park(deadline: MonotonicClock.now + 10_000)
    }
  }
  mayEnd.open()
  isOver.park()
  return outcomes.all.sorted { $0.place < $1.place }.map(\.outcome)
}

extension YapDatabaseOutcome {
  /// The number of the commit; nil if there is none.
  var number: UInt64? { if case .committed(let snapshot) = self { snapshot } else { nil } }
  var failure: (any Error)? { if case .failed(let error) = self { error } else { nil } }
}

/// Makes the next COMMIT of a database fail on request.
final class CommitFault: Sendable {
  private let isSet = Guarded(false)

  /// The error of such a COMMIT.
  static let error = YapDatabaseError(.full, "the disk is full, says the test")

  func failNext() { isSet.withLock { $0 = true } }

  /// - Returns: Whether the COMMIT has not failed yet.
  @discardableResult
  func clear() -> Bool {
    isSet.withLock { isSet in
      defer { isSet = false }
      return isSet
    }
  }

  func install(_ options: inout YapDatabaseOptions) {
    options.testHooks.commitFailure = { self.clear() ? Self.error : nil }
  }
}
