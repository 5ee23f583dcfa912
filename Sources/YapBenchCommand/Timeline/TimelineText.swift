internal import BenchModel
internal import BenchReports
internal import NumericConversion

/// A scenario's phases from left to right, and what its actors and snapshots do in them.
struct TimelineText {
  /// The phases share these columns by their planned times.
  static let columns = 56
  private static let fewestColumns = 9

  private let scenario: Scenario
  private let widths: [Int]

  init(_ scenario: Scenario) {
    self.scenario = scenario
    let times = scenario.phases.map { Double($0.end.plannedNanoseconds) }
    let total = max(times.reduce(0, +), 1)
    let phases = zip(scenario.phases, times)
    widths = phases.map { phase, time in
      let title = max(phase.name.count, Self.end(of: phase).count)
      return max(Int(saturating: (Double(Self.columns) * time / total).rounded()), title, Self.fewestColumns)
    }
  }

  /// Lines of one width or less each; what they mean stands at their end.
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
    let marks = scenario.phases.contains { !$0.events.isEmpty } ? [[PhaseEvent.actorName, cells(eventMarks)]] : []
    let lines = AlignedColumns.lines(rows + actors + bookmarks + marks).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    return lines + [""] + legend(hasSnapshots: !bookmarks.isEmpty) + eventLegend
  }

  private func cells(_ texts: [String]) -> String {
    zip(texts, widths).map { text, width in text + String(repeating: " ", count: max(width - text.count, 0)) }
      .joined(separator: " ")
  }

  /// Such as `5 s`, `until, 20 s` or `5,000 operations`.
  private static func end(of phase: PhaseSettings) -> String {
    let time = PlannedTime.text(nanoseconds: phase.end.plannedNanoseconds)
    switch phase.end {
    case .duration: return time
    case .until: return "<= \(time)"
    case .operations(let count): return Quantity.count(count, of: "operation")
    }
  }

  private func bars(of actor: ActorSettings) -> [String] {
    let acting = scenario.phases.map { phase in phase.actors.first { $0.name == actor.name } }
    let highest = acting.compactMap { $0.map { RateBars.highest($0.settings.load) } }.max() ?? 0
    return zip(zip(scenario.phases, acting), widths).map { entry, width in
      guard let acting = entry.1 else { return "" }
      let time = entry.0.end.plannedNanoseconds
      return RateBars(highestPerSecond: highest).text(acting.settings.load, columns: width, nanoseconds: time)
    }
  }

  /// What a connection's bookmark does in each phase; nil where it never has one.
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

  /// A digit where each event begins, counted in its phase; the place in a phase without a time is unknown, so there
  /// they stand one after the other. What comes after the ninth is a `+`.
  private var eventMarks: [String] {
    zip(scenario.phases, widths).map { phase, width in
      var columns = Array(repeating: Character(" "), count: width)
      for (index, event) in phase.events.enumerated() {
        let planned = phase.end.plannedNanoseconds
        let share = planned > 0 ? Double(event.atNanoseconds) / Double(planned) : 0
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
        return "\(mark)  in \(phase.name) at \(PlannedTime.text(nanoseconds: event.atNanoseconds)): \(event.action)"
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
        ? nil : "\(RateBars.levels[0])…\(RateBars.levels[7])  the rate; full: " + rates.joined(separator: ", "),
      loads.contains(where: \.isClosed) ? "===  as fast as the engine answers" : nil,
      hasSnapshots ? "~~~  a long-lived snapshot that moves; ###  one that stays, and keeps the WAL" : nil,
    ].compactMap { $0 }
  }
}
