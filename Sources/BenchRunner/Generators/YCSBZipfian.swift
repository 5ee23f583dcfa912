internal import Foundation
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// The generator that YCSB calls zipfian (Gray et al., "Quickly generating billion-record synthetic databases", SIGMOD
/// 1994), bit for bit: equal draws of 0 ≤ u < 1 give equal numbers. It approximates a Zipf law; `ZipfLaw` is exact.
struct YCSBZipfian {
  static let theta = 0.99

  private(set) var count: Int
  private(set) var zeta: Double
  private(set) var eta: Double
  private let firstCount: Int
  private let alpha: Double

  /// - Parameters:
  ///   - count: the number of ranks, 1 or more.
  ///   - zeta: the sum of i^−θ for i from 1 to `count`; nil computes it.
  init(count: Int, zeta: Double? = nil) {
    self.count = count
    firstCount = count
    self.zeta = zeta ?? ZetaSums.sum(upTo: count)
    alpha = 1 / (1 - Self.theta)
    eta = Self.eta(firstCount, zeta: self.zeta)
  }

  /// Increases the number of ranks. As in YCSB, `eta` keeps depending on the first number.
  mutating func grow(to count: Int) {
    guard count > self.count else { return }
    zeta = ZetaSums.direct(from: self.count, upTo: count, after: zeta)
    eta = Self.eta(firstCount, zeta: zeta)
    self.count = count
  }

  private static func eta(_ count: Int, zeta: Double) -> Double {
    (1 - pow(2 / Double(count), 1 - theta)) / (1 - ZetaSums.ofTwo / zeta)
  }

  /// Returns a rank from 0.
  func rank(_ u: Double) -> Int {
    let area = u * zeta
    if area < 1 { return 0 }
    if area < 1 + pow(0.5, Self.theta) { return 1 }
    return Int(saturating: Double(count) * pow(eta * u - eta + 1, alpha))
  }
}

/// YCSB's `ScrambledZipfianGenerator` as its core workload uses it: ranks of 10,000,000,001 items are hashed to a range
/// that is one larger than the most rows, and a row that has not been inserted is drawn again.
struct YCSBScrambledZipfian {
  private static let items = 10_000_000_001
  /// YCSB's own constant; the computation of the sum would take minutes.
  private static let zeta = 26.469_028_201_783_02

  private static let ranks = YCSBZipfian(count: items, zeta: zeta)
  /// The most rows, loaded and inserted. The hot rows depend on it, so it must not change.
  let limit: Int

  static var eta: Double { ranks.eta }

  /// - Parameters:
  ///   - count: the number of rows that there are.
  ///   - unit: returns a random number 0 ≤ u < 1.
  func draw(below count: Int, _ unit: () -> Double) -> Int {
    while true {
      let row = Int(YCSBHash.hash(UInt64(Self.ranks.rank(unit())))) % (limit + 1)
      if row < count { return row }
    }
  }
}

enum YCSBHash {
  /// YCSB's `fnvhash64`: FNV-1a over the eight bytes, the lowest first, as a positive number.
  static func hash(_ value: UInt64) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      hash = (hash ^ (value >> shift & 0xff)) &* 0x0000_0100_0000_01b3
    }
    return Int64(bitPattern: hash).magnitude
  }
}

/// YCSB's `SkewedLatestGenerator`: the newest row is the hottest. As in YCSB, row 0 is never drawn if there are others.
struct YCSBLatest {
  private var ranks: YCSBZipfian

  /// - Parameters:
  ///   - loaded: the number of loaded rows.
  ///   - count: the number of rows that there are now.
  init(loaded: Int, count: Int) {
    ranks = YCSBZipfian(count: max(loaded - 1, 1))
    ranks.grow(to: count - 1)
  }

  /// - Parameter count: the present number of rows, never smaller than in earlier draws.
  mutating func draw(_ u: Double, below count: Int) -> Int {
    let last = count - 1
    guard last > 0 else { return 0 }
    ranks.grow(to: last)
    // With one or two loaded rows, YCSB's formula exceeds the range after growth.
    return max(last - ranks.rank(u), 0)
  }
}

/// Sums of i^−θ. They are cached, because the sum of a large collection takes time and every worker needs the same one.
enum ZetaSums {
  static let ofTwo = direct(from: 0, upTo: 2, after: 0)
  private static let known = Guarded<[Int: Double]>([:])

  static func sum(upTo count: Int) -> Double {
    if let sum = known.withLock({ $0[count] }) { return sum }
    let sum = direct(from: 0, upTo: count, after: 0)
    known.withLock { $0[count] = sum }
    return sum
  }

  /// Returns `sum` plus the terms from `start + 1` to `end`, added in YCSB's order, so that the last bits are the same.
  static func direct(from start: Int, upTo end: Int, after sum: Double) -> Double {
    (start..<end).reduce(sum) { $0 + 1 / pow(Double($1 + 1), YCSBZipfian.theta) }
  }
}
