internal import BenchModel
internal import BenchReports
internal import BenchRunner
internal import NumericConversion

/// What a run's progress reads like, and how often it is told. Knows no clock and no screen.
struct ProgressText {
  enum Medium: Sendable {
    /// Passing lines at most ten times a second, and a lasting one when a phase ends.
    case terminal
    /// Lasting lines only: when a phase begins and ends, and every five seconds; of a series of runs every half minute.
    case plain
  }

  private static let plainSeriesNanoseconds: UInt64 = 30_000_000_000

  let medium: Medium
  private var phase = ""
  private var loading: String?
  private var isSettling = false
  private var isWaiting = false
  /// When the next passing line may be told.
  private var nextDue: UInt64 = 0
  private var window = ThroughputWindow()
  private var growth = WALGrowth()

  init(medium: Medium) {
    self.medium = medium
  }

  /// - Parameter now: in nanoseconds, from any start.
  mutating func lines(for progress: RunProgress, at now: UInt64) -> [ProgressLine] {
    switch progress {
    case .runBegan(let run):
      (loading, isSettling) = (nil, false)
      return [.staying("  " + PlannedRuns.text(of: run))]
    case .loading(let collection, let rows, let total):
      let isFirst = loading != collection
      loading = collection
      // The last one is told always: a count that stops half way reads as if rows were missing.
      guard isDue(at: now, atOnce: isFirst || rows == total) else { return [] }
      return [passing(["loading \(collection): \(Quantity.count(rows)) of \(Quantity.count(total, of: "row"))"])]
    case .settling(let bytes):
      let isFirst = !isSettling
      isSettling = true
      guard isDue(at: now, atOnce: isFirst) else { return [] }
      return [passing(["waiting until the WAL has gone into the database: \(Quantity.bytes(bytes)) left"])]
    case .phaseBegan(let name, let number, let count, let planned):
      phase = "phase \(number)/\(count) \(name)"
      isWaiting = false
      window = ThroughputWindow()
      growth = WALGrowth()
      _ = isDue(at: now, atOnce: true)
      let limit = planned.map { "at most " + PlannedTime.text(nanoseconds: $0) } ?? "no time limit"
      return [passing(["\(phase): begins, \(limit)", "\(phase): begins"])]
    case .sampled(let moment):
      window.take(moment)
      growth.take(moment)
      guard isDue(at: now, atOnce: false) else { return [] }
      defer { window.restart() }
      return [passing(wordings(of: moment), tone: moment.pinnedBy == nil ? .plain : .heldUp)]
    case .waiting(let name, let actors, let nanoseconds):
      let isFirst = !isWaiting
      isWaiting = true
      guard isDue(at: now, atOnce: isFirst) else { return [] }
      let time = PlannedTime.elapsed(nanoseconds: nanoseconds)
      return [
        passing(["phase \(name) is over, and has waited \(time) for \(actors.joined(separator: ", "))"], tone: .heldUp)
      ]
    case .phaseEnded(_, let end, let nanoseconds):
      let time = PlannedTime.elapsed(nanoseconds: nanoseconds)
      switch end {
      case .reached: return [.staying("  \(phase): ended after \(time)", tone: .ended)]
      case .notReached: return [.staying("  \(phase): ended after \(time), in vain", tone: .heldUp)]
      case .cutShort: return [.staying("  \(phase): broken off after \(time)", tone: .heldUp)]
      }
    case .finishing(let what):
      _ = isDue(at: now, atOnce: true)
      return [passing([what])]
    }
  }

  /// A line about the progress of a series of runs; nil if it is too early for another one.
  mutating func line(passing text: String, at now: UInt64) -> ProgressLine? {
    guard medium == .plain else { return .passing([text]) }
    guard now >= nextDue else { return nil }
    nextDue = now + Self.plainSeriesNanoseconds
    return .staying(text)
  }

  private func passing(_ wordings: [String], tone: ProgressLine.Tone = .plain) -> ProgressLine {
    let indented = wordings.map { "  " + $0 }
    return medium == .terminal
      ? .passing(indented, tone: tone) : .staying(indented.first ?? "", tone: tone)
  }

  /// Whether a passing line may be told now; if so, the next is due one interval later. Due times lie on a grid and may
  /// be met a little early, so that samples of the same interval are not told every other time.
  private mutating func isDue(at now: UInt64, atOnce: Bool) -> Bool {
    let interval: UInt64 = medium == .terminal ? 100_000_000 : 5_000_000_000
    if atOnce {
      nextDue = now + interval
      return true
    }
    guard now + interval / 5 >= nextDue else { return false }
    nextDue = now >= nextDue + interval ? now + interval : nextDue + interval
    return true
  }

  /// The third fits into the usual 80 columns, and leaves out what moves from line to line.
  private func wordings(of moment: RunMoment) -> [String] {
    let elapsed = PlannedTime.elapsed(nanoseconds: moment.elapsedNanoseconds)
    let time = moment.plannedNanoseconds.map { "\(elapsed) of \(PlannedTime.text(nanoseconds: $0))" } ?? elapsed
    let rate = Quantity.rate(perSecond: window.perSecond)
    var long = ["\(phase): \(time)", rate.replacing("/s", with: " transactions/s")]
    var middle = ["\(phase): \(time)", rate]
    var short = ["\(moment.phase) \(time)", rate]
    var shortest = ["\(moment.phase) \(elapsed)", rate]
    if let p99 = moment.p99Nanoseconds, let actor = moment.p99Actor {
      let time = "p99 " + Quantity.duration(nanoseconds: p99)
      long.append("\(time) of \(actor)")
      middle.append(time)
    }
    if let bytes = moment.walBytes {
      let wal = "WAL " + Quantity.bytes(bytes)
      let backlog = moment.walBacklogBytes.map { Quantity.bytes($0) }
      long.append(wal + (growth.text.map { " (\($0))" } ?? "") + (backlog.map { ", \($0) of it not copied" } ?? ""))
      middle.append(wal + (backlog.map { " (\($0) not copied)" } ?? ""))
      short.append(wal + (backlog.map { " (\($0) left)" } ?? ""))
      shortest.append(wal)
    }
    if let holder = moment.pinnedBy {
      let age = moment.pinnedNanoseconds.map { PlannedTime.elapsed(nanoseconds: $0) }
      let bytes = moment.pinnedBytes.map { Quantity.bytes($0) }
      let brief = [holder, bytes, age].compactMap { $0 }.joined(separator: " ")
      long.append("\(holder) has pinned \(bytes ?? "it")" + (age.map { " for \($0)" } ?? ""))
      middle.append([holder, "pins", bytes, age].compactMap { $0 }.joined(separator: " "))
      short.append(brief)
      shortest.append(brief)
    }
    return [long, middle, short, shortest].map { $0.joined(separator: ", ") }
  }
}

/// The mean throughput since the line before, because that of one sample jumps.
private struct ThroughputWindow {
  private var transactions = 0.0
  private var nanoseconds: UInt64 = 0
  private var lastElapsed: UInt64 = 0

  var perSecond: Double { nanoseconds == 0 ? 0 : transactions / (Double(nanoseconds) / 1e9) }

  mutating func take(_ moment: RunMoment) {
    let step = moment.elapsedNanoseconds - min(lastElapsed, moment.elapsedNanoseconds)
    transactions += moment.transactionsPerSecond * Double(step) / 1e9
    nanoseconds += step
    lastElapsed = moment.elapsedNanoseconds
  }

  mutating func restart() {
    transactions = 0
    nanoseconds = 0
  }
}

/// How fast the file of the WAL grows, over the last two seconds.
private struct WALGrowth {
  private static let windowNanoseconds: UInt64 = 2_000_000_000

  private var sizes: [(elapsed: UInt64, bytes: Int)] = []

  mutating func take(_ moment: RunMoment) {
    guard let bytes = moment.walBytes else { return }
    sizes.append((moment.elapsedNanoseconds, bytes))
    sizes.removeAll { $0.elapsed + Self.windowNanoseconds < moment.elapsedNanoseconds }
  }

  /// nil where it does not change, or is not known long enough.
  var text: String? {
    guard let first = sizes.first, let last = sizes.last, first.bytes != last.bytes else { return nil }
    guard last.elapsed >= first.elapsed + Self.windowNanoseconds / 2 else { return nil }
    let rate = Double(last.bytes - first.bytes) / (Double(last.elapsed - first.elapsed) / 1e9)
    return "\(rate > 0 ? "+" : "")\(Quantity.bytes(Int(saturating: rate)))/s"
  }
}
