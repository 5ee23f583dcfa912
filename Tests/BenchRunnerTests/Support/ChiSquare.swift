/// Pearson's test of whether counts fit a distribution.
struct ChiSquare: CustomStringConvertible {
  let statistic: Double
  let degrees: Int

  /// Cells with an expected count below ten are merged with the following cells, because the approximation requires it.
  init(_ counts: [Int], probabilities: [Double]) {
    let total = Double(counts.reduce(0, +))
    var cells: [(observed: Double, expected: Double)] = []
    var open = (observed: 0.0, expected: 0.0)
    for (count, probability) in zip(counts, probabilities) {
      open.observed += Double(count)
      open.expected += probability * total
      if open.expected >= 10 {
        cells.append(open)
        open = (0, 0)
      }
    }
    if !cells.isEmpty {
      cells[cells.count - 1].observed += open.observed
      cells[cells.count - 1].expected += open.expected
    }
    degrees = max(cells.count - 1, 1)
    statistic = cells.reduce(0) { $0 + ($1.observed - $1.expected) * ($1.observed - $1.expected) / $1.expected }
  }

  /// The value that about one in a billion samples exceeds: six standard deviations, by the approximation of
  /// Wilson and Hilferty.
  static func bound(degrees: Int) -> Double {
    let ninth = 2 / (9 * Double(degrees))
    let root = 1 - ninth + 6 * ninth.squareRoot()
    return Double(degrees) * root * root * root
  }

  var bound: Double { Self.bound(degrees: degrees) }

  var fits: Bool { statistic <= bound }
  var description: String { "chi-square \(statistic) of \(degrees) degrees, at most \(bound) expected" }
}
