internal import BenchModel

/// `variants.csv`: one row per variant, figure and what it belongs to, as the report holds them against each other.
///
/// `value` is the median of the repetitions, of a percentile that of all repetitions' durations together; `min` and
/// `max` are the repetitions' own; `ratio` is to the first variant.
enum VariantsTable {
  static let columns = [
    "variant", "phase", "connection_or_actor", "figure", "value", "min", "max", "repetitions", "ratio",
  ]

  static func table(of comparison: VariantComparison) -> CSVTable {
    var table = CSVTable(columns: columns)
    for group in comparison.groups {
      for column in group.columns {
        for (variant, figure) in zip(comparison.variants, column.figures) {
          guard let figure else { continue }
          table.append([
            .optional(variant.name), .text(group.phase), .optional(group.owner), .text(column.name),
            .decimal(figure.value), .decimal(figure.lowest), .decimal(figure.highest),
            .integer(figure.ofRepetitions.count), figure.ratio(to: column.figures[0]).map { .decimal($0) } ?? .missing,
          ])
        }
      }
    }
    return table
  }
}

extension VariantFigure {
  /// nil where there is nothing to compare with.
  func ratio(to first: VariantFigure?) -> Double? {
    first.flatMap { $0.value == 0 ? nil : value / $0.value }
  }
}
