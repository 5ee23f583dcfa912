/// The comparison of variants by the spread of their repetitions.
extension VariantFigure {
  /// The fewest repetitions of each variant with which a difference is stated.
  static let fewestRepetitions = 3

  /// A ratio, or the reason why there is none.
  enum Difference: Equatable {
    /// The ranges of the repetitions do not overlap.
    case ratio(Double)
    /// The ranges overlap, or a variant has fewer than `fewestRepetitions`. The number is that of the variant with
    /// fewer repetitions.
    case unclear(repetitions: Int)
  }

  /// Returns the difference to another variant's figure; nil if a figure is missing or 0.
  func difference(to other: VariantFigure?) -> Difference? {
    guard let other, let ratio = ratio(to: other) else { return nil }
    let repetitions = min(ofRepetitions.count, other.ofRepetitions.count)
    guard repetitions >= Self.fewestRepetitions, highest < other.lowest || other.highest < lowest else {
      return .unclear(repetitions: repetitions)
    }
    return .ratio(ratio)
  }
}

extension ComparedGroup.Column {
  /// Whether the ranges of at least two variants do not overlap; nil if fewer than two variants have enough
  /// repetitions.
  var differs: Bool? {
    let known = figures.compactMap { $0 }.filter { $0.ofRepetitions.count >= VariantFigure.fewestRepetitions }
    guard known.count > 1, let highestStart = known.map(\.lowest).max(), let lowestEnd = known.map(\.highest).min()
    else { return nil }
    return highestStart > lowestEnd
  }
}

extension ComparedGroup {
  /// Whether any variant has the figure. Only a figure of an actor may be 0 in all repetitions.
  func isShown(_ column: Column) -> Bool {
    column.figures.contains { figure in figure.map { kind == .actor || $0.highest > 0 } ?? false }
  }
}
