/// Computes the times that a worker's transactions would have had without some waits.
///
/// A wait delays the transaction in which it lies, and in an open load also the arrivals that were due meanwhile, until
/// the worker has caught up. Times are nanoseconds of the monotonic clock.
struct UndisturbedPace {
  struct Times: Equatable {
    var service: UInt64
    var response: UInt64
  }

  /// The end of the worker's last transaction, and the time at which it would have ended without waits.
  private var end: UInt64 = 0
  private var undisturbedEnd: UInt64 = 0

  /// Whether the worker would be ahead without the waits so far.
  var isBehind: Bool { undisturbedEnd < end }

  /// Adds a transaction. Transactions that end on time may be left out as long as the worker is not behind.
  /// - Parameters:
  ///   - due: When the transaction was due; its start in a closed load.
  ///   - waited: The waits since the end of the last transaction that was added.
  /// - Returns: nil if neither this wait nor an earlier one has delayed it.
  mutating func add(due: UInt64, start: UInt64, end: UInt64, waited: UInt64) -> Times? {
    let taken = end - min(end, max(due, self.end))
    let undisturbedStart = max(due, undisturbedEnd)
    self.end = end
    undisturbedEnd = min(undisturbedStart + taken - min(taken, waited), end)
    guard isBehind else { return nil }
    let service = end - start
    return Times(service: service - min(service, waited), response: undisturbedEnd - due)
  }
}
