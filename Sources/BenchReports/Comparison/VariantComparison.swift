internal import BenchResults

/// The figures of all variants for an actor, one of its operations, a connection, or a phase.
struct ComparedGroup {
  enum Kind {
    /// The figures that a report states first, which may belong to several actors and phases.
    case headline
    case actor, operation, connection, phase
    /// The reads of single rows of an actor, by their outcome in the connection's caches.
    case reads
  }

  struct Column {
    /// nil for a count of a connection's caches.
    var id: FigureID?
    var title: String
    /// The name in `variants.csv`, with the unit of the values.
    var name: String
    var unit: FigureUnit
    /// nil for a figure without a better direction.
    var better: BetterValues?
    /// nil for a figure of whole transactions, of a connection or of a phase.
    var operation: String?
    /// Whether it is drawn only if two variants differ in it for certain.
    var isMinor = false
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
    (self.id, self.title) = (id, title ?? id.title)
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
  /// Whether any variant has the figure. Only a figure of an actor, or one that was asked for, may be 0 in all
  /// repetitions.
  func isShown(_ column: Column) -> Bool {
    column.figures.contains { figure in
      figure.map { [.headline, .actor].contains(kind) || $0.highest > 0 } ?? false
    }
  }
}

/// The variants of a scenario, side by side. Phases that were not recorded are left out.
struct VariantComparison {
  let variants: [ScenarioResult.Variant]
  /// nil unless the variants differ in one numeric setting.
  let axis: VariantAxis?
  /// The figures that the report states first.
  let headline: ComparedGroup
  let groups: [ComparedGroup]
  /// The figures of the invalid runs alone, which are left out of `groups`.
  private let groupsLeftOut: [ComparedGroup]

  init(_ result: ScenarioResult) {
    variants = result.variants
    axis = VariantAxis(variants)
    let runs = variants.map { result.runsWithFigures(of: $0) }
    let leftOut = variants.map { result.runsLeftOut(of: $0) }
    let asked = HeadlineFigures.ids(of: result)
    (headline, groups) = (Self.headline(asked, of: runs), Self.groups(of: runs))
    groupsLeftOut = [Self.headline(asked, of: leftOut)] + Self.groups(of: leftOut)
  }

  /// - Parameter runs: The runs of each variant.
  private static func headline(_ ids: [FigureID], of runs: [[RunResult]]) -> ComparedGroup {
    let columns = ids.map { id in
      let variants = runs.map { $0.map { RepeatedPhase($0, id.scope.phase) } }
      return ComparedGroup.Column(id, id.nameInScope, titled: "\(id.scope) \(id.title)", of: variants)
    }
    return ComparedGroup(kind: .headline, phase: "", columns: columns)
  }

  /// Returns the estimated ratio of a variant's figure to the first variant's figure; nil without positive values.
  func ratio(of column: ComparedGroup.Column, of variant: Int) -> EffectEstimate? {
    EffectEstimate(ratiosOf: pairs(of: column, variant, 0))
  }

  /// Whether the figure is drawn: two variants differ in it, or, unless it is minor, may differ.
  func isDrawn(_ column: ComparedGroup.Column) -> Bool { differs(column) ?? !column.isMinor }

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
    let figures =
      own?.columns.first { ($0.id, $0.name) == (column.id, column.name) }?.figures ?? variants.map { _ in nil }
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

  /// The figures that some variant has, except figures of operations, each once: those that the report states first,
  /// then the others.
  var shownGroups: [ComparedGroup] {
    let first = Set(headline.columns.compactMap(\.id))
    return ([headline] + groups.filter { $0.kind != .operation }).compactMap { group in
      var shown = group
      shown.columns = group.columns.filter { column in
        group.isShown(column) && (group.kind == .headline || column.id.map { !first.contains($0) } ?? true)
      }
      return shown.columns.isEmpty ? nil : shown
    }
  }

  var shownColumns: [(group: ComparedGroup, column: ComparedGroup.Column)] {
    shownGroups.flatMap { group in group.columns.map { (group, $0) } }
  }

  /// The figures that the report states first and `groups` lacks, each as a group of its own.
  var furtherGroups: [ComparedGroup] {
    let known = Set(groups.flatMap(\.columns).compactMap(\.id))
    return headline.columns.compactMap { column in
      guard let id = column.id, !known.contains(id) else { return nil }
      return ComparedGroup(
        kind: .headline,
        phase: id.scope.phase,
        owner: id.scope.actor,
        operation: id.scope.operation,
        columns: [column]
      )
    }
  }

  /// The groups of the operations of an actor's group; empty for other groups, and for an actor with one operation.
  func operations(of group: ComparedGroup) -> [ComparedGroup] {
    guard group.kind == .actor else { return [] }
    return groups.filter { $0.kind == .operation && $0.phase == group.phase && $0.owner == group.owner }
  }
}

/// The groups of one phase.
private struct PhaseGroups {
  typealias Column = ComparedGroup.Column

  let phase: String
  let variants: [[RepeatedPhase]]

  func ofActor(_ name: String) -> [ComparedGroup] {
    let actors = variants.joined().compactMap { $0.figures?.phase.actor(name) }
    let scope = FigureScope(phase, actor: name)
    let isOpen = actors.contains { $0.load != .closed }
    var columns = [throughput(of: scope)]
    if actors.contains(where: \.hasSeveralOperationsPerTransaction) {
      columns.append(Column(FigureID(.operations, of: scope), "operations_per_s", of: variants))
    }
    columns += measured([Column(FigureID(.loadEndRate, of: scope), "end_rate_per_s", of: variants)])
    for metric in isOpen ? [Metric.response, .service] : [.service] { columns += percentiles(of: metric, scope) }
    var moves = scope
    moves.operation = OperationResult.advance
    columns += measured(percentiles(of: .service, moves, titled: OperationResult.advance))
    columns += measured(percentiles(of: .notificationToRead, scope))
    if actors.contains(where: { $0.droppedArrivals != nil }) {
      var dropped = FigureID(.harnessDropped, of: scope)
      dropped.isShare = true
      columns.append(Column(dropped, "dropped_share", of: variants))
    }
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
      Column(
        count,
        figures: variants.map { VariantFigure($0) { $0.run.cacheUse(of: name, in: phase)?.mean(of: count) } }
      )
    }
    return ComparedGroup(kind: .connection, phase: phase, owner: name, columns: columns)
  }

  /// Empty if no run has any of the figures.
  var ofPhase: [ComparedGroup] {
    let scope = FigureScope(phase)
    func column(_ name: String, _ metric: Metric, aggregate: Aggregate? = nil, isMinor: Bool = true) -> Column {
      var column = Column(FigureID(metric, aggregate, of: scope), name, of: variants)
      column.isMinor = isMinor
      return column
    }
    let wal = [
      column("wal_bytes_max", .walBytes, aggregate: .max, isMinor: false),
      column("wal_byte_seconds", .walByteSeconds),
    ]
    let others = [
      column("recovery_duration_max_ns", .recoveryDuration, aggregate: .max, isMinor: false),
      column("recovery_frames_max", .recoveryFrames, aggregate: .max),
      column("notification_lag_p50_ns", .notificationLag, aggregate: .p50),
      column("notification_lag_p99_ns", .notificationLag, aggregate: .p99),
      column("checkpoints", .checkpointCount), column("write_amplification", .ioWriteAmplification),
      column("memory_resident_max", .memoryResident, aggregate: .max),
    ]
    // The duration of other phases is given.
    let isOpenEnded = variants.joined().contains { one in
      one.figures.map { $0.phase.condition != nil || $0.phase.countsOperations } ?? false
    }
    let columns =
      (isOpenEnded ? [column("duration_ns", .duration, isMinor: false)] : []) + (measured(wal).isEmpty ? [] : wal)
      + measured(others)
    return columns.isEmpty ? [] : [ComparedGroup(kind: .phase, phase: phase, columns: columns)]
  }

  private func throughput(of scope: FigureScope) -> Column {
    Column(FigureID(.throughput, .mean, of: scope), "throughput_per_s", of: variants)
  }

  /// - Parameter times: The name of the durations; nil for the metric's.
  private func percentiles(
    of metric: Metric,
    _ scope: FigureScope,
    titled times: String? = nil
  ) -> [Column] {
    let times = times ?? metric.rawValue
    return Percentile.compared.map { percentile in
      Column(
        FigureID(metric, percentile.aggregate, of: scope),
        "\(times)_\(percentile.name)_ns",
        titled: "\(times) \(percentile.name)",
        of: variants
      )
    }
  }

  /// Returns the columns of figures that any variant has.
  private func measured(_ columns: [Column]) -> [Column] {
    columns.filter { $0.figures.contains { $0 != nil } }
  }
}

extension Collection<ActorResult> {
  /// The names of the timed operations inside the actors' transactions, each once.
  var timedOperations: [String] {
    flatMap(\.operations).filter { $0.isInsideTransactions && $0.times[.service] != nil }.map(\.name).withoutDuplicates
  }
}
