/// Limits the share of a worker's time that is spent on checks. A pure state machine.
///
/// Checking a cached read takes as long as the read, so checks get a twelfth of the transactions' time. If that is not
/// enough for all checks, some are left out: many in a row instead of single ones, because the stability check compares
/// two checked reads of the same row.
struct CheckBudget {
  static let share: UInt64 = 12
  /// The time that checks may take beyond their share, so that a short run is checked completely.
  static let creditNanoseconds: UInt64 = 10_000_000
  /// The time that must be available before checks continue, so that many are made in a row.
  static let burstNanoseconds: UInt64 = 1_000_000

  /// Whether the next transaction is to be checked.
  private(set) var isOpen = true
  private(set) var checkingNanoseconds: UInt64 = 0
  private var serviceNanoseconds: UInt64 = 0

  mutating func addService(_ nanoseconds: UInt64) {
    serviceNanoseconds += nanoseconds
    if !isOpen, (checkingNanoseconds + Self.burstNanoseconds) * Self.share <= earned { isOpen = true }
  }

  mutating func addCheck(_ nanoseconds: UInt64) {
    checkingNanoseconds += nanoseconds
    if checkingNanoseconds * Self.share > earned { isOpen = false }
  }

  private var earned: UInt64 { serviceNanoseconds + Self.creditNanoseconds * Self.share }
}
