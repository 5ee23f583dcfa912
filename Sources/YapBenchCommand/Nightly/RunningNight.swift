internal import BenchModel
internal import BenchReports
internal import ThreadingPrimitives

/// A running night: its summary, its clock, and the execution of its steps.
final class RunningNight {
  private static let usedUp = "the budget was used up before its end"

  let folder: NightFolder
  let clock: NightClock
  private(set) var summary: NightSummary
  private let process: StepProcess
  private let context: CommandContext
  /// The time after which the seconds of a running step are written again, so they count if the night is killed.
  private let noteSeconds: Double

  init(
    _ summary: NightSummary,
    _ folder: NightFolder,
    _ process: StepProcess,
    _ context: CommandContext,
    noteSeconds: Double = 60
  ) throws {
    self.summary = summary
    self.folder = folder
    self.process = process
    self.context = context
    self.noteSeconds = noteSeconds
    clock = NightClock(summary)
    try folder.write(summary)
  }

  var wasInterrupted: Bool { context.interruption.isRaised }

  /// Whether the budget is used up, except for the time of the reports.
  private var isUsedUp: Bool { clock.usedSeconds >= clock.budgetSeconds * NightClock.endShare(of: .bisection) }

  /// The step of a part that this night has begun already.
  func begun(_ part: NightSummary.Part, _ scenario: String? = nil) -> NightSummary.Step? {
    summary.steps.first { $0.part == part && (scenario == nil || $0.scenario == scenario) }
  }

  func knows(_ part: NightSummary.Part, _ scenario: String) -> Bool { begun(part, scenario) != nil }

  func skip(_ part: NightSummary.Part, _ scenario: String = "", because reason: String) throws {
    guard !knows(part, scenario), !wasInterrupted else { return }
    let step = NightSummary.Step(part: part, scenario: scenario, skippedBecause: reason)
    context.errors.line(InertText.line("\(step.name): skipped, \(reason)"))
    summary.steps.append(step)
    try folder.write(summary)
  }

  /// Runs or resumes a step, unless it is over.
  /// - Parameter arguments: of the step, if it has not begun.
  func make(_ part: NightSummary.Part, _ scenario: String = "", _ arguments: () -> [String]) throws {
    var step = begun(part, scenario) ?? NightSummary.Step(part: part, scenario: scenario, arguments: arguments())
    guard !step.isOver, !wasInterrupted else { return }
    guard !isUsedUp else {
      guard begun(part, scenario) != nil else { return try skip(part, scenario, because: "the budget was used up") }
      return try finish(&step, Self.usedUp, .incomparable)
    }
    try note(step)
    let command = ([Program.name] + step.arguments).map(ShellWord.quoted).joined(separator: " ")
    context.errors.line(InertText.line("==> \(command)"))
    let (output, errors) = (HeldOutput(), HeldOutput(passingOnTo: context.errors))
    let (start, before) = (MonotonicClock.now, step.seconds)
    var wasEnded = false
    let code = try process.run(step.arguments, output: output, errors: errors) {
      let seconds = before + Double(MonotonicClock.now - start) / 1e9
      if seconds >= step.seconds + noteSeconds {
        step.seconds = seconds
        // The end of the step is written with an error.
        try? note(step)
      }
      wasEnded = isUsedUp
      return wasEnded || wasInterrupted
    }
    step.seconds = before + Double(MonotonicClock.now - start) / 1e9
    // An interrupted step stays unfinished, so the next start resumes it.
    if wasInterrupted { return try note(step) }
    if wasEnded, code == ExitStatus.interrupted.rawValue { return try finish(&step, Self.usedUp, .incomparable) }
    if code > 128, code != ExitStatus.interrupted.rawValue {
      return try finish(&step, "the program crashed with signal \(code - 128)", .internalError)
    }
    // Such as a budget that is too small for the comparison.
    let status = code == ExitStatus.usage.rawValue ? .incomparable : ExitStatus(rawValue: code) ?? .internalError
    try finish(&step, output.firstLine ?? errors.lastError ?? "no result", status)
  }

  private func finish(_ step: inout NightSummary.Step, _ headline: String, _ status: ExitStatus) throws {
    step.isOver = true
    step.headline = headline
    step.exitCode = status.rawValue
    context.output.line(InertText.line("\(step.name): \(headline)"))
    try note(step)
  }

  func complete() throws {
    summary.isComplete = true
    try folder.write(summary)
  }

  private func note(_ step: NightSummary.Step) throws {
    if let index = summary.steps.firstIndex(where: { $0.part == step.part && $0.scenario == step.scenario }) {
      summary.steps[index] = step
    } else {
      summary.steps.append(step)
    }
    try folder.write(summary)
  }
}
