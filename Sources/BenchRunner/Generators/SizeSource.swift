internal import BenchModel
internal import Foundation

/// Draws sizes of values, in bytes. None is smaller than the header that every value carries.
struct SizeSource {
  private let distribution: SizeDistribution

  init(_ shape: ValueShape) {
    distribution = shape.size
  }

  func next(_ random: inout RandomStream) -> Int {
    let drawn =
      switch distribution {
      case .fixed(let bytes): bytes
      case .uniform(let lower, let upper): lower + random.below(upper - lower + 1)
      case .lognormal(let median, let sigma): Int(min(Double(median) * exp(sigma * normal(&random)), 1e9))
      }
    return max(drawn, ValueShape.headerBytes)
  }

  /// The Box–Muller transform.
  private func normal(_ random: inout RandomStream) -> Double {
    sqrt(-2 * log(1 - random.unit())) * cos(2 * .pi * random.unit())
  }
}
