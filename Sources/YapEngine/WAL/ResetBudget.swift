/// The time that a reset of the WAL may cost writers, by the size of the WAL.
///
/// | WAL, in multiples of its limit | hold for readers | share of the time |
/// | --- | --- | --- |
/// | 1 to 2 | 40 ms, down to 20 ms on a slow disk | 1/20 |
/// | 2 to 4 | 60 ms | 1/10 |
/// | 4 to 8 | 125 ms | 1/5 |
/// | 8 and more | 250 ms | 1/4 |
///
/// While the write lane is held, a bookmark that moves reaches the newest commit and stays there. A hold as long as the
/// period of the slowest bookmark therefore catches all bookmarks, however many there are: 60 ms for 20 Hz, 125 ms for
/// 10 Hz, 250 ms for 5 Hz, each with spare time for the move itself.
///
/// A slower bookmark would need a hold that users of a writing program notice. No hold is that long, so the WAL grows.
struct ResetBudget: Equatable {
  /// The longest time, in nanoseconds, for which writers wait for readers in one reset.
  let holdNanoseconds: UInt64
  /// The shortest time from one reset to the next, in multiples of the time for which the earlier one waited.
  let rarity: UInt64

  /// The steps of the table, and the size from which each applies, in multiples of the limit.
  enum Steps {
    static let first = ResetBudget(holdNanoseconds: 40_000_000, rarity: 20)
    static let last = ResetBudget(holdNanoseconds: longestHoldNanoseconds, rarity: 4)
    fileprivate static let later: [(multiple: Int, budget: ResetBudget)] = [
      (2, ResetBudget(holdNanoseconds: 60_000_000, rarity: 10)),
      (4, ResetBudget(holdNanoseconds: 125_000_000, rarity: 5)),
      (8, last),
    ]
  }

  /// The longest hold. A reader whose move has been due for this long before a reset stands: no hold would catch it.
  static let longestHoldNanoseconds: UInt64 = 250_000_000
  /// The intended length of a hold of the first step, including the copying and the syncs that follow the wait.
  static let shortHoldNanoseconds: UInt64 = 50_000_000
  /// The shortest wait for readers within such a hold, even if the copying takes long.
  static let shortestWaitNanoseconds: UInt64 = 20_000_000

  static func of(frames: Int, limit: Int) -> ResetBudget {
    Steps.later.last { frames / $0.multiple >= limit }?.budget ?? Steps.first
  }

  /// Returns the number of frames from which the next step applies; `Int.max` after the last.
  static func nextStep(after frames: Int, limit: Int) -> Int {
    guard let step = Steps.later.first(where: { frames / $0.multiple < limit }) else { return .max }
    let (next, isOver) = limit.multipliedReportingOverflow(by: step.multiple)
    return isOver ? .max : next
  }
}
