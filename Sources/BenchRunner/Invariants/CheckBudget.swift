/// How much of a worker's time may go into checks. A pure state machine.
///
/// A check of a cached read takes as long as the read. So checks get a twelfth of the time of the transactions; where
/// that is not enough for all of them, some are left out: many in a row and not one now and then, since two reads of a
/// row have to be checked to see that they are the same.
struct CheckBudget {
  static let share: UInt64 = 12
  /// Of checks, that are free: a short run is checked whole.
  static let creditNanoseconds: UInt64 = 10_000_000
  /// Of checks, that are made in a row.
  static let burstNanoseconds: UInt64 = 1_000_000

  /// Whether what comes next is to be checked.
  private(set) var isOpen = true
  private(set) var checkingNanoseconds: UInt64 = 0
  private var serviceNanoseconds: UInt64 = 0

  mutating func served(_ nanoseconds: UInt64) {
    serviceNanoseconds += nanoseconds
    if !isOpen, (checkingNanoseconds + Self.burstNanoseconds) * Self.share <= earned { isOpen = true }
  }

  mutating func checked(_ nanoseconds: UInt64) {
    checkingNanoseconds += nanoseconds
    if checkingNanoseconds * Self.share > earned { isOpen = false }
  }

  private var earned: UInt64 { serviceNanoseconds + Self.creditNanoseconds * Self.share }
}
