internal import BenchReports
internal import BenchRunner
internal import Synchronization
internal import ThreadingPrimitives

/// Shows progress on standard error: lines over each other on a terminal and below each other elsewhere, or JSON.
///
/// It is told from the thread of the run and from that of the signals.
final class ProgressDisplay: Sendable {
  private struct State: Sendable {
    var text: ProgressText
    /// A passing line stands on the screen, the cursor behind it.
    var isLineOpen = false
  }

  private let output: any TextOutput
  private let terminal: Terminal?
  private let isJSON: Bool
  private let state: Mutex<State>

  /// - Parameter isJSON: whether programs read it: everything that is told, an object a line, on whatever it is shown.
  init(output: any TextOutput, terminal: Terminal?, isJSON: Bool = false) {
    self.output = output
    self.terminal = terminal
    self.isJSON = isJSON
    state = Mutex(State(text: ProgressText(medium: terminal == nil ? .plain : .terminal)))
  }

  func show(_ progress: RunProgress, at now: UInt64 = MonotonicClock.now) {
    if isJSON { return output.line(ProgressJSON.line(progress)) }
    state.withLock { state in
      for line in state.text.lines(for: progress, at: now) { write(line, &state) }
    }
  }

  /// Says something that stays.
  func say(_ text: String) {
    if isJSON { return output.line(ProgressJSON.line(saying: text)) }
    state.withLock { write(.staying(text), &$0) }
  }

  /// Says something that changes often, such as the run that a comparison makes.
  func pass(_ text: String, at now: UInt64 = MonotonicClock.now) {
    state.withLock { state in
      if let line = state.text.line(passing: text, at: now) { write(line, &state) }
    }
  }

  /// Takes the passing line away.
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
    if line.stays {
      output.write(erase + colored(InertText.line(line.wordings.first ?? ""), line.tone, terminal) + "\n")
      state.isLineOpen = false
    } else if output.isReady {
      // A terminal that somebody has stopped with Ctrl-S must not stop the run. The last column stays free, because
      // some terminals go on to the next line after it.
      let text = InertText.line(line.text(fitting: terminal.columns() - 1))
      output.write(erase + colored(text, line.tone, terminal))
      state.isLineOpen = true
    }
  }

  private func colored(_ text: String, _ tone: ProgressLine.Tone, _ terminal: Terminal) -> String {
    guard terminal.hasColor else { return text }
    switch tone {
    case .plain: return text
    case .ended: return "\u{1b}[32m\(text)\u{1b}[0m"
    case .heldUp: return "\u{1b}[33m\(text)\u{1b}[0m"
    }
  }
}
