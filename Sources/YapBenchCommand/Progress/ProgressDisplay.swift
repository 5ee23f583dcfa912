internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import Foundation
internal import Synchronization
internal import ThreadingPrimitives

/// Shows progress on standard error. On a terminal, the current state is one line that is overwritten. Elsewhere, or as
/// JSON, each message is a line of its own.
///
/// It is called on the thread of the run and on the thread that handles signals.
final class ProgressDisplay: Sendable {
  private struct State: Sendable {
    var text: ProgressText
    /// Whether the screen shows a transient line, with the cursor behind it.
    var isLineOpen = false
  }

  private let output: any TextOutput
  private let terminal: Terminal?
  private let isJSON: Bool
  private let state: Mutex<State>

  /// - Parameter isJSON: Whether progress and messages are written as JSON, one object per line, also on a terminal.
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

  /// Shows a message that stays on the screen.
  func showMessage(_ text: String) {
    if isJSON { return output.line(ProgressJSON.line(message: text)) }
    state.withLock { write(.permanent(text), &$0) }
  }

  /// Shows text that changes often, such as the current run of a comparison. Never written as JSON.
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
      output.write(erase + colored(InertText.line(line.wordings.first ?? ""), tone: line.tone, on: terminal) + "\n")
      state.isLineOpen = false
    } else if output.isReady {
      // A terminal that Ctrl-S has stopped must not stop the run. The last column stays free, because some terminals
      // start a new line after it.
      let text = InertText.line(line.text(fitting: terminal.columns() - 1))
      output.write(erase + colored(text, tone: line.tone, on: terminal))
      state.isLineOpen = true
    }
  }

  private func colored(_ text: String, tone: ProgressLine.Tone, on terminal: Terminal) -> String {
    guard terminal.hasColor else { return text }
    switch tone {
    case .plain: return text
    case .ended: return "\u{1b}[32m\(text)\u{1b}[0m"
    case .delayed: return "\u{1b}[33m\(text)\u{1b}[0m"
    }
  }
}

/// A run's progress as JSON: one object per line, each with an `event`. Times are in seconds, sizes in bytes.
enum ProgressJSON {
  static func line(_ progress: RunProgress) -> String {
    switch progress {
    case .runBegan(let run):
      line("runBegan", ["run": run.number, "runs": run.runCount, "variant": run.label, "repetition": run.repetition])
    case .loading(let collection, let rows, let total):
      line("loading", ["collection": collection, "rows": rows, "ofRows": total])
    case .settling(let bytes): line("settling", ["walBacklogBytes": bytes])
    case .phaseBegan(let name, let number, let count, let planned):
      line("phaseBegan", ["phase": name, "number": number, "phases": count, "plannedSeconds": seconds(planned)])
    case .sampled(let moment): line("sampled", values(of: moment))
    case .waiting(let phase, let actors, let nanoseconds):
      line("waiting", ["phase": phase, "actors": actors, "seconds": seconds(nanoseconds)])
    case .phaseEnded(let name, let end, let nanoseconds):
      line("phaseEnded", ["phase": name, "end": end.rawValue, "seconds": seconds(nanoseconds)])
    case .finishing(let what): line("finishing", ["text": what])
    }
  }

  static func line(message text: String) -> String { line("message", ["text": text]) }

  private static func values(of moment: RunMoment) -> [String: Any?] {
    [
      "phase": moment.phase, "seconds": seconds(moment.elapsedNanoseconds),
      "plannedSeconds": seconds(moment.plannedNanoseconds),
      "transactionsPerSecond": moment.transactionsPerSecond, "p99Seconds": seconds(moment.p99Nanoseconds),
      "p99Actor": moment.p99Actor, "walBytes": moment.walBytes, "walBacklogBytes": moment.walBacklogBytes,
      "pinnedBy": moment.pinnedBy, "pinnedSeconds": seconds(moment.pinnedNanoseconds),
      "pinnedBytes": moment.pinnedBytes,
    ]
  }

  private static func seconds(_ nanoseconds: UInt64?) -> Double? { nanoseconds.map { Double($0) / 1e9 } }

  /// Encodes an event. Values that are nil are omitted.
  private static func line(_ event: String, _ values: [String: Any?]) -> String {
    var object = values.compactMapValues { $0 }
    object["event"] = event
    // Encoding fails only for values other than those above.
    let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
