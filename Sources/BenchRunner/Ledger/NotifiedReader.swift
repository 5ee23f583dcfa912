internal import BenchDrivers
internal import BenchScenario
internal import Synchronization
internal import ThreadingPrimitives

/// Reads inside the handler of notifications, and checks that the read sees the notified commit. Reads are made at most
/// every 10 ms, so that they take a small share of the time.
final class NotifiedReader: Sendable {
  private static let intervalNanoseconds: UInt64 = 10_000_000

  private let connection: any DriverConnection
  private let violations: ViolationLog
  private let nextRead = Atomic<UInt64>(0)
  private let reads = Atomic<Int>(0)

  /// Returns nil for an engine in another process, whose notifications may arrive after its end.
  init?(_ database: any DriverDatabase, _ violations: ViolationLog) throws {
    guard database.restarting == nil else { return nil }
    connection = try database.connect(.plain("notified", objectCache: false))
    self.violations = violations
  }

  /// The number of reads.
  var count: Int { reads.load(ordering: .relaxed) }

  /// Makes a read if it is due. Notifications arrive one after the other.
  func readIfDue(after commit: UInt64) {
    let now = MonotonicClock.now
    guard now >= nextRead.load(ordering: .relaxed) else { return }
    nextRead.store(now + Self.intervalNanoseconds, ordering: .relaxed)
    do {
      try connection.read { transaction in
        reads.add(1, ordering: .relaxed)
        guard transaction.snapshot < commit else { return }
        violations.report(
          .changedKeys,
          "a read in the handler of the notification of commit \(commit) saw snapshot \(transaction.snapshot)"
        )
      }
    } catch {
      violations.report(.changedKeys, "a read in the handler of the notification of commit \(commit) failed: \(error)")
    }
  }
}
