public import BenchModel

/// The effect of one figure over pairs of runs, without a verdict.
public struct EstimatedFigure: Sendable {
  public var name: FigureName
  public var better: BetterValues
  public var estimate: EffectEstimate

  /// The effect in half-widths of its interval; 0 without an interval.
  public var clarity: Double {
    guard let interval = estimate.interval95 else { return 0 }
    // Ties may leave an interval without a width.
    return estimate.effect / max((interval.upperBound - interval.lowerBound) / 2, 1e-6)
  }
}

/// The effects of the pairs of one scenario.
public enum PairEstimates {
  /// Returns every figure that all runs of the pairs have and that may decide, in the order of the names.
  /// - Parameter runs: runs of one scenario, in any stages.
  public static func figures(of runs: [ComparedRun]) -> [EstimatedFigure] {
    let pairs = ComparisonPairs(runs).all
    guard let sample = pairs.first else { return [] }
    let names = sample.base.values.filter { $0.role == .primary }.sorted { $0.name < $1.name }
    return names.compactMap { figure in
      let base = pairs.compactMap { $0.base[figure.name] }
      let head = pairs.compactMap { $0.head[figure.name] }
      guard base.count == pairs.count, head.count == pairs.count,
        (base + head).allSatisfy({ ($0.exceedances ?? .max) >= RunFigures.decidingExceedances }),
        let differences = try? PairedDifferences(
          base: base.map(\.value),
          head: head.map(\.value),
          better: figure.better
        )
      else { return nil }
      return EstimatedFigure(name: figure.name, better: figure.better, estimate: EffectEstimate(differences))
    }
  }
}
