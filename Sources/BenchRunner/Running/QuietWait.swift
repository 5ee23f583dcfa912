internal import BenchResults
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// Waits until other processes leave the processors free, before invalid runs are repeated.
struct QuietWait {
  /// The greatest share of the processors' time that others may use: with more, most runs would be invalid again.
  static let greatestShare = Distrust.greatestLostShare
  static let windowNanoseconds: UInt64 = 2_000_000_000

  /// The longest wait. One window is always measured.
  let longestNanoseconds: UInt64
  let interruption: StopFlag
  /// Measures the share of the processors' time that other processes use in a window, 0 to 1. Returns early after an
  /// interruption.
  let measure: @Sendable () -> Double
  let onProgress: @Sendable (RunProgress) -> Void

  /// - Parameter measure: nil to measure this machine.
  init(
    longestNanoseconds: UInt64,
    interruption: StopFlag,
    measure: (@Sendable () -> Double)? = nil,
    onProgress: @escaping @Sendable (RunProgress) -> Void
  ) {
    self.longestNanoseconds = longestNanoseconds
    self.interruption = interruption
    self.measure = measure ?? { HostFigures.othersShare(in: Self.windowNanoseconds, or: interruption) }
    self.onProgress = onProgress
  }

  /// Waits if the machine disturbed one of the runs, which were invalid.
  /// - Parameter isRound: Whether they are all runs of the first round.
  /// - Returns: The reason not to make more runs; nil if they are worth their time.
  func reasonToStop(after invalid: [RunResult], isRound: Bool) -> String? {
    guard invalid.contains(where: \.isDisturbed) else {
      // A retry may be luckier than a single run, but not than every run of a round.
      return isRound ? "no further run was made: the causes would make each of them invalid" : nil
    }
    guard let share = busyShareAtEnd() else { return nil }
    let wait = longestNanoseconds > 0 ? "after \(seconds(longestNanoseconds)) of waiting other" : "other"
    return "no further run was made: \(wait) processes still used \(Int(saturating: (share * 100).rounded())) % of the "
      + "processors; end them, use a less busy machine, or wait longer with --wait-for-quiet 10m"
  }

  /// Returns the share of the processors' time that others used at the end of the wait; nil if they left them free, or
  /// if the wait was interrupted.
  private func busyShareAtEnd() -> Double? {
    var waited: UInt64 = 0
    while true {
      let share = measure()
      waited += Self.windowNanoseconds
      guard share > Self.greatestShare, !interruption.isRaised else { return nil }
      guard waited < longestNanoseconds else { return share }
      onProgress(.waitingForQuiet(othersShare: share, nanoseconds: waited, of: longestNanoseconds))
    }
  }

  private func seconds(_ nanoseconds: UInt64) -> String { MeasuredText.make(Double(nanoseconds), .nanoseconds) }
}

extension HostFigures {
  /// Measures the share of all processors' time that other processes and other guests of the host use, 0 to 1.
  /// - Parameter interruption: ends the measurement early.
  fileprivate static func othersShare(in windowNanoseconds: UInt64, or interruption: StopFlag) -> Double {
    let (before, ownBefore) = (now(), ProcessFigures.cpuNanoseconds(with: nil))
    let end = MonotonicClock.now + windowNanoseconds
    while MonotonicClock.now < end, !interruption.isRaised {
      MonotonicClock.sleep(until: min(end, MonotonicClock.now + 100_000_000))
    }
    return now().othersShare(since: before, ownNanoseconds: ProcessFigures.cpuNanoseconds(with: nil) - ownBefore)
  }

  /// - Parameter ownNanoseconds: the processor time of this process since `earlier`.
  func othersShare(since earlier: HostFigures, ownNanoseconds: UInt64) -> Double {
    let total = totalNanoseconds - min(totalNanoseconds, earlier.totalNanoseconds)
    let used = busyNanoseconds + stolenNanoseconds
    let usedEarlier = earlier.busyNanoseconds + earlier.stolenNanoseconds
    guard total > 0 else { return 0 }
    return min(1, max(0, (Double(used) - Double(usedEarlier) - Double(ownNanoseconds)) / Double(total)))
  }
}
