internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import HarnessPrimitives

/// One moment of a phase in several lengths.
struct MomentText {
  /// The longest text first. The first one has figures of each actor, for wide terminals and for output that is not a
  /// terminal. The fourth usually fits 80 columns.
  let wordings: [String]

  /// - Parameters:
  ///   - phase: The phase with its number, such as `phase 2/3 stall`.
  ///   - secondsLeft: The estimated time until all runs have ended; nil if it is not known.
  init(
    _ moment: RunMoment,
    phase: String,
    throughput window: ThroughputWindow,
    growth: WALGrowth,
    secondsLeft: Double?
  ) {
    let elapsed = PlannedTime.elapsed(nanoseconds: moment.elapsedNanoseconds)
    let time = moment.plannedNanoseconds.map { "\(elapsed) of \(PlannedTime.text(nanoseconds: $0))" } ?? elapsed
    let rate = Quantity.rate(perSecond: window.perSecond)
    let spelled = rate.replacing("/s", with: " transactions/s")
    var parts = [
      ["\(phase): \(time)", spelled] + moment.actors.map { Self.text(of: $0, window) },
      ["\(phase): \(time)", spelled], ["\(phase): \(time)", rate],
      ["\(moment.phase) \(time)", rate], ["\(moment.phase) \(elapsed)", rate],
    ]
    /// Adds a part to each length, from the longest to the shortest; nil if it lacks the part.
    func add(_ texts: String?...) {
      for (index, text) in texts.enumerated() { if let text { parts[index].append(text) } }
    }
    if let actor = moment.slowest, let p99 = actor.p99Nanoseconds {
      let text = "\(actor.name) p99 " + Quantity.duration(nanoseconds: p99)
      add(nil, text, text)
    }
    if let bytes = moment.walBytes {
      let wal = "WAL " + Quantity.bytes(bytes)
      let backlog = moment.walBacklogBytes.map { Quantity.bytes($0) }
      let full = wal + (growth.text.map { " (\($0))" } ?? "") + (backlog.map { ", backlog \($0)" } ?? "")
      let short = wal + (backlog.map { " (\($0) left)" } ?? "")
      add(full, full, wal + (backlog.map { ", backlog \($0)" } ?? ""), short, wal)
    }
    if let holder = moment.pinnedBy {
      let age = moment.pinnedNanoseconds.map { PlannedTime.elapsed(nanoseconds: $0) }
      let bytes = moment.pinnedBytes.map { Quantity.bytes($0) }
      let brief = [holder, bytes, age].compactMap { $0 }.joined(separator: " ")
      let full = "\(holder) has pinned \(bytes ?? "it")" + (age.map { " for \($0)" } ?? "")
      add(full, full, [holder, "pins", bytes, age].compactMap { $0 }.joined(separator: " "), brief, brief)
    }
    if let first = moment.brokenExpectations.first {
      let count = moment.brokenExpectations.count
      let brief = "\(count) broken"
      let full = "broken: \(first)" + (count > 1 ? " and \(count - 1) more" : "")
      add(full, Quantity.count(count, of: "broken expectation"), brief, brief, brief)
    }
    let end = Self.end(of: moment, secondsLeft)
    // The estimated end is the first part that a narrow terminal leaves out.
    wordings = (parts.map { $0 + end } + (end.isEmpty ? [] : parts.suffix(1))).map { $0.joined(separator: ", ") }
  }

  /// Returns text such as `import 980/s p99 4.12 ms 3 pending`.
  private static func text(of actor: RunMoment.Actor, _ window: ThroughputWindow) -> String {
    let p99 = actor.p99Nanoseconds.map { "p99 " + Quantity.duration(nanoseconds: $0) }
    let pending = actor.pendingArrivals.flatMap { $0 > 0 ? "\(Quantity.count($0)) pending" : nil }
    let dropped = actor.droppedArrivals.flatMap { $0 > 0 ? "\(Quantity.count($0)) dropped" : nil }
    let rate = Quantity.rate(perSecond: window.perSecond(of: actor.name))
    return [actor.name, rate, p99, pending, dropped].compactMap { $0 }.joined(separator: " ")
  }

  /// The estimated end of all runs; empty if it equals the phase's, or is not known.
  private static func end(of moment: RunMoment, _ secondsLeft: Double?) -> [String] {
    guard let secondsLeft else { return [] }
    let ofPhase = moment.plannedNanoseconds.map { Double($0 - min(moment.elapsedNanoseconds, $0)) / 1e9 }
    if let ofPhase, abs(secondsLeft - ofPhase) < 1.5 { return [] }
    return ["about \(PlannedTime.text(seconds: secondsLeft)) left"]
  }
}

/// The mean throughput since the previous line. The throughput of single samples varies too much to be shown.
struct ThroughputWindow: Sendable {
  private var transactions: [String: Double] = [:]
  private var total = 0.0
  private var nanoseconds: UInt64 = 0
  private var lastElapsed: UInt64

  init(lastElapsed: UInt64 = 0) { self.lastElapsed = lastElapsed }

  var perSecond: Double { nanoseconds == 0 ? 0 : total / (Double(nanoseconds) / 1e9) }

  func perSecond(of actor: String) -> Double {
    nanoseconds == 0 ? 0 : (transactions[actor] ?? 0) / (Double(nanoseconds) / 1e9)
  }

  mutating func add(_ moment: RunMoment) {
    let step = moment.elapsedNanoseconds - min(lastElapsed, moment.elapsedNanoseconds)
    total += moment.transactionsPerSecond * Double(step) / 1e9
    for actor in moment.actors {
      transactions[actor.name, default: 0] += actor.transactionsPerSecond * Double(step) / 1e9
    }
    nanoseconds += step
    lastElapsed = moment.elapsedNanoseconds
  }

  mutating func restart() { self = ThroughputWindow(lastElapsed: lastElapsed) }
}

/// The growth rate of the WAL file over the last two seconds.
struct WALGrowth: Sendable {
  private static let windowNanoseconds: UInt64 = 2_000_000_000

  private var sizes: [(elapsed: UInt64, bytes: Int)] = []

  mutating func add(_ moment: RunMoment) {
    guard let bytes = moment.walBytes else { return }
    sizes.append((moment.elapsedNanoseconds, bytes))
    sizes.removeAll { $0.elapsed + Self.windowNanoseconds < moment.elapsedNanoseconds }
  }

  /// The rate; nil if the size does not change, or is known for less than a second.
  var text: String? {
    guard let first = sizes.first, let last = sizes.last, first.bytes != last.bytes else { return nil }
    guard last.elapsed >= first.elapsed + Self.windowNanoseconds / 2 else { return nil }
    let rate = Double(last.bytes - first.bytes) / (Double(last.elapsed - first.elapsed) / 1e9)
    return "\(rate > 0 ? "+" : "")\(Quantity.bytes(Int(saturating: rate)))/s"
  }
}
