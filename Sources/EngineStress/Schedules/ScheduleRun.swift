internal import HarnessPrimitives
internal import ThreadingPrimitives

/// One execution of a program under a schedule.
struct ScheduleRun: Sendable {
  /// The number of steps after which a program counts as endless. Programs take a few hundred.
  private static let mostSteps = 20_000

  let program: ScheduleProgram
  let rule: ScheduleRule
  let depth: Int
  /// Determines the schedule and the contents of transactions.
  let seed: UInt64

  /// The result, which two executions have in common.
  struct Result: Sendable, Equatable {
    var schedule = TokenSchedule.Outcome()
    /// The digest of the newest entry of the ledger after the end.
    var ledger: UInt64 = 0
    var outcome = CaseOutcome()
  }

  /// Executes the program.
  /// - Parameter path: The path of the database, which must not exist.
  /// - Returns: The result, and the last steps as text.
  func perform(at path: String) throws -> (result: Result, trace: String) {
    let random = RandomStream(seed: seed, "choice")
    let choice = ThreadChoice(rule, depth: depth, steps: program.expectedChoices, random: random)
    let schedule = TokenSchedule(
      choice,
      mostSteps: Self.mostSteps,
      timeJumpRarity: program.timeJumpRarity,
      random: RandomStream(seed: seed, "time")
    )
    let points = ReachedPoints()
    let options = program.options(with: points.hooks())
    let end = Guarded<(outcome: CaseOutcome, ledger: UInt64)>((CaseOutcome(), 0))
    let scheduled = try schedule.run { [program, seed] in
      let ended = ScheduleWorld.run(program, at: path, seed: seed, options: options)
      end.withLock { $0 = ended }
    }
    var (outcome, ledger) = end.withLock { $0 }
    outcome.add(points.outcome)
    if let failure = scheduled.failure { outcome.failures.append(failure) }
    // The paths of two executions differ.
    outcome.failures = outcome.failures.map { $0.replacing(path, with: "the database") }
    return (Result(schedule: scheduled, ledger: ledger, outcome: outcome), schedule.trace)
  }
}
