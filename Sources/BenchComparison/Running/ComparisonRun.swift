internal import BenchRegression
package import BenchResults
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// Makes the runs of a comparison and judges them: pairs that count instructions, pairs of every scenario, and fresh
/// pairs of the scenarios that look changed.
///
/// Runs that the journal holds are not made again. An interruption ends the comparison. The pair that was running is
/// not recorded, and is made again on resuming. A comparison that ended because too few pairs were usable gets as many
/// pairs again each time that it is started.
package struct ComparisonRun {
  /// The run that begins, and its position in the comparison.
  package struct Progress: Sendable, Equatable {
    package var run: PlannedComparedRun
    /// The most pairs that the run's scenario gets in this stage.
    package var mostPairs: Int
    /// The earlier pairs of the run's scenario in this stage in which a time counts; nil for counts of instructions.
    package var usablePairs: Int?
    /// The time until the stage is complete, in seconds; nil while the duration of a scenario's pairs is unknown.
    package var secondsLeft: Double?
  }

  private let journal: ComparisonJournal
  private let runSlice: @Sendable (PlannedComparedRun) throws -> ComparedRun
  private let isInterrupted: () -> Bool

  /// - Parameters:
  ///   - runSlice: makes one run, such as `SliceProcess.run`. The two runs of a pair that counts instructions are made
  ///     at the same time, because neither can change the counts of the other.
  ///   - isInterrupted: called before each run and after each pair.
  package init(
    _ journal: ComparisonJournal,
    isInterrupted: @escaping () -> Bool,
    runSlice: @escaping @Sendable (PlannedComparedRun) throws -> ComparedRun
  ) {
    self.journal = journal
    self.isInterrupted = isInterrupted
    self.runSlice = runSlice
  }

  /// Makes all runs that the journal does not hold.
  /// - Returns: nil if it was interrupted.
  /// - Throws: `ComparisonError` if the budget is too small, if the journal's runs do not match its design, or if the
  ///   journal cannot be written; the errors of `runSlice`.
  package func perform(onProgress: (Progress) -> Void) throws -> ComparisonOutcome? {
    let judge = ComparisonJudge(journal.setting)
    var schedule = ComparisonSchedule(journal.setting.design, suspects: judge.suspects)
    var known = journal.runs[...]
    var mayExtend = !known.isEmpty
    while true {
      guard let step = try next(&schedule) else {
        // Further runs in the journal are those of an earlier extension.
        guard schedule.isHopeless, mayExtend else { break }
        mayExtend = !known.isEmpty
        schedule.extend()
        continue
      }
      if known.isEmpty {
        mayExtend = false
        guard let pair = try make(step, onProgress) else { return nil }
        try journal.append(pair)
        schedule.add(pair)
      } else {
        let pair = Array(known.prefix(2))
        guard pair.map(\.plan) == step.pair else { throw journal.designMismatchError }
        known = known.dropFirst(2)
        schedule.add(pair)
      }
    }
    guard known.isEmpty else { throw journal.designMismatchError }
    return judge.result(of: journal.runs)
  }

  private func next(_ schedule: inout ComparisonSchedule) throws -> ComparisonSchedule.Step? {
    do { return try schedule.next() } catch {
      let minutes = (error.neededSeconds / 60).rounded(.up)
      throw ComparisonError(
        .usage,
        "the budget is too small: \(EffectEstimate.fewestPairs) pairs of each scenario, the fewest that allow a "
          + "verdict, and the fresh pairs that confirm changes need about \(Int(saturating: minutes)) minutes in all; "
          + "raise it, or choose fewer scenarios with --scenario"
      )
    }
  }

  /// - Returns: nil if it was interrupted.
  private func make(_ step: ComparisonSchedule.Step, _ onProgress: (Progress) -> Void) throws -> [ComparedRun]? {
    var pair: [ComparedRun] = []
    let counts = step.pair.allSatisfy { $0.stage == 0 }
    for run in step.pair {
      if isInterrupted() { return nil }
      onProgress(
        Progress(
          run: run,
          mostPairs: step.mostPairs,
          usablePairs: step.usablePairs,
          secondsLeft: step.secondsLeft
        )
      )
      if counts {
        pair = try runAtOnce(step.pair)
        break
      }
      pair.append(try runSlice(run))
    }
    // If the last run was interrupted, it was cut short, so the pair does not count.
    return isInterrupted() ? nil : pair
  }

  private func runAtOnce(_ planned: [PlannedComparedRun]) throws -> [ComparedRun] {
    let results = Guarded<[Arm: Result<ComparedRun, any Error>]>([:])
    let threads = try planned.map { run in
      try WorkerThread(name: run.arm.rawValue) { [runSlice] in
        let result = Result { try runSlice(run) }
        results.withLock { $0[run.arm] = result }
      }
    }
    for thread in threads { thread.join() }
    return try planned.compactMap { run in try results.withLock { $0[run.arm] }?.get() }
  }
}

/// An error that prevents a comparison, a bisection, a calibration or a night from starting or continuing.
package struct ComparisonError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// The arms or the options do not fit together, or the budget is too small.
    case usage
    /// A file, program or revision that is needed is missing, or cannot be read.
    case missing
    /// A scenario or one of its settings is invalid.
    case invalid
    /// A folder or file that is to be written, such as a journal or the history, cannot be used.
    case output
    /// A program that had to succeed has failed, or the arms are not comparable.
    case failure
    /// A program was ended by a signal.
    case crash
  }

  package let kind: Kind
  /// The problem and its remedy.
  package let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
