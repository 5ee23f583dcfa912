internal import BenchModel
internal import BenchRunner
internal import Foundation

/// A run's progress for programs: an object a line, each with an `event`. Times are in seconds, sizes in bytes.
enum ProgressJSON {
  private struct Event: Encodable {
    var event: String
    var text: String?
    var run: Int?
    var runs: Int?
    var variant: String?
    var repetition: Int?
    var collection: String?
    var rows: Int?
    var ofRows: Int?
    var phase: String?
    var number: Int?
    var phases: Int?
    var actors: [String]?
    var seconds: Double?
    var plannedSeconds: Double?
    var end: PhaseResult.End?
    var transactionsPerSecond: Double?
    var p99Seconds: Double?
    var p99Actor: String?
    var walBytes: Int?
    var walBacklogBytes: Int?
    var pinnedBy: String?
    var pinnedSeconds: Double?
    var pinnedBytes: Int?

    init(_ event: String) { self.event = event }
  }

  static func line(_ progress: RunProgress) -> String { encoded(event(progress)) }

  /// What is said to people.
  static func line(saying text: String) -> String {
    var event = Event("said")
    event.text = text
    return encoded(event)
  }

  private static func event(_ progress: RunProgress) -> Event {
    var event: Event
    switch progress {
    case .runBegan(let run):
      event = Event("runBegan")
      (event.run, event.runs, event.variant, event.repetition) = (run.number, run.runCount, run.label, run.repetition)
    case .loading(let collection, let rows, let total):
      event = Event("loading")
      (event.collection, event.rows, event.ofRows) = (collection, rows, total)
    case .settling(let bytes):
      event = Event("settling")
      event.walBacklogBytes = bytes
    case .phaseBegan(let name, let number, let count, let planned):
      event = Event("phaseBegan")
      (event.phase, event.number, event.phases, event.plannedSeconds) = (name, number, count, seconds(planned))
    case .sampled(let moment): event = sampled(moment)
    case .waiting(let phase, let actors, let nanoseconds):
      event = Event("waiting")
      (event.phase, event.actors, event.seconds) = (phase, actors, seconds(nanoseconds))
    case .phaseEnded(let name, let end, let nanoseconds):
      event = Event("phaseEnded")
      (event.phase, event.end, event.seconds) = (name, end, seconds(nanoseconds))
    case .finishing(let what):
      event = Event("finishing")
      event.text = what
    }
    return event
  }

  private static func sampled(_ moment: RunMoment) -> Event {
    var event = Event("sampled")
    event.phase = moment.phase
    event.seconds = seconds(moment.elapsedNanoseconds)
    event.plannedSeconds = seconds(moment.plannedNanoseconds)
    event.transactionsPerSecond = moment.transactionsPerSecond
    event.p99Seconds = seconds(moment.p99Nanoseconds)
    event.p99Actor = moment.p99Actor
    event.walBytes = moment.walBytes
    event.walBacklogBytes = moment.walBacklogBytes
    event.pinnedBy = moment.pinnedBy
    event.pinnedSeconds = seconds(moment.pinnedNanoseconds)
    event.pinnedBytes = moment.pinnedBytes
    return event
  }

  private static func seconds(_ nanoseconds: UInt64?) -> Double? { nanoseconds.map { Double($0) / 1e9 } }

  private static func encoded(_ event: Event) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Nothing in an event can fail to be written.
    let data = (try? encoder.encode(event)) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}
