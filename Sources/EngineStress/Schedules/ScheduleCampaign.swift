internal import BenchDrivers
package import BenchResults
internal import Foundation
internal import YapEngine

/// Executes small random programs of two to four threads under chosen schedules. Each case executes its program twice
/// and compares the two executions, which must be the same.
///
/// Some cases are executions of a longer program whose threads run freely, and pause at random.
package struct ScheduleCampaign: StressCampaign {
  /// The number of steps that a schedule can order, beside those that the priorities order.
  private static let depth = 3
  /// One of this many cases is an execution with pauses.
  private static let pauseInterval = 25

  private let rule: ScheduleRule
  private let pausesOnly: Bool

  /// - Parameters:
  ///   - rule: The choice of the thread that runs next.
  ///   - pausesOnly: Whether all cases are executions with pauses.
  /// - Throws: `MissingTestPoints`.
  package init(rule: ScheduleRule = .pct, pausesOnly: Bool = false) throws {
    try MissingTestPoints.check(for: "schedules")
    self.rule = rule
    self.pausesOnly = pausesOnly
  }

  package let kind = StressKind.schedules
  package let synchronous = "off"

  package var arguments: [String] {
    (rule == .pct ? [] : ["--rule", rule.rawValue]) + (pausesOnly ? ["--jitter"] : [])
  }

  package var countNames: [String] {
    [
      "schedules", "replayed identically", "steps", "choices", "preemptions", "jumps of the time", "operations",
      "commits",
      "rolled back", "snapshots checked", "jumps", "change sets checked", "notifications", "checkpoints",
      "checkpoints beside commits", "executions with pauses", "resets of the WAL", "deadlocks resolved",
      "waits for SQLite's locks",
    ] + TestPoint.allCases.map(ReachedPoints.count)
  }

  package var requirements: [StressRequirement] {
    if pausesOnly { return [StressRequirement("executions with pauses", else: "no program was executed")] }
    return [
      StressRequirement("replayed identically", else: "no schedule was replayed"),
      StressRequirement("preemptions", else: "no thread was preempted"),
      StressRequirement("commits", else: "nothing was committed"),
      StressRequirement("snapshots checked", else: "no snapshot was read"),
      StressRequirement("change sets checked", else: "no change set was compared"),
      StressRequirement("notifications", else: "no notification was posted"),
    ]
      + TestPoint.allCases.map {
        StressRequirement(ReachedPoints.count(of: $0), else: "no thread has passed the point \($0.rawValue)")
      }
  }

  package let untested = [
    "In schedules, threads run one at a time, so races of the memory are not found; the thread sanitizer finds those.",
    "In schedules, threads are interrupted only at named points, at waits and wakes, and between operations.",
    "Notifications are posted by a thread of the schedule, so the pauses of the database's own queue are not tested; "
      + "nor are completions of asynchronous calls, and tasks.",
    "No view is registered.",
  ]

  package func run(_ testCase: StressCase) throws -> CaseOutcome {
    var random = testCase.random("program")
    if pausesOnly || testCase.number % Self.pauseInterval == Self.pauseInterval - 1 {
      return Self.executeWithPauses(seed: random.next(), at: testCase.folder + "/jitter.sqlite")
    }
    let program = ScheduleProgram(&random)
    let run = ScheduleRun(program: program, rule: rule, depth: Self.depth, seed: random.next())
    let (first, trace) = try run.perform(at: testCase.folder + "/first.sqlite")
    var outcome = first.outcome
    outcome.count("schedules")
    outcome.count("steps", first.schedule.steps)
    outcome.count("choices", first.schedule.choices)
    outcome.count("preemptions", first.schedule.preemptions)
    outcome.count("jumps of the time", first.schedule.timeJumps)
    // The threads of a schedule that has failed stay blocked, so it is not repeated.
    if first.schedule.failure == nil {
      let (second, other) = try run.perform(at: testCase.folder + "/second.sqlite")
      if second == first {
        outcome.count("replayed identically")
      } else {
        outcome.failures.append("two executions differ: \(Self.difference(trace, other))")
        try other.write(toFile: testCase.folder + "/second-trace.txt", atomically: false, encoding: .utf8)
      }
    }
    if !outcome.failures.isEmpty {
      try trace.write(toFile: testCase.folder + "/trace.txt", atomically: false, encoding: .utf8)
    }
    return outcome
  }

  /// Executes a longer program whose threads run freely, and pause at random at the named points. The execution cannot
  /// be repeated exactly.
  /// - Parameter seed: Determines the pauses and the contents of transactions.
  private static func executeWithPauses(seed: UInt64, at path: String) -> CaseOutcome {
    var tests = EngineTestSettings()
    tests.pauseSeed = seed
    let points = ReachedPoints()
    let program = ScheduleProgram.jitter()
    let options = program.options(with: points.hooks(tests))
    var outcome = ScheduleWorld.run(program, at: path, seed: seed, options: options).outcome
    outcome.add(points.outcome)
    outcome.count("executions with pauses")
    return outcome
  }

  /// Describes the first different step of two executions.
  private static func difference(_ first: String, _ second: String) -> String {
    let (first, second) = (first.split(separator: "\n"), second.split(separator: "\n"))
    let same = zip(first, second).prefix { $0 == $1 }.count
    func step(_ steps: [Substring]) -> Substring { same < steps.count ? steps[same] : "the end" }
    return "after \(same) steps, \"\(step(first))\" and \"\(step(second))\""
  }
}

/// The error of a build without the package trait `TestPoints`.
package struct MissingTestPoints: Error, CustomStringConvertible {
  package let description: String

  /// - Parameter need: The behaviour that needs named points, as a plural noun.
  /// - Throws: `MissingTestPoints` if this build has no named points.
  package static func check(for need: String) throws {
    guard !TestHooks.areBuiltIn else { return }
    throw MissingTestPoints(
      description: "\(need) need a build with named points, which this one does not have. Build one with: "
        + "swift build --product yapbench --traits Jemalloc,TestPoints"
    )
  }
}
