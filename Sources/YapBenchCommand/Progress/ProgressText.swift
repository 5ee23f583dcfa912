internal import BenchReports
internal import BenchResults
internal import BenchRunner

/// The lines about a run's progress, and the times at which they are due. The caller passes the current time.
struct ProgressText {
  enum Medium: Sendable {
    /// Transient lines about ten times per second, and a permanent one when a run begins and when a phase ends.
    case terminal
    /// Only permanent lines: when a run, a phase or another step begins, when a phase ends, and every five seconds. The
    /// status of a comparison is shown every half minute.
    case plain
  }

  private static let plainSeriesNanoseconds: UInt64 = 30_000_000_000

  let medium: Medium
  private var phase = ""
  /// The step that the last progress was about: a collection that is loaded, or a wait; nil for none.
  private var step: String?
  /// The time at which the next periodic line is due.
  private var nextDue: UInt64 = 0
  private var window = ThroughputWindow()
  private var growth = WALGrowth()

  init(medium: Medium) {
    self.medium = medium
  }

  /// Returns the lines to show at the time `now`, in nanoseconds since an arbitrary start.
  ///
  /// - Parameter secondsLeft: The estimated time until all runs have ended; nil if it is not known.
  mutating func lines(for progress: RunProgress, at now: UInt64, secondsLeft: Double? = nil) -> [ProgressLine] {
    switch progress {
    case .runBegan(let run):
      step = nil
      return [.permanent("  " + PlannedRuns.text(of: run))]
    case .loading(let collection, let rows, let total):
      // The last count is always shown: otherwise it would seem that rows are missing.
      guard isDue(at: now, isForced: begins("loading \(collection)") || rows == total) else { return [] }
      return [transient(["loading \(collection): \(Quantity.count(rows)) of \(Quantity.count(total, of: "row"))"])]
    case .settling(let bytes):
      guard isDue(at: now, isForced: begins("settling")) else { return [] }
      return [transient(["waiting for the WAL to be copied to the database: \(Quantity.bytes(bytes)) left"])]
    case .phaseBegan(let name, let number, let count, let planned):
      phase = "phase \(number)/\(count) \(name)"
      step = nil
      window = ThroughputWindow()
      growth = WALGrowth()
      _ = isDue(at: now, isForced: true)
      let limit = planned.map { "at most " + PlannedTime.text(nanoseconds: $0) } ?? "no time limit"
      return [transient(["\(phase): begins, \(limit)", "\(phase): begins"])]
    case .sampled(let moment):
      window.add(moment)
      growth.add(moment)
      guard isDue(at: now, isForced: false) else { return [] }
      defer { window.restart() }
      let color: Terminal.Color? =
        moment.brokenExpectations.isEmpty ? moment.pinnedBy == nil ? nil : .yellow : .red
      let text = MomentText(
        moment,
        phase: phase,
        throughput: window,
        growth: growth,
        secondsLeft: secondsLeft
      )
      return [transient(text.wordings, color: color)]
    case .waiting(let name, let actors, let nanoseconds):
      guard isDue(at: now, isForced: begins("waiting")) else { return [] }
      let time = PlannedTime.elapsed(nanoseconds: nanoseconds)
      return [
        transient(["phase \(name) has ended; waiting for \(actors.joined(separator: ", ")) (\(time))"], color: .yellow)
      ]
    case .phaseEnded(_, let end, let nanoseconds, let key, let rates):
      let time = PlannedTime.elapsed(nanoseconds: nanoseconds)
      let then = Quantity.clause(of: rates)
      switch end {
      case .reached:
        let reason = key.map { " by \"\($0)\"" } ?? ""
        return [.permanent("  \(phase): ended after \(time)\(reason)\(then)", color: .green)]
      case .notReached:
        return [.permanent("  \(phase): timed out after \(time): condition not reached", color: .yellow)]
      case .cutShort: return [.permanent("  \(phase): ended early after \(time)\(then)", color: .yellow)]
      }
    case .waitingForQuiet(let others, let nanoseconds, let longest):
      guard isDue(at: now, isForced: begins("waiting for quiet")) else { return [] }
      let elapsed = PlannedTime.elapsed(nanoseconds: nanoseconds)
      let time = "\(elapsed) of at most \(PlannedTime.text(nanoseconds: longest))"
      let text = "waiting for a quieter machine: other processes use \(others.text) (\(time))"
      return [transient([text], color: .yellow)]
    case .finishing(let what):
      _ = isDue(at: now, isForced: true)
      return [transient([what])]
    }
  }

  /// Returns whether a step begins, and makes it the current one.
  private mutating func begins(_ step: String) -> Bool {
    defer { self.step = step }
    return self.step != step
  }

  /// Returns a line about the progress of a series of runs; nil if it is too early for another one.
  mutating func statusLine(_ text: String, at now: UInt64) -> ProgressLine? {
    guard medium == .plain else { return .transient([text]) }
    guard now >= nextDue else { return nil }
    nextDue = now + Self.plainSeriesNanoseconds
    return .permanent(text)
  }

  private func transient(_ wordings: [String], color: Terminal.Color? = nil) -> ProgressLine {
    let indented = wordings.map { "  " + $0 }
    return medium == .terminal
      ? .transient(indented, color: color) : .permanent(indented.first ?? "", color: color)
  }

  /// Returns whether a line is shown now, and if so, sets the next due time: one interval after the last due time, or
  /// after now if that is past. A line may be a fifth of the interval early, so that no sample at the interval is lost.
  private mutating func isDue(at now: UInt64, isForced: Bool) -> Bool {
    let interval: UInt64 = medium == .terminal ? 100_000_000 : 5_000_000_000
    if isForced {
      nextDue = now + interval
      return true
    }
    guard now + interval / 5 >= nextDue else { return false }
    nextDue = now >= nextDue + interval ? now + interval : nextDue + interval
    return true
  }
}

/// One line about the progress of a run.
struct ProgressLine: Sendable, Equatable {
  /// The same text in one or more lengths, the longest first.
  var wordings: [String]
  /// Green if a phase has reached its end; yellow if it is delayed or incomplete, or a connection keeps frames in the
  /// WAL; red if an expectation does not hold.
  var color: Terminal.Color?
  /// Whether the line stays on the screen. Otherwise the next line overwrites it.
  var isPermanent: Bool

  static func permanent(_ text: String, color: Terminal.Color? = nil) -> ProgressLine {
    ProgressLine(wordings: [text], color: color, isPermanent: true)
  }

  static func transient(_ wordings: [String], color: Terminal.Color? = nil) -> ProgressLine {
    ProgressLine(wordings: wordings, color: color, isPermanent: false)
  }

  /// Returns the longest wording that fits into the columns, or the shortest one, truncated.
  func text(fitting columns: Int) -> String {
    if let fitting = wordings.first(where: { $0.count <= columns }) { return fitting }
    let shortest = wordings.last ?? ""
    return columns > 3 ? shortest.prefix(columns - 3) + "..." : String(shortest.prefix(max(0, columns)))
  }
}
