internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import Foundation
internal import Synchronization

/// The standard error of a command with `--json-progress`: events as JSON, one object per line, each with `event` and
/// `time`. The first is `started`, with the version of the schema, and the last is `ended`, with the exit code.
/// Text that the command writes becomes events too, so that no line is anything else.
final class EventStream: TextOutput {
  /// Increased when a field is removed or its meaning changes, but not when one is added.
  static let schemaVersion = 1
  static let option = "--json-progress"

  private let output: any TextOutput
  private let state = Mutex((hasEnded: false, reports: [String]()))

  /// Writes the event `started`.
  init(to output: any TextOutput) {
    self.output = output
    add("started", ["schemaVersion": Self.schemaVersion, "program": Program.name, "version": Program.version])
  }

  /// Returns whether the arguments ask for events. They are searched before they are parsed, because the message about
  /// a wrong argument is an event too.
  static func isWanted(by arguments: [String]) -> Bool { arguments.prefix { $0 != "--" }.contains(option) }

  /// Writes an event. Values that are nil are omitted. After `ended` nothing is written.
  func add(_ event: String, _ values: [String: Any?]) {
    // Encoded under the lock, so that the times of the lines are in order.
    state.withLock { state in
      guard !state.hasEnded else { return }
      write(event, values)
    }
  }

  func scenarioEnded(_ outcome: ScenarioOutcome) {
    if let report = outcome.report { add(report: report) }
    add(
      "scenarioEnded",
      [
        "scenario": outcome.scenario, "exit": Int(outcome.exitCode.rawValue), "verdict": outcome.exitCode.word,
        "reason": outcome.reason, "report": outcome.report,
      ]
    )
  }

  /// Adds the path of a written report to the event `ended`.
  func add(report path: String) { state.withLock { $0.reports.append(path) } }

  /// Writes the event `ended`, unless it is written already.
  func end(exit code: Int32) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      write("ended", ["exit": Int(code), "verdict": ExitStatus(rawValue: code)?.word, "reports": state.reports])
      state.hasEnded = true
    }
  }

  private func write(_ event: String, _ values: [String: Any?]) {
    var object = values.compactMapValues { $0 }
    object["event"] = event
    object["time"] = Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(Date())
    // Encoding fails only for values other than numbers, texts, and arrays of these.
    let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    output.line(String(decoding: data ?? Data(), as: UTF8.self))
  }

  // MARK: Text

  func write(_ text: String) {
    for line in text.split(separator: "\n") { add("message", ["text": String(line)]) }
  }

  func error(_ message: String) { add("error", ["text": message]) }

  func show(_ problem: Diagnostic) {
    add(
      problem.severity.rawValue,
      ["text": problem.message, "file": problem.file, "line": problem.line, "column": problem.column]
    )
  }

  var isReady: Bool { output.isReady }
  var failure: String? { output.failure }
}

/// A run's progress as events. Times are in seconds, sizes in bytes.
extension EventStream {
  func show(_ progress: RunProgress, secondsLeft: Double?) {
    switch progress {
    case .runBegan(let run):
      add("runBegan", ["run": run.number, "runs": run.runCount, "variant": run.label, "repetition": run.repetition])
    case .loading(let collection, let rows, let total):
      add("loading", ["collection": collection, "rows": rows, "ofRows": total])
    case .settling(let bytes): add("settling", ["walBacklogBytes": bytes])
    case .phaseBegan(let name, let number, let count, let planned):
      add("phaseBegan", ["phase": name, "number": number, "phases": count, "plannedSeconds": seconds(planned)])
    case .sampled(let moment):
      add("sampled", values(of: moment).merging(["secondsLeft": secondsLeft]) { first, _ in first })
    case .waiting(let phase, let actors, let nanoseconds):
      add("waiting", ["phase": phase, "actors": actors, "seconds": seconds(nanoseconds)])
    case .phaseEnded(let name, let end, let nanoseconds, let key, let rates):
      let perSecond = Dictionary(rates.map { ($0.actor, $0.perSecond) }) { first, _ in first }
      add(
        "phaseEnded",
        [
          "phase": name, "end": end.rawValue, "seconds": seconds(nanoseconds), "endedBy": key,
          "endRatesPerSecond": perSecond.isEmpty ? nil : perSecond,
        ]
      )
    case .waitingForQuiet(let others, let nanoseconds, let longest):
      add(
        "waitingForQuiet",
        [
          "othersShare": others.processorShare, "othersDiskBytesPerSecond": others.disk?.bytes,
          "othersDiskSyncsPerSecond": others.disk?.syncs,
          "seconds": seconds(nanoseconds), "ofSeconds": seconds(longest),
        ]
      )
    case .finishing(let what): add("finishing", ["text": what])
    }
  }

  private func values(of moment: RunMoment) -> [String: Any?] {
    let actors = moment.actors.map { actor in
      let values: [String: Any?] = [
        "actor": actor.name, "transactionsPerSecond": actor.transactionsPerSecond,
        "p99Seconds": seconds(actor.p99Nanoseconds), "pendingArrivals": actor.pendingArrivals,
        "droppedArrivals": actor.droppedArrivals,
      ]
      return values.compactMapValues { $0 }
    }
    return [
      "phase": moment.phase, "seconds": seconds(moment.elapsedNanoseconds),
      "plannedSeconds": seconds(moment.plannedNanoseconds),
      "transactionsPerSecond": moment.transactionsPerSecond, "actors": actors,
      "brokenExpectations": moment.brokenExpectations,
      "walBytes": moment.walBytes, "walBacklogBytes": moment.walBacklogBytes,
      "pinnedBy": moment.pinnedBy, "pinnedSeconds": seconds(moment.pinnedNanoseconds),
      "pinnedBytes": moment.pinnedBytes,
    ]
  }

  private func seconds(_ nanoseconds: UInt64?) -> Double? { nanoseconds.map { Double($0) / 1e9 } }
}
