internal import BenchResults
internal import Foundation
internal import ThreadingPrimitives

/// The code of a transaction.
typealias DriverBlock = (any DriverTransaction) throws -> Void

/// A connection that one thread at a time uses, of a driver whose database has a lock of writers.
protocol SerialConnection: DriverConnection {
  /// Held during each call of the connection.
  var lock: NSLock { get }
  var writeLock: WriteLock { get }
  /// Whether a bookmark is set, so that the connection cannot write.
  var hasBookmark: Bool { get }
  /// Runs `block` in a write transaction. Commits if the block has changed a row; otherwise rolls back. Called with
  /// both locks held.
  /// - Parameters:
  ///   - begun: The time when the writers' lock was acquired.
  ///   - times: Gets the times from `begun` on.
  func write(_ block: DriverBlock, begun: UInt64, _ times: inout CommitTimes) throws
}

extension SerialConnection {
  func readWrite(_ body: DriverBlock) throws -> CommitTimes? {
    let start = MonotonicClock.now
    var times = CommitTimes.zero
    times.laneWait = lock.acquire()
    defer { lock.unlock() }
    guard !hasBookmark else { throw DriverError("end the long-lived read of \"\(name)\" before writing") }
    try writeLock.write { waited, behindCheckpoints in
      (times.writeLaneWait, times.checkpointWait) = (waited, behindCheckpoints)
      try write(body, begun: start + times.laneWait + waited, &times)
    }
    let parts = times.total
    times.rest = MonotonicClock.now - start - parts
    return times
  }

  func asyncRead(_ body: DriverBlock) { preconditionFailure(noAsynchronousCalls) }
  func asyncReadWrite(_ body: DriverBlock) { preconditionFailure(noAsynchronousCalls) }
}

private let noAsynchronousCalls = "the loader refuses asynchronous calls of a driver that has none"

extension CommitTimes {
  /// Runs a transaction's block, and records its time and the time before it.
  /// - Parameters:
  ///   - begun: The time when the writers' lock was acquired.
  ///   - statements: Returns the block's time in the engine's calls. Called when the block has ended.
  mutating func timeBlock(
    _ block: DriverBlock,
    of transaction: any DriverTransaction,
    begun: UInt64,
    statements: () -> UInt64
  ) throws {
    let blockBegan = MonotonicClock.now
    begin = blockBegan - begun
    let result = Result { try block(transaction) }
    self.statements = statements()
    self.block = MonotonicClock.now - blockBegan
    try result.get()
  }

  mutating func timeCommit(_ body: () throws -> Void) throws {
    let began = MonotonicClock.now
    try body()
    commit = MonotonicClock.now - began
  }
}
