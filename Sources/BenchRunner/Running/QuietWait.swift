internal import BenchResults
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// Waits until other processes leave the processors and the disk free, before invalid runs are repeated.
struct QuietWait {
  static let windowNanoseconds: UInt64 = 2_000_000_000

  /// The longest wait. One window is always measured.
  let longestNanoseconds: UInt64
  let interruption: StopFlag
  /// Measures the use by other processes in a window. Returns early after an interruption.
  let measure: @Sendable () -> OthersUse
  let onProgress: @Sendable (RunProgress) -> Void

  /// - Parameters:
  ///   - folder: The folder of the database.
  ///   - measure: nil to measure this machine.
  init(
    longestNanoseconds: UInt64,
    folder: String,
    interruption: StopFlag,
    measure: (@Sendable () -> OthersUse)? = nil,
    onProgress: @escaping @Sendable (RunProgress) -> Void
  ) {
    self.longestNanoseconds = longestNanoseconds
    self.interruption = interruption
    self.measure = measure ?? { .measured(for: Self.windowNanoseconds, folder: folder, or: interruption) }
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
    let sharedDisk = invalid.contains { $0.phases.contains { $0.disturbance == .disk } }
    guard let use = useAtEnd(countsDisk: sharedDisk) else { return nil }
    let wait =
      longestNanoseconds > 0 ? "after \(Quantity.duration(nanoseconds: longestNanoseconds)) of waiting other" : "other"
    return "no further run was made: \(wait) processes still used \(use.text); end them, use a less busy machine"
      + "\(sharedDisk ? ", or another disk with --data-dir" : ""), or wait longer with --wait-for-quiet 10m"
  }

  /// Returns the use by others at the end of the wait; nil if there was little, or if the wait was interrupted.
  /// - Parameter countsDisk: Whether the use of the disk matters.
  private func useAtEnd(countsDisk: Bool) -> OthersUse? {
    var waited: UInt64 = 0
    while true {
      var use = measure()
      if !countsDisk { use.disk = nil }
      waited += Self.windowNanoseconds
      guard use.isTooMuch, !interruption.isRaised else { return nil }
      guard waited < longestNanoseconds else { return use }
      onProgress(.waitingForQuiet(others: use, nanoseconds: waited, of: longestNanoseconds))
    }
  }
}
