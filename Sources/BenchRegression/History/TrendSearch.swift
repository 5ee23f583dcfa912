public import BenchResults
internal import SeededRandom

/// Finds the alarms of a history.
public struct TrendSearch: Sendable {
  /// The number of nights by which a change point may move when nights are added, and still be the same alarm.
  public static let tolerance = 2

  /// The smallest change that counts, as a logarithm.
  public var minimumMagnitude: Double
  public var seed: UInt64

  public init(minimumMagnitude: Double, seed: UInt64 = 1) {
    self.minimumMagnitude = minimumMagnitude
    self.seed = seed
  }

  /// Returns the alarms of a figure: the known ones, unchanged, and new ones.
  ///
  /// Nights on another machine, or with another pinned build or other settings, are another series. The search covers
  /// the last series.
  public func alarms(of figure: FigureName, in nights: [Night], known: [TrendAlarm]) -> [TrendAlarm] {
    let own = known.filter { $0.figure == figure }
    let series = Self.lastSeries(nights.filter { $0.effect(of: figure) != nil })
    let search = ChangePointSearch(minimumMagnitude: minimumMagnitude, seed: seed)
    // A change at the last index that the search allows may really be later; the next night shows whether it is.
    let found = search.changePoints(in: series.map { $0.effect(of: figure) ?? 0 }).points
      .filter { series.count - $0.index > search.minimumSegment }
    let fresh = found.filter { point in
      !own.contains { alarm in
        guard let index = series.firstIndex(where: { $0.time == alarm.firstTime }) else { return false }
        return abs(index - point.index) <= Self.tolerance
      }
    }
    return own
      + fresh.map { point in
        TrendAlarm(
          figure,
          last: series[point.index - 1],
          first: series[point.index],
          magnitude: point.magnitude,
          pValue: point.pValue
        )
      }
  }

  private static func lastSeries(_ nights: [Night]) -> [Night] {
    guard let last = nights.last else { return [] }
    let start = nights.lastIndex { !$0.isComparable(with: last) }
    return Array(nights[(start.map { $0 + 1 } ?? 0)...])
  }
}

/// A change of level in a series.
public struct ChangePoint: Sendable, Equatable {
  /// The index of the first value of the new level.
  public var index: Int
  /// The share of series, of the original and the shuffled ones, whose greatest difference is at least as great.
  public var pValue: Double
  /// The medians of the levels before and after the change.
  public var before: Double
  public var after: Double

  public var magnitude: Double { after - before }
}

/// Finds the changes of level in a series of nights.
///
/// E-divisive (Matteson and James, "A nonparametric approach for multiple change point analysis of multivariate data",
/// 2014) on ranks, so that single bad nights weigh no more than others. The index of the greatest difference is
/// accepted if at most the share `alpha` of shuffled series have a difference as great at any index. Then both sides
/// are searched. Finally, changes below `minimumMagnitude` are dropped, the smallest first.
///
/// The shuffles are drawn from `seed`, so the same series has the same answer. Time grows with the number of shuffles
/// times the square of the length.
public struct ChangePointSearch: Sendable {
  public struct Result: Sendable, Equatable {
    public var points: [ChangePoint]
    /// The correlation of neighbouring values by rank, after subtracting the level between two changes.
    public var autocorrelation: Double
    /// Whether blocks of nights were shuffled, because neighbours correlate. Such a search finds fewer small changes.
    public var shufflesBlocks: Bool
  }

  /// The least number of nights on each side of a change.
  public var minimumSegment = 5
  public var alpha = 0.01
  public var shuffles = 999
  /// The smallest change that counts, in the unit of the values.
  public var minimumMagnitude: Double
  public var seed: UInt64

  /// The correlation of neighbours above which blocks of nights are shuffled.
  private static let alike = 0.25
  private static let blockLength = 5

  public init(minimumMagnitude: Double, seed: UInt64) {
    self.minimumMagnitude = minimumMagnitude
    self.seed = seed
  }

  /// - Parameter values: finite numbers, the oldest first.
  public func changePoints(in values: [Double]) -> Result {
    let points = search(values, blockLength: 1)
    let autocorrelation = Self.autocorrelation(of: values, around: points)
    guard autocorrelation > Self.alike else {
      return Result(points: points, autocorrelation: autocorrelation, shufflesBlocks: false)
    }
    return Result(
      points: search(values, blockLength: Self.blockLength),
      autocorrelation: autocorrelation,
      shufflesBlocks: true
    )
  }

  // MARK: Search

  private func search(_ values: [Double], blockLength: Int) -> [ChangePoint] {
    var random = RandomStream(seed: seed, "change points")
    var found: [(index: Int, pValue: Double)] = []
    var segments = [values.startIndex..<values.endIndex]
    while let segment = segments.popLast() {
      let ranks = MeanRanks.doubled(Array(values[segment]))
      guard let split = split(ranks) else { continue }
      guard let pValue = pValue(of: split.statistic, in: ranks, blockLength: blockLength, &random) else { continue }
      let index = segment.lowerBound + split.index
      found.append((index, pValue))
      segments += [segment.lowerBound..<index, index..<segment.upperBound]
    }
    return droppingSmallChanges(found.sorted { $0.index < $1.index }, in: values)
  }

  /// Returns the index with the greatest difference between the values before it and the others; nil for too short a
  /// series.
  private func split(_ ranks: [Int]) -> (index: Int, statistic: Double)? {
    guard ranks.count >= 2 * minimumSegment else { return nil }
    // The sums of the distances of each value to all before it, and to all others.
    let before = ranks.indices.map { index in ranks[..<index].reduce(0) { $0 + abs($1 - ranks[index]) } }
    let all = ranks.map { rank in ranks.reduce(0) { $0 + abs($1 - rank) } }
    let total = before.reduce(0, +)
    var within = (first: 0, second: total)
    var best: (index: Int, statistic: Double)?
    for index in 1...(ranks.count - minimumSegment) {
      // The value before `index` moves from the second part to the first.
      within.first += before[index - 1]
      within.second -= all[index - 1] - before[index - 1]
      guard index >= minimumSegment else { continue }
      let statistic = Self.statistic(within: within, total: total, counts: (index, ranks.count - index))
      if statistic > best?.statistic ?? -.infinity { best = (index, statistic) }
    }
    return best
  }

  /// Returns the difference between two parts: twice the mean distance between their values, less the mean distances
  /// within each part, weighted by the sizes of the parts.
  /// - Parameters:
  ///   - within: the sum of the distances of every two values of each part.
  ///   - total: the sum of the distances of every two values.
  ///   - counts: the number of values of each part.
  private static func statistic(
    within: (first: Int, second: Int),
    total: Int,
    counts: (first: Int, second: Int)
  ) -> Double {
    let (first, second) = (Double(within.first), Double(within.second))
    let between = Double(total - within.first - within.second)
    let (n, m) = (Double(counts.first), Double(counts.second))
    return n * m / (n + m) * (2 / (n * m) * between - 2 / (n * (n - 1)) * first - 2 / (m * (m - 1)) * second)
  }

  /// Returns the share of series, of this one and shuffled ones, with a statistic at least as great; nil above `alpha`.
  private func pValue(
    of statistic: Double,
    in ranks: [Int],
    blockLength: Int,
    _ random: inout RandomStream
  ) -> Double? {
    let limit = alpha * Double(shuffles + 1)
    var reached = 1
    for _ in 0..<shuffles {
      let shuffled = Self.shuffled(ranks, blockLength: blockLength, &random)
      guard let other = split(shuffled), other.statistic >= statistic else { continue }
      reached += 1
      // Further shuffles cannot make it significant.
      guard Double(reached) <= limit else { return nil }
    }
    return Double(reached) / Double(shuffles + 1)
  }

  private static func shuffled(_ ranks: [Int], blockLength: Int, _ random: inout RandomStream) -> [Int] {
    guard blockLength > 1 else { return ranks.shuffled(using: &random) }
    let blocks = stride(from: 0, to: ranks.count, by: blockLength).map {
      ranks[$0..<min($0 + blockLength, ranks.count)]
    }
    return blocks.shuffled(using: &random).flatMap { $0 }
  }

  // MARK: Levels

  private func droppingSmallChanges(_ found: [(index: Int, pValue: Double)], in values: [Double]) -> [ChangePoint] {
    var found = found
    while true {
      let points = Self.points(found, in: values)
      guard let smallest = points.indices.min(by: { abs(points[$0].magnitude) < abs(points[$1].magnitude) }),
        abs(points[smallest].magnitude) < minimumMagnitude
      else { return points }
      found.remove(at: smallest)
    }
  }

  private static func points(_ found: [(index: Int, pValue: Double)], in values: [Double]) -> [ChangePoint] {
    let ends = [0] + found.map(\.index) + [values.count]
    let levels = zip(ends, ends.dropFirst()).map { level(of: values[$0..<$1]) }
    return found.indices.map {
      ChangePoint(index: found[$0].index, pValue: found[$0].pValue, before: levels[$0], after: levels[$0 + 1])
    }
  }

  private static func autocorrelation(of values: [Double], around points: [ChangePoint]) -> Double {
    let ends = [0] + points.map(\.index) + [values.count]
    let residuals = zip(ends, ends.dropFirst()).flatMap { start, end in
      let level = level(of: values[start..<end])
      return values[start..<end].map { $0 - level }
    }
    // A correlation of ranks, so that a single bad night neither hides nor simulates one.
    return MeanRanks.doubled(residuals).map(Double.init).lag1Autocorrelation
  }

  private static func level(of values: ArraySlice<Double>) -> Double { values.isEmpty ? 0 : values.median }
}
