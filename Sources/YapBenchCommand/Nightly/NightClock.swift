internal import BenchModel
internal import ThreadingPrimitives

/// The time of a night. Each part ends at a fixed share of the budget, so the next part can use the time that it
/// leaves.
struct NightClock {
  let budgetSeconds: Double
  /// Time that the night had used before this process.
  private let usedBefore: Double
  private let start = MonotonicClock.now

  init(_ summary: NightSummary) {
    budgetSeconds = summary.budgetSeconds
    usedBefore = summary.usedSeconds
  }

  var usedSeconds: Double { usedBefore + Double(MonotonicClock.now - start) / 1e9 }

  /// The end of a part, as a share of the budget.
  static func endShare(of part: NightSummary.Part) -> Double {
    switch part {
    case .suite: 0.20
    case .pinned, .history, .trend: 0.50
    case .last: 0.75
    // A night makes one of the two. The rest is for the reports.
    case .bisection, .calibration: 0.98
    }
  }

  func secondsLeft(for part: NightSummary.Part) -> Double {
    max(0, budgetSeconds * Self.endShare(of: part) - usedSeconds)
  }
}
