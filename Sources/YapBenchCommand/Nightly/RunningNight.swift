internal import BenchComparison
internal import BenchModel
internal import BenchReports
internal import Glibc
internal import ThreadingPrimitives

/// A running night: its summary, its clock, and the execution of its steps.
final class RunningNight {
  /// The time between two looks at the clock and the interruption.
  private static let lookNanoseconds: UInt64 = 50_000_000
  private static let usedUp = "the budget was used up before its end"

  let folder: NightFolder
  let clock: NightClock
  private(set) var summary: NightSummary
  private let context: CommandContext
  /// Raised at the end of the budget, and by signals. Both end the step that runs.
  private let end = StopFlag()

  init(_ summary: NightSummary, _ folder: NightFolder, _ context: CommandContext) throws {
    self.summary = summary
    self.folder = folder
    self.context = context
    clock = NightClock(summary)
    try folder.write(summary)
  }

  var wasInterrupted: Bool { context.interruption.isRaised }

  /// Ends the step that runs when the budget is used up, or a signal arrives.
  func watchTime() throws {
    let (end, interruption) = (end, context.interruption)
    let deadline = clock.budgetSeconds * NightClock.endShare(of: .bisection)
    let clock = clock
    guard clock.usedSeconds < deadline else { return end.raise() }
    try WorkerThread(name: "night's end") {
      let parker = Parker()
      while clock.usedSeconds < deadline, !interruption.isRaised {
        parker.park(deadline: MonotonicClock.now + Self.lookNanoseconds)
      }
      end.raise()
      RunningChild.send(SIGINT)
    }.detach()
  }

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
    guard !end.isRaised else {
      guard begun(part, scenario) != nil else { return try skip(part, scenario, because: "the budget was used up") }
      return try finish(&step, Self.usedUp, .incomparable)
    }
    try note(step)
    let command = ([Program.name] + step.arguments).map(ShellWord.quoted).joined(separator: " ")
    context.errors.line(InertText.line("==> \(command)"))
    let start = MonotonicClock.now
    let (output, errors) = (HeldOutput(), HeldOutput(passingOnTo: context.errors))
    var stepContext = context
    stepContext.output = output
    stepContext.errors = errors
    stepContext.interruption = end
    stepContext.watchesSignals = false
    let code = Program.run(step.arguments, in: stepContext)
    step.seconds += Double(MonotonicClock.now - start) / 1e9
    // An interrupted step stays unfinished, so the next start resumes it.
    if wasInterrupted { return try note(step) }
    if end.isRaised, code == ExitStatus.interrupted.rawValue { return try finish(&step, Self.usedUp, .incomparable) }
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
