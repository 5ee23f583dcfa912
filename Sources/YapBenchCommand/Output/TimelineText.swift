internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives

/// A timeline of a scenario: its phases from left to right, the load of each actor, and the long-lived snapshots.
struct TimelineText {
  /// The columns that phases share in proportion to their planned times. A phase gets more if its texts need more.
  static let columns = 56
  private static let fewestColumns = 9

  private let scenario: Scenario
  private let widths: [Int]

  init(_ scenario: Scenario) {
    self.scenario = scenario
    let times = scenario.phases.map { Double($0.end.plannedNanoseconds ?? 0) }
    let total = max(times.reduce(0, +), 1)
    let phases = zip(scenario.phases, times)
    widths = phases.map { phase, time in
      let title = max(phase.name.count, Self.end(of: phase).count)
      return max(Int(saturating: (Double(Self.columns) * time / total).rounded()), title, Self.fewestColumns)
    }
  }

  /// Returns the lines of the timeline, and a legend.
  func lines() -> [String] {
    let names = scenario.phases.map(\.name)
    let ends = scenario.phases.map(Self.end)
    let records = scenario.phases.map { $0.records ? "" : "warm-up" }
    var rows = [["", cells(names)], ["", cells(ends)]]
    if records.contains(where: { !$0.isEmpty }) { rows.append(["", cells(records)]) }
    let actors = scenario.actors.map { [$0.name, cells(bars(of: $0))] }
    let bookmarks = scenario.connections.compactMap { connection in
      snapshots(of: connection.name).map { ["\(connection.name) snapshot", cells($0)] }
    }
    let marks = scenario.phases.contains { !$0.events.isEmpty } ? [[EventResult.actorName, cells(eventMarks)]] : []
    let lines = AlignedColumns.lines(rows + actors + bookmarks + marks).map(\.withoutTrailingSpaces)
    return lines + [""] + legend(hasSnapshots: !bookmarks.isEmpty) + eventLegend
  }

  private func cells(_ texts: [String]) -> String {
    zip(texts, widths).map { $0.padded(to: $1) }.joined(separator: " ")
  }

  /// Returns text such as `5 s`, `<= 20 s` or `5 s or 5,000 operations`.
  private static func end(of phase: PhaseSettings) -> String {
    let time = phase.end.plannedNanoseconds.map { nanoseconds in
      (phase.end.until == nil ? "" : "<= ") + PlannedTime.text(nanoseconds: nanoseconds)
    }
    let counts = phase.countedEnds.map { Quantity.count($0.count, of: $0.noun) }
    return ([time].compactMap { $0 } + counts).joined(separator: " or ")
  }

  private func bars(of actor: ActorSettings) -> [String] {
    let acting = scenario.phases.map { phase in phase.actors.first { $0.name == actor.name } }
    let highest = acting.compactMap { $0.map { RateBars.highest($0.settings.load) } }.max() ?? 0
    return zip(zip(scenario.phases, acting), widths).map { entry, width in
      guard let acting = entry.1 else { return "" }
      let time = entry.0.end.plannedNanoseconds ?? 0
      return RateBars(highestPerSecond: highest).text(acting.settings.load, columns: width, nanoseconds: time)
    }
  }

  /// The cells of a connection's long-lived snapshot, one for each phase; nil if it never has one.
  private func snapshots(of connection: String) -> [String]? {
    var isHeld = false
    var isEverHeld = false
    let texts = zip(scenario.phases, widths).map { phase, width -> String in
      let actor = phase.actors.first { $0.settings.connections.contains(connection) }
      if let actor { isHeld = actor.settings.snapshot.isLongLived }
      isEverHeld = isEverHeld || isHeld
      guard isHeld else { return "" }
      let moves = actor?.settings.snapshot.movesByItself ?? false
      return String(repeating: moves ? "~" : "#", count: width)
    }
    return isEverHeld ? texts : nil
  }

  /// A mark at the time of each event: its number within the phase, or `+` after the ninth. In a phase without a
  /// planned time, all marks are at the beginning, one after the other, and so are the marks of events at a count.
  private var eventMarks: [String] {
    zip(scenario.phases, widths).map { phase, width in
      var columns = Array(repeating: Character(" "), count: width)
      for (index, event) in phase.events.enumerated() {
        let at = Double(event.at.nanoseconds ?? 0)
        let share = phase.end.plannedNanoseconds.map { at / Double($0) } ?? 0
        let wanted = min(Int(saturating: share * Double(width)), width - 1)
        let free = columns.indices.first { $0 >= wanted && columns[$0] == " " }
        columns[free ?? wanted] = index < 9 ? Character(String(index + 1)) : "+"
      }
      return String(columns)
    }
  }

  private var eventLegend: [String] {
    scenario.phases.filter { !$0.events.isEmpty }.flatMap { phase in
      phase.events.enumerated().map { index, event in
        let mark = index < 9 ? String(index + 1) : "+"
        let at = event.at.nanoseconds.map { PlannedTime.text(nanoseconds: $0) } ?? "\(event.at)"
        return "\(mark)  in \(phase.name) at \(at): \(event.action)"
      }
    }
  }

  private func legend(hasSnapshots: Bool) -> [String] {
    let loads = scenario.phases.flatMap(\.actors).map(\.settings.load)
    let rates = scenario.actors.compactMap { actor -> String? in
      let acting = scenario.phases.flatMap(\.actors).filter { $0.name == actor.name }
      guard let highest = acting.map({ RateBars.highest($0.settings.load) }).max(), highest > 0 else { return nil }
      return "\(actor.name) \(Quantity.rate(perSecond: highest))"
    }
    return [
      rates.isEmpty
        ? nil
        : "\(RateBars.levels[0])…\(RateBars.levels[7])  the rate; a full bar is: " + rates.joined(separator: ", "),
      loads.contains(where: \.isClosed) ? "===  closed load, as fast as the engine responds" : nil,
      hasSnapshots ? "~~~  a long-lived snapshot that moves; ###  one that stays and pins the WAL" : nil,
    ].compactMap { $0 }
  }
}

/// An actor's load over a phase as a row of bars. Each bar shows the highest rate of its interval; 0 for a trace.
struct RateBars {
  static let levels = Array("▁▂▃▄▅▆▇█")
  /// The character for a closed load, which has no rate of its own.
  static let closed: Character = "="

  /// The rate of a full bar, in transactions per second.
  let highestPerSecond: Double

  /// - Parameter nanoseconds: The planned duration of the phase; 0 if it is not known.
  func text(_ load: LoadModel, columns: Int, nanoseconds: UInt64) -> String {
    guard case .open(let curve, _) = load else { return String(repeating: Self.closed, count: columns) }
    let length = Double(max(nanoseconds, 1))
    let bars = (0..<columns).map { column -> Character in
      let from = length * Double(column) / Double(columns)
      let to = length * Double(column + 1) / Double(columns)
      return bar(Self.highest(curve, from: from, to: to, length: length))
    }
    return String(bars)
  }

  private func bar(_ perSecond: Double) -> Character {
    let share = highestPerSecond > 0 ? perSecond / highestPerSecond : 0
    return Self.levels[min(max(Int(saturating: (share * 8).rounded(.up)) - 1, 0), 7)]
  }

  /// Returns the highest rate of a load in transactions per second; 0 for a closed load and for a trace.
  static func highest(_ load: LoadModel) -> Double {
    guard case .open(let curve, _) = load else { return 0 }
    return curve.highestPerSecond
  }

  /// Returns the highest rate from one time of a phase to another. Times and the phase's length are in nanoseconds.
  private static func highest(_ curve: RateCurve, from: Double, to: Double, length: Double) -> Double {
    if case .ramp(let first, let last) = curve {
      let rate = { (time: Double) in first + (last - first) * time / length }
      return max(rate(from), rate(to))
    }
    if case .stages(let stages) = curve { return stages.highestPerSecond(from: from / 1e9, to: to / 1e9) }
    if case .burst(let burst) = curve {
      // Each period ends with its burst. The peaks only rise or only fall, so the first or the last one is the highest.
      let count = burst.count(inPhaseOf: length / 1e9)
      let first = (from / 1e9 / burst.periodSeconds).rounded(.down)
      let last = ((to / 1e9 - burst.calmSeconds) / burst.periodSeconds).rounded(.up) - 1
      guard first <= last else { return burst.basePerSecond }
      return max(burst.peakPerSecond(of: first, count: count), burst.peakPerSecond(of: last, count: count))
    }
    if case .sine(let low, let high, let period) = curve {
      let rate = { (time: Double) in (low + high) / 2 - (high - low) / 2 * cos(2 * Double.pi * time / Double(period)) }
      // The highest of 17 samples is close to the maximum, unless the interval contains several periods.
      return (0...16).map { rate(from + (to - from) * Double($0) / 16) }.max() ?? high
    }
    return curve.highestPerSecond
  }
}
