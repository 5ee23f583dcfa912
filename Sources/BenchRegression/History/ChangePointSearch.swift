internal import BenchResults
internal import HarnessPrimitives

/// A change of level in a series.
struct ChangePoint: Sendable, Equatable {
  /// The index of the first value of the new level.
  var index: Int
  /// The greater p-value of the two tests: for independent nights, and for nights that resemble their neighbours.
  var pValue: Double
  /// The medians of the levels before and after the change.
  var before: Double
  var after: Double

  var magnitude: Double { after - before }
}

/// Finds the changes of level in a series of nights.
///
/// 1. Candidates: E-divisive (Matteson and James, "A nonparametric approach for multiple change point analysis of
///    multivariate data", 2014) on ranks, so that single bad nights weigh no more than others. The index of the
///    greatest difference is a candidate if at most the share `alpha` of shuffled series have a difference as great at
///    any index. Then both sides are searched.
/// 2. Places: each candidate moves to the index, between its neighbours, at which the values are nearest to the medians
///    of both sides (least absolute deviations).
/// 3. Elimination: a candidate is dropped if its change is below `minimumMagnitude`. The shuffles assume independent
///    nights. If nights resemble their neighbours, noise has levels of its own, and step 1 accepts them. A candidate is
///    then dropped, too, if more than the share `alpha` of simulated series of correlated noise have as large a step
///    (`CorrelatedNoise`). One candidate is dropped at a time, the smallest or weakest first, and then the noise is
///    estimated again.
///
/// The random numbers are drawn from `seed`, so the same series has the same answer. Time grows with the number of
/// shuffles times the square of the length.
struct ChangePointSearch: Sendable {
  /// The least number of nights on each side of a change.
  var minimumSegment = 5
  var alpha = 0.01
  /// The number of shuffled, and of simulated, series of each test.
  var shuffles = 999
  /// The smallest change that counts, in the unit of the values.
  var minimumMagnitude: Double
  var seed: UInt64

  /// - Parameter values: finite numbers, the oldest first.
  func changePoints(in values: [Double]) -> [ChangePoint] {
    var found = candidates(in: values)
    while true {
      moveToBestPlaces(&found, in: values)
      let points = Self.points(found, in: values)
      if let smallest = points.indices.min(by: { abs(points[$0].magnitude) < abs(points[$1].magnitude) }),
        abs(points[smallest].magnitude) < minimumMagnitude
      {
        found.remove(at: smallest)
        continue
      }
      let pValues = pValuesForCorrelatedNoise(points, in: values)
      guard let weakest = pValues.indices.max(by: { pValues[$0] < pValues[$1] }), pValues[weakest] > alpha else {
        return zip(points, pValues).map { point, pValue in
          ChangePoint(
            index: point.index,
            pValue: max(point.pValue, pValue),
            before: point.before,
            after: point.after
          )
        }
      }
      found.remove(at: weakest)
    }
  }

  // MARK: Candidates

  private typealias Candidate = (index: Int, pValue: Double)

  private func candidates(in values: [Double]) -> [Candidate] {
    var random = RandomStream(seed: seed, "change points")
    var found: [Candidate] = []
    var segments = [values.startIndex..<values.endIndex]
    while let segment = segments.popLast() {
      let ranks = MeanRanks.doubled(Array(values[segment]))
      guard let split = split(ranks), let pValue = pValue(of: split.statistic, in: ranks, &random) else { continue }
      let index = segment.lowerBound + split.index
      found.append((index, pValue))
      segments += [segment.lowerBound..<index, index..<segment.upperBound]
    }
    return found.sorted { $0.index < $1.index }
  }

  /// Returns the index with the greatest difference between the values before it and the others; nil for too short a
  /// series.
  private func split(_ ranks: [Int]) -> (index: Int, statistic: Double)? {
    guard ranks.count >= 2 * minimumSegment else { return nil }
    // The sums of the distances of each value to all before it, and to all others.
    var before = [Int](repeating: 0, count: ranks.count)
    var all = before
    for index in ranks.indices {
      for other in 0..<index {
        let distance = abs(ranks[index] - ranks[other])
        before[index] += distance
        all[other] += distance
      }
      all[index] += before[index]
    }
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
  private func pValue(of statistic: Double, in ranks: [Int], _ random: inout RandomStream) -> Double? {
    pValue { (split(ranks.shuffled(using: &random))?.statistic ?? 0) >= statistic }
  }

  /// Returns the share of series, of the observed and the drawn ones, that reach what was observed; nil above `alpha`.
  /// - Parameter reaches: draws a series, and returns whether it reaches what was observed.
  private func pValue(_ reaches: () -> Bool) -> Double? {
    let limit = alpha * Double(shuffles + 1)
    var reached = 1
    for _ in 0..<shuffles where reaches() {
      reached += 1
      // Further series cannot make it significant.
      guard Double(reached) <= limit else { return nil }
    }
    return Double(reached) / Double(shuffles + 1)
  }

  // MARK: Places

  private func moveToBestPlaces(_ found: inout [Candidate], in values: [Double]) {
    for position in found.indices {
      let segment = Self.neighbourhood(of: position, among: found.map(\.index), count: values.count)
      guard let index = StepPlace.index(in: Array(values[segment]), minimumSegment: minimumSegment) else { continue }
      found[position].index = segment.lowerBound + index
    }
  }

  /// Returns the indices between the changes before and after one.
  private static func neighbourhood(of position: Int, among indices: [Int], count: Int) -> Range<Int> {
    let end = position + 1 < indices.count ? indices[position + 1] : count
    return (position > 0 ? indices[position - 1] : 0)..<end
  }

  // MARK: Elimination

  /// Returns a p-value for each point: the share of series, of this one and simulated ones, with as large a step; 1
  /// above `alpha`, and 0 if the nights are independent.
  private func pValuesForCorrelatedNoise(_ points: [ChangePoint], in values: [Double]) -> [Double] {
    guard !points.isEmpty else { return [] }
    let indices = points.map(\.index)
    let noise = CorrelatedNoise(of: values, betweenChangesAt: indices)
    guard !noise.isIndependent else { return points.map { _ in 0 } }
    return points.indices.map { position in
      let count = Self.neighbourhood(of: position, among: indices, count: values.count).count
      let step = noise.size(ofStep: points[position].magnitude)
      var random = RandomStream(seed: seed, "correlated noise")
      return pValue {
        let simulated = noise.draw(min(count, CorrelatedNoise.longestSeries), &random)
        return CorrelatedNoise.greatestStep(in: simulated, minimumSegment: minimumSegment) >= step
      } ?? 1
    }
  }

  private static func points(_ found: [Candidate], in values: [Double]) -> [ChangePoint] {
    let ends = [0] + found.map(\.index) + [values.count]
    let levels = zip(ends, ends.dropFirst()).map { $0 < $1 ? values[$0..<$1].median : 0 }
    return found.indices.map {
      ChangePoint(index: found[$0].index, pValue: found[$0].pValue, before: levels[$0], after: levels[$0 + 1])
    }
  }
}
