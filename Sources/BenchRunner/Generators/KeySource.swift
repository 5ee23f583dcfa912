internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives

/// Draws rows of a collection by the scenario's distribution.
///
/// As in YCSB, `scrambled`, `latest` and `exponential` draw inserted rows too, as far as the inserts of all earlier
/// rows have been acknowledged; the others draw loaded rows only.
enum KeySource {
  case sequential(next: Int, count: Int)
  case uniform(count: Int)
  case zipfian(ZipfLaw)
  case scrambled(YCSBScrambledZipfian, RowNumbers)
  case latest(YCSBLatest, RowNumbers)
  /// The first `hot` rows get `share` of the operations.
  case hotspot(hot: Int, share: Double, count: Int)
  /// The probability of a row falls exponentially with its distance from the newest row, at this rate.
  case exponential(rate: Double, RowNumbers)

  /// - Parameter start: the first row of `sequential`. Threads start apart, so that they draw different rows.
  init(_ distribution: KeyDistribution, of rows: RowNumbers, start: Int = 0) {
    let count = rows.loaded
    switch distribution {
    case .sequential: self = .sequential(next: start, count: count)
    case .uniform: self = .uniform(count: count)
    case .zipfian(let theta): self = .zipfian(ZipfLaw(count: count, exponent: theta))
    case .scrambledZipfian: self = .scrambled(YCSBScrambledZipfian(limit: rows.limit), rows)
    case .latest: self = .latest(YCSBLatest(loaded: count, count: rows.acknowledged), rows)
    case .hotspot(let data, let operations):
      // Rounded, because 29 % of 100 is a little less than 29 in floating point.
      let hot = min(max(Int(saturating: (Double(count) * data).rounded()), 1), count)
      self = .hotspot(hot: hot, share: operations, count: count)
    case .exponential(let percentile, let fraction):
      // The law before its truncation in `next`: `percentile` of the draws are among the newest rows.
      self = .exponential(rate: -log1p(-percentile) / (Double(count) * fraction), rows)
    }
  }

  /// Draws rows, and appends them.
  mutating func draw(_ count: Int, _ random: inout RandomStream, to rows: inout [Int]) {
    if case .uniform(let limit) = self {
      for _ in 0..<count { rows.append(random.below(limit)) }
    } else {
      for _ in 0..<count { rows.append(next(&random)) }
    }
  }

  mutating func next(_ random: inout RandomStream) -> Int {
    switch self {
    case .sequential(let next, let count):
      self = .sequential(next: next + 1 == count ? 0 : next + 1, count: count)
      return next
    case .uniform(let count):
      return random.below(count)
    case .zipfian(let law):
      return law.draw(&random)
    case .scrambled(let law, let rows):
      return law.draw(below: rows.acknowledged) { random.unit() }
    case .latest(var law, let rows):
      let row = law.draw(random.unit(), below: rows.acknowledged)
      self = .latest(law, rows)
      return row
    case .hotspot(let hot, let share, let count):
      if hot == count || random.unit() < share { return random.below(hot) }
      return hot + random.below(count - hot)
    case .exponential(let rate, let rows):
      // The inverse of the distribution truncated after the oldest row. Redrawing until a row exists, as YCSB does,
      // could take a million rounds for a percentile of 0.0001 %.
      let last = rows.acknowledged - 1
      let massOfRows = -expm1(-rate * Double(last + 1))
      return last - min(Int(saturating: -log1p(-random.unit() * massOfRows) / rate), last)
    }
  }
}

/// A true Zipf law: rank r of n is drawn with a probability in proportion to 1 / (r + 1)^s.
///
/// Rejection-inversion, W. Hörmann and G. Derflinger, "Rejection-inversion to generate variates from monotone discrete
/// distributions", ACM TOMACS 6 (1996): exact, no tables, about 1.1 rounds a draw for every n.
struct ZipfLaw {
  private let count: Double
  private let exponent: Double
  private let lowest: Double
  private let highest: Double
  private let shortcut: Double

  /// - Parameter exponent: s > 0; 0.99 is YCSB's θ.
  init(count: Int, exponent: Double) {
    self.count = Double(count)
    self.exponent = exponent
    lowest = Self.integral(1.5, exponent) - 1
    highest = Self.integral(Double(count) + 0.5, exponent)
    shortcut = 2 - Self.inverse(Self.integral(2.5, exponent) - Self.density(2, exponent), exponent)
  }

  /// Draws a rank from 0.
  func draw(_ random: inout RandomStream) -> Int {
    while true {
      let area = highest + random.unit() * (lowest - highest)
      let point = Self.inverse(area, exponent)
      let rank = min(max((point).rounded(), 1), count)
      if rank - point <= shortcut || area >= Self.integral(rank + 0.5, exponent) - Self.density(rank, exponent) {
        return Int(saturating: rank) - 1
      }
    }
  }

  private static func density(_ x: Double, _ s: Double) -> Double { exp(-s * log(x)) }

  /// The integral of the density, written so that it is exact for s near 1 too.
  private static func integral(_ x: Double, _ s: Double) -> Double {
    let logarithm = log(x)
    let t = (1 - s) * logarithm
    return (abs(t) > 1e-8 ? expm1(t) / t : 1 + t / 2 * (1 + t / 3)) * logarithm
  }

  private static func inverse(_ y: Double, _ s: Double) -> Double {
    let t = max(y * (1 - s), -1)
    return exp((abs(t) > 1e-8 ? log1p(t) / t : 1 - t / 2 * (1 - t * 2 / 3)) * y)
  }
}
