internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import Synchronization
internal import ThreadingPrimitives

/// Shows progress on standard error. On a terminal, the current state is one line that is overwritten. Elsewhere, each
/// message is a line of its own, and in a stream of events an event.
///
/// It is called on the thread of the run and on the thread that handles signals.
final class ProgressDisplay: Sendable {
  private struct State: Sendable {
    var text: ProgressText
    var forecast: RunForecast
    /// Whether the screen shows a transient line, with the cursor behind it.
    var isLineOpen = false
    var isReporting = false
  }

  private let output: any TextOutput
  private let terminal: Terminal?
  /// The stream of events that `output` is; nil if it is text.
  private let events: EventStream?
  private let state: Mutex<State>

  /// - Parameter scenarios: The scenarios that will run, whose end is estimated.
  init(output: any TextOutput, terminal: Terminal?, scenarios: [LoadedScenario] = []) {
    self.output = output
    self.terminal = terminal
    events = output as? EventStream
    let text = ProgressText(medium: terminal == nil ? .plain : .terminal)
    state = Mutex(State(text: text, forecast: RunForecast(scenarios)))
  }

  /// Announces a scenario.
  ///
  /// - Parameters:
  ///   - number: The scenario's number in the command, counted from 1.
  ///   - runs: The number of runs that are planned.
  ///   - headline: The announcement as text.
  func beginScenario(
    _ loaded: LoadedScenario,
    number: Int,
    runs: Int,
    headline: String,
    at now: UInt64 = MonotonicClock.now
  ) {
    state.withLock { $0.forecast.beginScenario(number - 1, at: now) }
    guard let events else { return showMessage(headline) }
    let seed = loaded.scenario.seed
    let values: [String: Any?] = [
      "scenario": loaded.scenario.name, "number": number, "runs": runs, "seed": seed, "text": headline,
    ]
    events.add("scenarioBegan", values)
  }

  /// Whether a scenario has been measured and its report is being written.
  var isReporting: Bool {
    get { state.withLock { $0.isReporting } }
    set { state.withLock { $0.isReporting = newValue } }
  }

  func endScenario(at now: UInt64 = MonotonicClock.now) { state.withLock { $0.forecast.endScenario(at: now) } }

  func show(_ progress: RunProgress, at now: UInt64 = MonotonicClock.now) {
    state.withLock { state in
      if case .runBegan(let run) = progress { state.forecast.begin(run, at: now) }
      let secondsLeft = state.forecast.secondsLeft(at: now)
      if let events { return events.show(progress, secondsLeft: secondsLeft) }
      for line in state.text.lines(for: progress, at: now, secondsLeft: secondsLeft) { write(line, &state) }
    }
  }

  /// Shows a message that stays on the screen.
  func showMessage(_ text: String) {
    if let events { return events.add("message", ["text": text]) }
    state.withLock { write(.permanent(text), &$0) }
  }

  /// Shows text that changes often, such as the current run of a comparison. Not for a stream of events.
  func showStatus(_ text: String, at now: UInt64 = MonotonicClock.now) {
    state.withLock { state in
      if let line = state.text.statusLine(text, at: now) { write(line, &state) }
    }
  }

  /// Erases the transient line.
  func clear() {
    state.withLock { state in
      if state.isLineOpen { output.write(Self.eraseLine) }
      state.isLineOpen = false
    }
  }

  private static let eraseLine = "\r\u{1b}[2K"

  private func write(_ line: ProgressLine, _ state: inout State) {
    guard let terminal else {
      output.line(InertText.line(line.wordings.first ?? ""))
      return
    }
    let erase = state.isLineOpen ? Self.eraseLine : ""
    if line.isPermanent {
      output.write(erase + terminal.colored(InertText.line(line.wordings.first ?? ""), line.color) + "\n")
      state.isLineOpen = false
    } else if output.isReady {
      // A terminal that Ctrl-S has stopped must not stop the run. The last column stays free, because some terminals
      // start a new line after it.
      let text = InertText.line(line.text(fitting: terminal.columns() - 1))
      output.write(erase + terminal.colored(text, line.color))
      state.isLineOpen = true
    }
  }
}
