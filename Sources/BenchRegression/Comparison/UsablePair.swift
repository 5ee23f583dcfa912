internal import BenchResults
internal import HarnessPrimitives

/// The rules by which figures of a pair count. They treat both sides alike: a figure is left out of the pair if it is
/// disturbed in either run, and all figures are if either run had another load.
extension ComparisonPairs.Pair {
  init(_ base: ComparedRun, _ head: ComparedRun) {
    self.init(base: Self.figures(of: base), head: Self.figures(of: head))
  }

  func isDisturbed(_ name: FigureName) -> Bool {
    base[name]?.isDisturbed == true || head[name]?.isDisturbed == true
  }

  /// Whether a time that decides counts; true if the scenario has no such time.
  private var isUsable: Bool {
    let deciding = base.values.filter { $0.role == .primary }
    return deciding.isEmpty || deciding.contains { !isDisturbed($0.name) }
  }

  /// Returns the cause for which no time of a pair counts; nil if one does.
  static func obstacle(_ base: ComparedRun, _ head: ComparedRun) -> String? {
    [base, head].compactMap(\.invalidity).first
      ?? (Self(base, head).isUsable ? nil : [base, head].compactMap(\.disturbedCause).first)
  }

  private static func figures(of run: ComparedRun) -> [FigureName: RunFigure] {
    Dictionary(run.figures.map { ($0.name, $0) }) { first, _ in first }
  }
}

extension ComparedRun {
  /// Whether all figures of the run are left out.
  var isInvalid: Bool { invalidity != nil }

  /// The cause of the disturbance; nil if no figure is disturbed.
  fileprivate var disturbedCause: String? {
    figures.contains(where: \.isDisturbed) ? disturbance ?? "machine busy: workers waited" : nil
  }
}

/// The counts of the figures that are left out of pairs, with their causes.
struct ExclusionCount {
  private struct Entry {
    var cause: String
    /// The number of the pair.
    var pair: Int
    /// nil if the pair is left out as a whole.
    var times: Set<FigureName>?
  }

  private var pairs = 0
  private var unusablePairs = 0
  private var entries: [Entry] = []

  /// Adds a pair that measured times, and in which no run failed.
  mutating func add(_ base: ComparedRun, _ head: ComparedRun) {
    pairs += 1
    if ComparisonPairs.Pair.obstacle(base, head) != nil { unusablePairs += 1 }
    let invalid = [base, head].compactMap(\.invalidity)
    entries += invalid.map { Entry(cause: $0, pair: pairs) }
    guard invalid.isEmpty else { return }
    for run in [base, head] {
      guard let cause = run.disturbedCause else { continue }
      let times = Set(run.figures.filter(\.isDisturbed).map(\.name))
      entries.append(Entry(cause: cause, pair: pairs, times: times))
    }
  }

  /// nil if no figure is left out.
  var result: ExcludedFigures? {
    guard !entries.isEmpty else { return nil }
    let (whole, times) = (entries.filter { $0.times == nil }, entries.filter { $0.times != nil })
    let causes = (Self.causes(of: whole) + Self.causes(of: times)).sorted { $0.pairs > $1.pairs }
    return ExcludedFigures(pairs: pairs, unusablePairs: unusablePairs, causes: causes)
  }

  private static func causes(of entries: [Entry]) -> [ExcludedFigures.Cause] {
    AlikeTexts.groups(of: entries.map(\.cause)).map { group in
      // A time that is disturbed in both runs of a pair counts once.
      let times = Dictionary(group.indices.map { (entries[$0].pair, entries[$0].times ?? []) }) { $0.union($1) }
      let isWhole = entries[group.indices[0]].times == nil
      return ExcludedFigures.Cause(
        group.text,
        pairs: times.count,
        times: isWhole ? nil : times.values.reduce(0) { $0 + $1.count }
      )
    }
  }
}
