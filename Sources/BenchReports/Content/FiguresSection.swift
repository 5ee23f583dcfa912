internal import BenchResults
internal import LatencyMetrics

/// The most important figures of a run as tiles: the throughput, the latencies and the arrivals of one actor in one
/// phase, and the peak of the WAL.
enum FiguresSection {
  /// - Parameters:
  ///   - shown: The figures that the scenario asks for.
  ///   - earlier: The runs with whose figures the tiles compare.
  /// - Returns: nil if no transaction was timed in a recorded phase and no WAL was sampled.
  static func section(of result: RunResult, shown: [FigureID], _ earlier: EarlierRuns) -> ReportSection? {
    let ofActor = shownActor(in: result).map { tiles(of: $0.actor, in: $0.phase, of: result) } ?? []
    let usual = ofActor + peak(of: result)
    let asked = shown.compactMap { figure in
      usual.first { $0.figure?.id == figure }
        ?? result.figures(in: figure.scope.phase).map { tile(.text(figure.title), figure, in: $0) }
    }
    let others = usual.filter { tile in !shown.contains { $0 == tile.figure?.id } }
    let all = (asked + others).map { tile -> ReportTile in
      var tile = tile
      if let (figure, value) = tile.figure, let change = earlier.change(of: figure, to: value) {
        tile.owner += .line(.text(change))
      }
      return tile
    }
    return all.isEmpty ? nil : ReportSection(anchor: "figures", title: nil, blocks: [.tiles(all)], isLead: true)
  }

  /// Returns the actor of the first failed expectation, or of the first expectation, that names one. If none does,
  /// returns the actor with the most transactions in the longest recorded phase.
  static func shownActor(in result: RunResult) -> (actor: ActorResult, phase: PhaseResult)? {
    let candidates = result.phases.filter(\.isRecorded).flatMap { phase in
      phase.actors.filter { $0.transactionCount > 0 }.map { (actor: $0, phase: phase) }
    }
    let failedFirst = result.expectations.filter { !$0.holds } + result.expectations
    for expectation in failedFirst {
      let named = candidates.first { $0.phase.name == expectation.phase && $0.actor.name == expectation.actor }
      if let named { return named }
    }
    return candidates.max {
      ($0.phase.durationNanoseconds, $0.actor.transactionCount)
        < ($1.phase.durationNanoseconds, $1.actor.transactionCount)
    }
  }

  private static func tiles(
    of actor: ActorResult,
    in phase: PhaseResult,
    of result: RunResult
  ) -> [ReportTile] {
    let figures = result.figures(of: phase)
    let scope = FigureScope(phase.name, actor: actor.name)
    func tile(_ name: ReportText, _ figure: FigureID) -> ReportTile { self.tile(name, figure, in: figures) }
    let throughput = FigureID(.throughput, .mean, of: scope)
    let operations = FigureID(.operations, of: scope)
    let rates =
      (figures.value(of: throughput) == nil ? [] : [tile("Throughput, transactions", throughput)])
      + (actor.hasSeveralOperationsPerTransaction ? [tile("Throughput, operations", operations)] : [])
    let kind: TimeKind = actor.load == .closed ? .service : .response
    let times = Percentile.compared.map { percentile in
      let metric: Metric = kind == .service ? .service : .response
      return tile("\(kind.title), \(percentile.name)", FigureID(metric, percentile.aggregate, of: scope))
    }
    return rates + times + arrivals(of: actor, owner: owner(of: scope))
  }

  private static func tile(_ name: ReportText, _ figure: FigureID, in figures: PhaseFigures) -> ReportTile {
    let value = figures.value(of: figure)
    let text = value.map(figure.unit.text) ?? Quantity.missing
    let owner = owner(of: figure.scope)
    guard let undisturbed = figures.textWithoutWaits(of: figure) else {
      return ReportTile(name: name, value: text, owner: owner, figure: value.map { (figure, $0) })
    }
    return ReportTile(name: name, value: text, owner: owner + ", \(undisturbed) without waits", tone: .doubtful)
  }

  private static func owner(of scope: FigureScope) -> ReportText {
    let phase: ReportText = "phase \(code: scope.phase)"
    guard let actor = scope.actor else { return phase }
    return "\(code: scope.operation.map { "\(actor).\($0)" } ?? actor) in " + phase
  }

  /// Returns the share of the arrivals that were served; nothing for a closed load.
  private static func arrivals(of actor: ActorResult, owner: ReportText) -> [ReportTile] {
    let offered = actor.scheduledArrivals
    guard actor.load == .open, offered > 0 else { return [] }
    let served = min(actor.begunArrivals, offered)
    let dropped = actor.droppedArrivals ?? 0
    let pending = offered - served - dropped
    let counts: ReportText =
      "\(Quantity.count(served)) of \(Quantity.count(offered)) offered, \(Quantity.count(dropped)) dropped"
      + (pending > 0 ? ", \(Quantity.count(pending)) waiting at the end" : "") + ", of " + owner
    return [
      ReportTile(
        name: "Arrivals served",
        value: Quantity.percent(Double(served), of: Double(offered)),
        owner: counts,
        tone: actor.droppedShare > DroppedArrivals.greatestSilentShare ? .doubtful : nil
      )
    ]
  }

  private static func peak(of result: RunResult) -> [ReportTile] {
    guard let peak = HeldPeak(of: result) else { return [] }
    return [
      ReportTile(
        name: .text(Metric.walBytes.title),
        value: Quantity.bytes(peak.bytes),
        owner: "held by \(peak.holder), in phase \(code: peak.phase)",
        tone: result.walExcess == nil ? nil : .doubtful,
        figure: (FigureID(.walBytes, .max, of: FigureScope(peak.phase)), Double(peak.bytes))
      )
    ]
  }
}

extension ActorResult {
  fileprivate var transactionCount: Int { transactions?.times[.service]?.count ?? 0 }
}

extension TimeKind {
  /// Such as "Response time".
  var title: String {
    switch self {
    case .wait: "Wait"
    case .service: "Service time"
    case .response: "Response time"
    }
  }
}
