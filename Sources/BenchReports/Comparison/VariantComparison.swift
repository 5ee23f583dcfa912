internal import BenchResults
internal import HarnessPrimitives
internal import LatencyMetrics

/// A figure over the repetitions of one variant.
struct VariantFigure {
  /// The median over the repetitions; for a percentile, the percentile of the repetitions' durations together.
  var value: Double
  /// The lowest and the highest value of a repetition.
  var lowest: Double
  var highest: Double
  /// The values of the repetitions that have one, in the order of the repetitions.
  var ofRepetitions: [Double]
  /// The same values, by the number of the repetition.
  private(set) var byRepetition: [Int: Double] = [:]

  /// - Parameters:
  ///   - values: The values of the repetitions.
  ///   - merged: The figure of the repetitions together; nil for the median of `values`.
  /// - Returns: nil if no repetition has a value.
  init?(_ values: [Double?], merged: Double? = nil) {
    let known = values.compactMap { $0 }
    guard let lowest = known.min(), let highest = known.max() else { return nil }
    value = merged ?? known.median
    self.lowest = lowest
    self.highest = highest
    ofRepetitions = known
  }

  /// - Parameter runs: The repetitions of one variant.
  init?(_ runs: [RunResult], merged: Double? = nil, value: (RunResult) -> Double?) {
    let values = runs.map(value)
    self.init(values, merged: merged)
    for (run, value) in zip(runs, values) { byRepetition[run.repetition] = value }
  }
}

/// The figures of all variants for an actor, one of its operations, a connection, or a phase.
struct ComparedGroup {
  enum Kind {
    case actor, operation, connection, phase
    /// The reads of single rows of an actor, by their outcome in the connection's caches.
    case reads
  }

  struct Column {
    var title: String
    /// The name in `variants.csv`, with the unit of the values.
    var name: String
    var unit: FigureUnit
    /// nil for a figure without a better direction.
    var better: BetterValues?
    /// One for each variant; nil for a variant without the figure.
    var figures: [VariantFigure?]
  }

  var kind: Kind
  var phase: String
  /// The actor or the connection; nil for a phase.
  var owner: String?
  /// nil for everything but an operation.
  var operation: String?
  var columns: [Column]
}

extension ComparedGroup {
  /// Whether any variant has the figure. Only a figure of an actor may be 0 in all repetitions.
  func isShown(_ column: Column) -> Bool {
    column.figures.contains { figure in figure.map { kind == .actor || $0.highest > 0 } ?? false }
  }
}

/// The variants of a scenario, side by side. Phases that were not recorded are left out.
struct VariantComparison {
  let variants: [ScenarioResult.Variant]
  let groups: [ComparedGroup]
  /// The numbers of each variant's repetitions.
  private let repetitions: [[Int]]
  /// The figures of the invalid runs alone, which are left out of `groups`.
  private let groupsLeftOut: [ComparedGroup]

  init(_ result: ScenarioResult) {
    variants = result.variants
    let runs = result.variants.map { result.runsWithFigures(of: $0) }
    repetitions = runs.map { $0.map(\.repetition) }
    groups = Self.groups(of: runs)
    groupsLeftOut = Self.groups(of: result.variants.map { result.runsLeftOut(of: $0) })
  }

  /// Returns the estimated ratio of a variant's figure to the first variant's figure; nil without positive values.
  func ratio(of column: ComparedGroup.Column, of variant: Int) -> EffectEstimate? {
    EffectEstimate(ratiosOf: pairs(of: column, variant, 0))
  }

  /// Returns whether any two variants differ in the figure; nil with too few pairs for an answer.
  func differs(_ column: ComparedGroup.Column) -> Bool? {
    var isAnswered = false
    for one in variants.indices {
      for other in 0..<one {
        guard let differs = EffectEstimate.differs(pairs(of: column, one, other)) else { continue }
        if differs { return true }
        isAnswered = true
      }
    }
    return isAnswered ? false : nil
  }

  /// Returns the values of two variants in their pairs of repetitions that both have one.
  private func pairs(of column: ComparedGroup.Column, _ variant: Int, _ other: Int) -> [(Double, Double)] {
    guard let own = column.figures[variant], let others = column.figures[other] else { return [] }
    let (repetitions, otherRepetitions) = (repetitions[variant], repetitions[other])
    return ScenarioResult.pairs(repetitions, otherRepetitions).compactMap { index, otherIndex in
      own.byRepetition[repetitions[index]].flatMap { value in
        others.byRepetition[otherRepetitions[otherIndex]].map { (value, $0) }
      }
    }
  }

  /// Returns the values of the invalid repetitions that are left out of a figure, for each variant.
  func valuesLeftOut(of column: ComparedGroup.Column, in group: ComparedGroup) -> [[Double]] {
    let own = groupsLeftOut.first { $0.kind == group.kind && $0.phase == group.phase && $0.owner == group.owner }
    let figures = own?.columns.first { $0.name == column.name }?.figures ?? variants.map { _ in nil }
    return figures.map { $0?.ofRepetitions ?? [] }
  }

  /// - Parameter runs: The runs of each variant.
  private static func groups(of runs: [[RunResult]]) -> [ComparedGroup] {
    let all = runs.flatMap { $0 }
    var groups: [ComparedGroup] = []
    for phase in all.flatMap({ $0.phases.filter(\.isRecorded).map(\.name) }).withoutDuplicates {
      for actor in all.flatMap({ $0.actors(in: phase) }).withoutDuplicates {
        groups.append(Self.group(ofActor: actor, in: phase, runs))
        groups += Self.groups(ofOperationsOf: actor, in: phase, runs)
        groups += Self.group(ofReadsBy: actor, in: phase, runs).map { [$0] } ?? []
      }
      for connection in all.flatMap({ $0.cachingConnections(in: phase) }).withoutDuplicates {
        groups.append(Self.group(ofConnection: connection, in: phase, runs))
      }
      groups += Self.group(ofPhase: phase, runs).map { [$0] } ?? []
    }
    return groups
  }

  /// The groups of the operations of an actor's group; empty for other groups, and for an actor with one operation.
  func operations(of group: ComparedGroup) -> [ComparedGroup] {
    guard group.kind == .actor else { return [] }
    return groups.filter { $0.kind == .operation && $0.phase == group.phase && $0.owner == group.owner }
  }

  /// The figures that some variant has, except figures of operations.
  var shownColumns: [(group: ComparedGroup, column: ComparedGroup.Column)] {
    groups.filter { $0.kind != .operation }.flatMap { group in
      group.columns.filter(group.isShown).map { (group, $0) }
    }
  }

  // MARK: Groups

  private static func group(ofActor actor: String, in phase: String, _ runs: [[RunResult]]) -> ComparedGroup {
    var columns = [
      ComparedGroup.Column(
        title: "throughput",
        name: "throughput_per_s",
        unit: .perSecond,
        better: .higher,
        figures: runs.map { VariantFigure($0) { $0.throughput(of: actor, in: phase) } }
      )
    ]
    let isOpen = runs.contains { $0.contains { $0.actor(actor, in: phase)?.load != .closed } }
    for kind in isOpen ? [TimeKind.response, .service] : [.service] {
      for percentile in Percentile.compared {
        columns.append(
          column(of: kind.rawValue, percentile: percentile, runs: runs) { $0.transactions(actor, kind, in: phase) }
        )
      }
    }
    for percentile in Percentile.compared {
      let moves = column(of: OperationResult.advance, percentile: percentile, runs: runs) {
        $0.actor(actor, in: phase)?.operation(OperationResult.advance)?.times[.service]
      }
      if moves.figures.contains(where: { $0 != nil }) { columns.append(moves) }
    }
    for percentile in Percentile.compared {
      let reads = column(of: Metric.notificationToRead.rawValue, percentile: percentile, runs: runs) {
        $0.actor(actor, in: phase)?.notificationToRead?.histogram
      }
      if reads.figures.contains(where: { $0 != nil }) { columns.append(reads) }
    }
    return ComparedGroup(kind: .actor, phase: phase, owner: actor, columns: columns)
  }

  /// nil if no read of the actor has an outcome.
  private static func group(ofReadsBy actor: String, in phase: String, _ runs: [[RunResult]]) -> ComparedGroup? {
    func operations(_ run: RunResult) -> [OperationResult] { run.actor(actor, in: phase)?.operations ?? [] }
    let names = runs.joined().flatMap { operations($0).filter { $0.outcomes != nil }.map(\.name) }.withoutDuplicates
    let columns = names.flatMap { name in
      Percentile.compared.flatMap { percentile in
        CacheOutcome.allCases.map { outcome in
          column(of: outcome.name(of: name), percentile: percentile, runs: runs) { run in
            operations(run).first { $0.name == name }?.outcomes?[outcome]
          }
        }
      }
    }
    let measured = columns.filter { $0.figures.contains { $0 != nil } }
    return measured.isEmpty
      ? nil : ComparedGroup(kind: .reads, phase: phase, owner: actor, columns: measured)
  }

  /// The groups of the operations inside an actor's transactions, if there are several.
  private static func groups(ofOperationsOf actor: String, in phase: String, _ runs: [[RunResult]]) -> [ComparedGroup] {
    let all = runs.flatMap { $0 }.compactMap { $0.actor(actor, in: phase) }.flatMap(\.operations)
    let names = all.filter { $0.isInsideTransactions && $0.times[.service] != nil }.map(\.name).withoutDuplicates
    guard names.count > 1 else { return [] }
    return names.map { name in
      func times(_ run: RunResult) -> LatencyHistogram? {
        run.actor(actor, in: phase)?.operation(name)?.times[.service]
      }
      let rate = ComparedGroup.Column(
        title: "throughput",
        name: "throughput_per_s",
        unit: .perSecond,
        better: .higher,
        figures: runs.map { runs in
          VariantFigure(runs) { run in
            run.phase(named: phase).flatMap { phase in
              times(run).flatMap { phase.ratePerSecond(of: $0.count, by: phase.actor(actor)) }
            }
          }
        }
      )
      let percentiles = Percentile.compared.map { column(of: "service", percentile: $0, runs: runs, histogram: times) }
      return ComparedGroup(kind: .operation, phase: phase, owner: actor, operation: name, columns: [rate] + percentiles)
    }
  }

  private static func column(
    of times: String,
    percentile: Percentile,
    runs: [[RunResult]],
    histogram: (RunResult) -> LatencyHistogram?
  ) -> ComparedGroup.Column {
    ComparedGroup.Column(
      title: "\(times) \(percentile.name)",
      name: "\(times)_\(percentile.name)_ns",
      unit: .nanoseconds,
      better: .lower,
      figures: runs.map { figure(of: percentile, $0, histogram) }
    )
  }

  /// Returns a percentile of the durations of all repetitions that have enough of them; percentiles are never averaged.
  private static func figure(
    of percentile: Percentile,
    _ runs: [RunResult],
    _ histogram: (RunResult) -> LatencyHistogram?
  ) -> VariantFigure? {
    let sum = runs.compactMap(histogram).filter { percentile.isValid(of: $0.count) }.sum()
    return VariantFigure(runs, merged: sum?.value(at: percentile).map { Double($0) }) { run in
      histogram(run)?.value(at: percentile).map { Double($0) }
    }
  }

  private static func group(ofConnection connection: String, in phase: String, _ runs: [[RunResult]]) -> ComparedGroup {
    let columns = CacheCount.all.map { count in
      ComparedGroup.Column(
        title: "\(count.title)/\(count.denominator.shortName)",
        name: count.column,
        unit: .number,
        better: count.better,
        figures: runs.map { VariantFigure($0) { $0.cacheUse(of: connection, in: phase)?.mean(of: count) } }
      )
    }
    return ComparedGroup(kind: .connection, phase: phase, owner: connection, columns: columns)
  }

  private static func group(ofPhase phase: String, _ runs: [[RunResult]]) -> ComparedGroup? {
    let peaks = runs.map { VariantFigure($0) { $0.walBytes(in: phase).max().map { Double($0) } } }
    guard peaks.contains(where: { $0 != nil }) else { return nil }
    return ComparedGroup(
      kind: .phase,
      phase: phase,
      owner: nil,
      columns: [
        .init(title: "WAL peak", name: "wal_bytes_max", unit: .bytes, better: .lower, figures: peaks),
        .init(
          title: "WAL area",
          name: "wal_byte_seconds",
          unit: .byteSeconds,
          better: .lower,
          figures: runs.map { VariantFigure($0) { $0.walByteSeconds(in: phase) } }
        ),
      ]
    )
  }
}
