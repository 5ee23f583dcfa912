internal import Foundation
internal import HarnessPrimitives

/// Distributions of durations, both typical and extreme.
enum DurationShape: CaseIterable, Sendable {
  /// All orders of magnitude are equally likely.
  case logUniform
  case uniform
  /// A long tail; most durations are short.
  case exponential
  /// As with hits and misses of a cache.
  case bimodal
  /// A few values, each repeated many times.
  case steps
  /// Durations below the first bucket that is wider than 1 ns.
  case tiny

  /// Draws a duration in nanoseconds, from 1 ns to 1 h.
  func draw(_ generator: inout RandomStream) -> UInt64 {
    let unit = Double(generator.next() >> 11) / Double(1 << 53)
    let nanoseconds: Double =
      switch self {
      case .logUniform: pow(3.6e12, unit)
      case .uniform: unit * 1e9
      case .exponential: -1e6 * log(1 - unit)
      case .bimodal: generator.next() % 10 == 0 ? 5e6 + unit * 1e6 : 2e3 + unit * 500
      case .steps: [700, 1_000_003, 123_456_789][Int(unit * 3)]
      case .tiny: unit * 2_000
      }
    return UInt64(min(max(nanoseconds, 1), 3.6e12))
  }
}
