internal import Foundation

/// A serial connection that reads at a snapshot of the engine. A bookmark is its snapshot that stays open.
protocol SnapshotConnection: SerialConnection {
  associatedtype Reading: DriverTransaction
  /// The transaction of all reads.
  var reading: Reading { get }
  var hasBookmark: Bool { get set }
  /// The connection's number in `pins`.
  var number: Int { get }
  var pins: PinRecord { get }
  /// Begins `reading` at the newest snapshot. Called without a snapshot.
  func takeSnapshot() throws
  func releaseSnapshot()
}

extension SnapshotConnection {
  func read(_ body: DriverBlock) throws -> UInt64? {
    let laneWait = lock.acquire()
    defer { lock.unlock() }
    if hasBookmark {
      try body(reading)
    } else {
      try takeSnapshot()
      defer { releaseSnapshot() }
      try body(reading)
    }
    return laneWait
  }

  /// Returns no changes, because a connection does not learn what another one has changed.
  func advance(changesIn collection: String?) throws -> DriverAdvance {
    try lock.withLock {
      // The old snapshot is released first, so that the engine does not keep old rows for both.
      endBookmark()
      try takeSnapshot()
      hasBookmark = true
      pins.recordPin(of: number, at: reading.snapshot)
      return DriverAdvance(snapshot: reading.snapshot, jumped: [])
    }
  }

  func endLongLivedRead() { lock.withLock { endBookmark() } }

  private func endBookmark() {
    guard hasBookmark else { return }
    hasBookmark = false
    pins.removePin(of: number)
    releaseSnapshot()
  }
}
