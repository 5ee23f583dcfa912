internal import BenchComparison
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import ThreadingPrimitives

/// The parts of a comparison that `compare` and `bisect` share.
struct PairedRuns {
  static let pairRange = EffectEstimate.fewestPairs...500

  let context: CommandContext
  let display: ProgressDisplay
  /// The advice after an interruption.
  let resumption: String

  /// - Throws: `Failure` if no verdict is possible with this number of pairs, or if it is too large.
  static func check(pairs: Int) throws {
    guard pairRange.contains(pairs) else {
      throw Failure(
        "--pairs is \(pairs); expected \(pairRange.lowerBound) to \(pairRange.upperBound), because "
          + "a verdict needs at least \(pairRange.lowerBound)",
        .usage
      )
    }
  }

  /// Calls `body`; while it runs, signals end the current run. Must be called before another thread is started, which
  /// would otherwise receive the signals.
  ///
  /// - Parameter body: Returns the exit code; nil if it was interrupted.
  func perform(_ body: () throws -> Int32?) throws -> Int32 {
    defer { display.clear() }
    try context.interruptRunsOnSignals(display)
    do {
      if let code = try body() { return code }
    } catch {
      // The error may come from a child process that was interrupted, which is no failure.
      guard context.interruption.isRaised else { throw error }
    }
    display.showMessage("interrupted; \(resumption)")
    return ExitStatus.interrupted.rawValue
  }
}

extension ScenarioFiles.Entry {
  func compared(countsInstructions: Bool = false) -> ComparedScenario {
    ComparedScenario(
      name: loaded.scenario.name,
      path: path,
      digest: loaded.digest,
      isRepeated: loaded.repetitions > 1,
      counted: countsInstructions ? CountedScenario(loaded) : nil
    )
  }
}
