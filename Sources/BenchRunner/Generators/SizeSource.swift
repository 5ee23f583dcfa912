internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives

/// Draws sizes of values in bytes. No size is smaller than the contents that every value has.
struct SizeSource {
  private let distribution: SizeDistribution
  /// The size of a value's header and, if it has one, its balance.
  private let leastBytes: Int
  /// The fraction of a value's body that is zeros.
  let compressible: Double

  init(_ shape: ValueShape, hasBalance: Bool = false) {
    distribution = shape.size
    leastBytes = ValueShape.headerBytes + (hasBalance ? ValueShape.balanceBytes : 0)
    compressible = shape.compressible
  }

  func next(_ random: inout RandomStream) -> Int {
    let drawn =
      switch distribution {
      case .fixed(let bytes): bytes
      case .uniform(let lower, let upper): lower + random.below(upper - lower + 1)
      case .histogram(let histogram): Self.size(histogram, random.below(histogram.cumulativeCounts.last ?? 1))
      case .lognormal(let median, let sigma): Int(saturating: min(Double(median) * exp(sigma * normal(&random)), 1e9))
      }
    return max(drawn, leastBytes)
  }

  /// Returns the first size whose cumulative count is greater than `drawn`, which is smaller than the last one.
  private static func size(_ histogram: SizeHistogram, _ drawn: Int) -> Int {
    histogram.sizesBytes[histogram.cumulativeCounts.partitioningIndex { $0 > drawn }]
  }

  /// The Box–Muller transform.
  private func normal(_ random: inout RandomStream) -> Double {
    sqrt(-2 * log(1 - random.unit())) * cos(2 * .pi * random.unit())
  }
}
