internal import BenchDrivers

/// One execution of a longer program, whose threads run freely and pause at random at the named points. It cannot be
/// repeated exactly.
struct JitterRun: Sendable {
  private static let commits = 150

  /// Determines the pauses and the contents of transactions.
  let seed: UInt64

  /// Executes the program.
  /// - Parameter path: The path of the database, which must not exist.
  func perform(at path: String) -> CaseOutcome {
    var tests = EngineTestSettings()
    tests.pauseSeed = seed
    let points = ReachedPoints()
    let program = ScheduleProgram.jitter(commits: Self.commits)
    let options = program.options(with: points.hooks(tests))
    var outcome = ScheduleWorld.run(program, at: path, seed: seed, options: options).outcome
    outcome.add(points.outcome)
    outcome.count("executions with pauses")
    return outcome
  }
}
