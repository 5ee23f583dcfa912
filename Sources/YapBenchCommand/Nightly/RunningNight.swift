internal import BenchReports
internal import BenchResults
internal import ThreadingPrimitives

/// A running night: its summary, its clock, and the execution of its steps.
final class RunningNight {
  private static let usedUp = "the budget was used up before it ended"

  let folder: NightFolder
  let clock: NightClock
  private(set) var summary: NightSummary
  private let process: StepProcess
  private let context: CommandContext
  /// The interval at which the seconds of a running step are written, so they count if the night is killed.
  private let recordSeconds: Double

  init(
    _ summary: NightSummary,
    folder: NightFolder,
    process: StepProcess,
    context: CommandContext,
    recordSeconds: Double = 60
  ) throws {
    self.summary = summary
    self.folder = folder
    self.process = process
    self.context = context
    self.recordSeconds = recordSeconds
    clock = NightClock(summary)
    try folder.write(summary)
  }

  var wasInterrupted: Bool { context.interruption.isRaised }

  /// Whether the budget is used up, except for the time of the reports.
  private var isUsedUp: Bool { clock.usedSeconds >= clock.budgetSeconds * NightClock.endShare(of: .bisection) }

  /// Returns the step of a part, also one that was skipped; nil if the night has not reached it.
  func step(_ part: NightSummary.Part, _ scenario: String? = nil) -> NightSummary.Step? {
    summary.steps.first { $0.part == part && (scenario == nil || $0.scenario == scenario) }
  }

  func skip(_ part: NightSummary.Part, _ scenario: String = "", reason: String) throws {
    guard self.step(part, scenario) == nil, !wasInterrupted else { return }
    let step = NightSummary.Step(part: part, scenario: scenario, skippedBecause: reason)
    context.errors.line(InertText.line("\(step.name): skipped, \(reason)"))
    summary.steps.append(step)
    try folder.write(summary)
  }

  /// Runs or resumes a step, unless it is over or the night was interrupted. A step without time left is not run.
  /// - Parameter arguments: Returns the arguments of a new step.
  func run(_ part: NightSummary.Part, _ scenario: String = "", arguments: () -> [String]) throws {
    var step = self.step(part, scenario) ?? NightSummary.Step(part: part, scenario: scenario, arguments: arguments())
    guard !step.isOver, !wasInterrupted else { return }
    guard !isUsedUp else {
      guard self.step(part, scenario) != nil else { return try skip(part, scenario, reason: "the budget was used up") }
      return try finish(&step, with: Self.usedUp, .incomparable)
    }
    try record(step)
    _ = try folder.writeReport(of: summary)
    let command = ([Program.name] + step.arguments).map(ShellWord.quoted).joined(separator: " ")
    context.errors.line(InertText.line("==> \(command)"))
    let (output, errors) = (HeldOutput(), HeldOutput(passingOnTo: context.errors))
    let (start, before) = (MonotonicClock.now, step.seconds)
    var wasEnded = false
    let code = try process.run(step.arguments, output: output, errors: errors) {
      let seconds = before + Double(MonotonicClock.now - start) / 1e9
      if seconds >= step.seconds + recordSeconds {
        step.seconds = seconds
        // An error here is ignored. If it persists, writing the end of the step throws it.
        try? record(step)
      }
      wasEnded = isUsedUp
      return wasEnded || wasInterrupted
    }
    step.seconds = before + Double(MonotonicClock.now - start) / 1e9
    if part == .suite { step.page = output.report.flatMap(folder.page) }
    // An interrupted step stays unfinished, so the next start resumes it.
    if wasInterrupted { return try record(step) }
    if wasEnded, code == ExitStatus.interrupted.rawValue { return try finish(&step, with: Self.usedUp, .incomparable) }
    if code > 128, code != ExitStatus.interrupted.rawValue {
      return try finish(&step, with: "the program crashed with signal \(code - 128)", .internalError)
    }
    // A usage error, such as a budget that is too small for the comparison, makes the step incomparable.
    let status = code == ExitStatus.usage.rawValue ? .incomparable : ExitStatus(rawValue: code) ?? .internalError
    let headline = output.firstLine ?? errors.lastError ?? "no result"
    if part == .suite, let report = output.report {
      do { try folder.addToHistory(runOf: report, nightOf: summary.startedAt) } catch {
        let problem = "its figures were not added to the history: \(Failure(error).text)"
        return try finish(&step, with: "\(headline); \(problem)", .mostSevere([status, .internalError]))
      }
    }
    try finish(&step, with: headline, status)
  }

  private func finish(_ step: inout NightSummary.Step, with headline: String, _ status: ExitStatus) throws {
    step.isOver = true
    step.headline = headline
    step.exitCode = status
    context.output.line(InertText.line("\(step.name): \(headline)"))
    try record(step)
    _ = try folder.writeReport(of: summary)
  }

  /// Ends the night, and writes its report.
  func complete() throws -> NightReport {
    summary.isComplete = true
    let report = try folder.writeReport(of: summary)
    try folder.write(summary)
    return report
  }

  private func record(_ step: NightSummary.Step) throws {
    if let index = summary.steps.firstIndex(where: { $0.part == step.part && $0.scenario == step.scenario }) {
      summary.steps[index] = step
    } else {
      summary.steps.append(step)
    }
    try folder.write(summary)
  }
}

extension NightSummary {
  /// The most severe exit code of the steps that decide. If none of them ran, the night is incomplete. Before its end,
  /// a night without a failure is interrupted.
  var exitCode: ExitStatus {
    let codes = steps.filter(\.part.decides).compactMap(\.exitCode)
    let code = codes.isEmpty ? .incomparable : ExitStatus.mostSevere(codes)
    return isComplete || code != .passed && !codes.isEmpty ? code : .interrupted
  }
}

/// The time of a night. Each part ends at a fixed share of the budget, so it can use time that earlier parts have left.
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
    // A night makes either a bisection or a calibration. The rest of the budget is for the reports.
    case .bisection, .calibration: 0.98
    }
  }

  /// Returns the least budget in which the comparison with the pinned build has enough time.
  /// - Parameters:
  ///   - pinned: The time that the comparison needs, in seconds.
  ///   - suite: The time that the whole suite needs.
  static func leastBudgetSeconds(pinned: Double, suite: Double) -> Double {
    // The suite takes its share of the budget, or less.
    min(pinned / (endShare(of: .pinned) - endShare(of: .suite)), (pinned + suite) / endShare(of: .pinned))
  }

  func secondsLeft(for part: NightSummary.Part) -> Double {
    max(0, budgetSeconds * Self.endShare(of: part) - usedSeconds)
  }
}
