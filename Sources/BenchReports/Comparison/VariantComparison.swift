internal import BenchResults

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
    /// nil for a figure of whole transactions, of a connection or of a phase.
    var operation: String?
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

extension ComparedGroup.Column {
  /// - Parameter title: nil for the figure's own title.
  init(_ id: FigureID, _ name: String, titled title: String? = nil, of variants: [[RepeatedPhase]]) {
    self.title = title ?? id.title
    (self.name, unit, better, operation) = (name, id.unit, id.better, id.scope.operation)
    figures = variants.map { VariantFigure(id, of: $0) }
  }

  init(_ count: CacheCount, figures: [VariantFigure?]) {
    title = "\(count.title)/\(count.denominator.shortName)"
    (name, unit, better) = (count.column, .number, count.better)
    self.figures = figures
  }
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
  /// The figures of the invalid runs alone, which are left out of `groups`.
  private let groupsLeftOut: [ComparedGroup]

  init(_ result: ScenarioResult) {
    variants = result.variants
    groups = Self.groups(of: result.variants.map { result.runsWithFigures(of: $0) })
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

  private func pairs(of column: ComparedGroup.Column, _ variant: Int, _ other: Int) -> [(Double, Double)] {
    guard let own = column.figures[variant], let others = column.figures[other] else { return [] }
    return own.pairs(with: others)
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
    return all.flatMap { $0.phases.filter(\.isRecorded).map(\.name) }.withoutDuplicates.flatMap { phase in
      let groups = PhaseGroups(phase: phase, variants: runs.map { $0.map { RepeatedPhase($0, phase) } })
      let connections = all.flatMap { $0.cachingConnections(in: phase) }.withoutDuplicates
      return all.flatMap { $0.actors(in: phase) }.withoutDuplicates.flatMap(groups.ofActor)
        + connections.map(groups.ofConnection) + groups.ofPhase
    }
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
}

/// The groups of one phase.
private struct PhaseGroups {
  let phase: String
  let variants: [[RepeatedPhase]]

  func ofActor(_ name: String) -> [ComparedGroup] {
    let actors = variants.joined().compactMap { $0.figures?.phase.actor(name) }
    let scope = FigureScope(phase, actor: name)
    let isOpen = actors.contains { $0.load != .closed }
    var columns = [throughput(of: scope)]
    for metric in isOpen ? [Metric.response, .service] : [.service] { columns += percentiles(of: metric, scope) }
    var moves = scope
    moves.operation = OperationResult.advance
    columns += measured(percentiles(of: .service, moves, titled: OperationResult.advance))
    columns += measured(percentiles(of: .notificationToRead, scope))
    return [ComparedGroup(kind: .actor, phase: phase, owner: name, columns: columns)] + operations(of: actors, scope)
      + reads(by: actors, scope)
  }

  /// The groups of the operations inside an actor's transactions, if there are several.
  private func operations(of actors: [ActorResult], _ scope: FigureScope) -> [ComparedGroup] {
    let names = actors.timedOperations
    guard names.count > 1 else { return [] }
    return names.map { name in
      var scope = scope
      scope.operation = name
      return ComparedGroup(
        kind: .operation,
        phase: phase,
        owner: scope.actor,
        operation: name,
        columns: [throughput(of: scope)] + percentiles(of: .service, scope)
      )
    }
  }

  /// The group of the reads of single rows; empty if no read of the actor has an outcome.
  private func reads(by actors: [ActorResult], _ scope: FigureScope) -> [ComparedGroup] {
    let names = actors.flatMap(\.operations).filter { $0.outcomes != nil }.map(\.name).withoutDuplicates
    let columns = names.flatMap { name in
      let times = CacheOutcome.allCases.map { outcome in
        let scope = FigureScope(phase, actor: scope.actor, operation: name, outcome: outcome)
        return percentiles(of: .service, scope, titled: outcome.name(of: name))
      }
      return Percentile.compared.indices.flatMap { index in times.map { $0[index] } }
    }
    let measured = measured(columns)
    return measured.isEmpty ? [] : [ComparedGroup(kind: .reads, phase: phase, owner: scope.actor, columns: measured)]
  }

  func ofConnection(_ name: String) -> ComparedGroup {
    let columns = CacheCount.all.map { count in
      ComparedGroup.Column(
        count,
        figures: variants.map { VariantFigure($0) { $0.run.cacheUse(of: name, in: phase)?.mean(of: count) } }
      )
    }
    return ComparedGroup(kind: .connection, phase: phase, owner: name, columns: columns)
  }

  /// Empty without a WAL.
  var ofPhase: [ComparedGroup] {
    let scope = FigureScope(phase)
    let peak = ComparedGroup.Column(FigureID(.walBytes, .max, of: scope), "wal_bytes_max", of: variants)
    let area = ComparedGroup.Column(FigureID(.walByteSeconds, of: scope), "wal_byte_seconds", of: variants)
    return measured([peak]).isEmpty ? [] : [ComparedGroup(kind: .phase, phase: phase, columns: [peak, area])]
  }

  private func throughput(of scope: FigureScope) -> ComparedGroup.Column {
    ComparedGroup.Column(FigureID(.throughput, .mean, of: scope), "throughput_per_s", of: variants)
  }

  /// - Parameter times: The name of the durations; nil for the metric's.
  private func percentiles(
    of metric: Metric,
    _ scope: FigureScope,
    titled times: String? = nil
  ) -> [ComparedGroup.Column] {
    let times = times ?? metric.rawValue
    return Percentile.compared.map { percentile in
      ComparedGroup.Column(
        FigureID(metric, percentile.aggregate, of: scope),
        "\(times)_\(percentile.name)_ns",
        titled: "\(times) \(percentile.name)",
        of: variants
      )
    }
  }

  /// Returns the columns of figures that any variant has.
  private func measured(_ columns: [ComparedGroup.Column]) -> [ComparedGroup.Column] {
    columns.filter { $0.figures.contains { $0 != nil } }
  }
}

extension Collection<ActorResult> {
  /// The names of the timed operations inside the actors' transactions, each once.
  var timedOperations: [String] {
    flatMap(\.operations).filter { $0.isInsideTransactions && $0.times[.service] != nil }.map(\.name).withoutDuplicates
  }
}
