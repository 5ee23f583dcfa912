internal import Synchronization
internal import ThreadingPrimitives

/// Slows writers down at `Synchronous.normal` while frames are copied and synced because the WAL has reached its limit.
///
/// A writer appends frames to the page cache faster than a disk syncs them. Without pauses, each copy would leave as
/// many frames as it has copied, and the reset would sync them with the write lane held. Before each transaction,
/// writers therefore wait for up to three times the duration of the last block, so that each copy leaves fewer frames.
/// Shorter waits are added up, because a thread cannot sleep for a few microseconds.
///
/// At `full` each commit waits for the disk anyway, and at `off` nothing is synced.
// `owed` is used only with the write lane held.
final class WriterPacing: @unchecked Sendable {
  private static let waitPerBlock: UInt64 = 3
  private static let shortestNanoseconds: UInt64 = 500_000
  private static let longestNanoseconds: UInt64 = 5_000_000

  private let isOn = Atomic<Bool>(false)
  private let ended = Parker()
  /// The wait for blocks that were too short for a wait of their own.
  private var owed: UInt64 = 0

  func begin() { isOn.store(true, ordering: .relaxed) }

  func end() {
    isOn.store(false, ordering: .releasing)
    ended.unpark()
  }

  /// Whether transactions wait before they begin.
  @inline(__always)
  var isNeeded: Bool { isOn.load(ordering: .relaxed) }

  /// Waits until the copy has ended, at most as long as the last blocks demand. Must be called with the write lane
  /// held.
  /// - Parameter blockNanoseconds: The duration of the last transaction's block.
  /// - Returns: The duration of the wait.
  func wait(afterBlockOf blockNanoseconds: UInt64) -> UInt64 {
    owed = min(owed + min(blockNanoseconds, Self.longestNanoseconds) * Self.waitPerBlock, Self.longestNanoseconds)
    guard owed >= Self.shortestNanoseconds else { return 0 }
    let began = MonotonicClock.now
    let deadline = began + owed
    owed = 0
    var now = began
    while isOn.load(ordering: .acquiring), now < deadline {
      ended.park(deadline: deadline)
      now = MonotonicClock.now
    }
    return now - began
  }
}
