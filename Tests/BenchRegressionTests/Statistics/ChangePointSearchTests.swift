import BenchResults
import Foundation
import HarnessPrimitives
import Testing

@testable import BenchRegression

@Suite("Change points") struct ChangePointSearchTests {
  private let search = ChangePointSearch(minimumMagnitude: 0.02, seed: 7)

  /// Levels of twelve nights each, with a noise of half a percent.
  private func nights(_ levels: [Double]) -> [Double] {
    var random = RandomStream(seed: 20_260_110)
    return levels.flatMap { level in (0..<12).map { _ in level + 0.005 * random.normal() } }
  }

  @Test func `every step is found at its night, with the levels on both sides`() {
    let points = search.changePoints(in: nights([0, 0.06, 0.02, 0.02, 0.10]))
    #expect(points.map(\.index) == [12, 24, 48])
    #expect(zip(points.map(\.before), [0, 0.06, 0.02]).allSatisfy { abs($0 - $1) < 0.01 })
    #expect(zip(points.map(\.after), [0.06, 0.02, 0.10]).allSatisfy { abs($0 - $1) < 0.01 })
  }

  @Test func `a step below the minimum magnitude is not a change point`() {
    #expect(search.changePoints(in: nights([0, 0, 0.012, 0.012])).isEmpty)
    var fine = search
    fine.minimumMagnitude = 0.001
    #expect(fine.changePoints(in: nights([0, 0, 0.012, 0.012])).map(\.index) == [24])
  }

  @Test func `steps of the size of the noise are reported only with a p-value of at most alpha`() {
    var weak = search
    weak.minimumMagnitude = 0
    var random = RandomStream(seed: 20_260_112)
    let pValues = (0..<40).flatMap { _ in
      let values = (0..<30).map { ($0 < 15 ? 0 : 0.005) + 0.005 * random.normal() }
      return weak.changePoints(in: values).map(\.pValue)
    }
    // Some of them are found, or the test would also pass for a search that finds nothing.
    #expect(pValues.count > 4 && pValues.count < 36)
    #expect(pValues.allSatisfy { $0 <= weak.alpha })
  }

  @Test func `the same series has the same result, and additional nights do not move a change point`() {
    let values = nights([0, 0, 0.05, 0.05, 0.05])
    #expect(search.changePoints(in: values) == search.changePoints(in: values))
    for count in 34...values.count {
      #expect(search.changePoints(in: Array(values[..<count])).map(\.index) == [24], "\(count) nights")
    }
  }

  @Test func `series that are short, constant or empty have none`() {
    #expect(search.changePoints(in: []).isEmpty)
    #expect(search.changePoints(in: [0, 0, 0, 0, 1, 1, 1, 1, 1]).isEmpty)
    #expect(search.changePoints(in: [Double](repeating: 0.3, count: 80)).isEmpty)
  }

  @Test func `one bad night is not a change point`() {
    var values = nights([0, 0, 0, 0])
    values[30] = 2
    #expect(search.changePoints(in: values).isEmpty)
  }

  @Test func `a tenfold value of one night neither is a change nor hides one`() {
    for odd in [3, 20, 26, 31] {
      var values = nights([0, 0, 0.06])
      values[odd] = 2.3
      #expect(search.changePoints(in: values).map(\.index) == [24], "night \(odd)")
    }
  }

  @Test func `a level that wanders is not a change, and a step that exceeds its noise is one`() {
    var random = RandomStream(seed: 20_260_111)
    var level = 0.0
    var values = (0..<80).map { _ in
      level = 0.8 * level + 0.02 * random.normal()
      return level
    }
    #expect(search.changePoints(in: values) == [])
    for index in 70..<80 { values[index] += 0.4 }
    #expect(search.changePoints(in: values).map(\.index) == [70])
  }

  @Test func `a slow drift is found`() {
    var random = RandomStream(seed: 20_260_113)
    // One percent each week.
    let values = (0..<60).map { 0.01 * Double($0) / 7 + 0.01 * random.normal() }
    let points = search.changePoints(in: values)
    #expect(!points.isEmpty && points.allSatisfy { $0.magnitude > 0 })
  }

  @Test func `the opposite series has the opposite changes`() {
    let values = nights([0, 0.06, 0.02, 0.02, 0.10])
    let points = search.changePoints(in: values)
    let opposite = search.changePoints(in: values.map { -$0 })
    #expect(opposite.map(\.index) == points.map(\.index))
    #expect(opposite.map(\.magnitude) == points.map { -$0.magnitude })
    let large = search.changePoints(in: values.map { $0 + 5 })
    #expect(large.map(\.index) == points.map(\.index))
  }
}

@Suite("The noise of nights") struct CorrelatedNoiseTests {
  @Test(arguments: [0, 0.3, 0.5, 0.7])
  func `deviation and correlation are estimated beside steps, drift and bad nights`(correlation: Double) {
    var random = RandomStream(seed: 20_260_116, "\(correlation)")
    let trials = 100
    let estimates = (0..<trials).map { trial in
      var values = [Double].correlated(60, by: correlation, &random).enumerated().map { index, noise in
        noise + (index >= 40 ? 20 : 0) + 0.05 * Double(index)
      }
      values[trial % 60] += 50
      return CorrelatedNoise(of: values, betweenChangesAt: [40])
    }
    let mean = estimates.map(\.correlation).reduce(0, +) / Double(trials)
    #expect((-0.08...0.16).contains(mean - correlation), "\(mean)")
    let deviation = estimates.map(\.deviation).median
    #expect((0.8...1.15).contains(deviation), "\(deviation)")
    let independent = estimates.count(where: \.isIndependent)
    #expect(correlation < 0.5 || independent < 20, "\(independent)")
    #expect(correlation > 0 || independent > 80, "\(independent)")
  }

  @Test func `simulated series have the correlation and the deviation of the noise`() {
    var random = RandomStream(seed: 20_260_117)
    let noise = CorrelatedNoise(of: .correlated(400, by: 0.6, &random), betweenChangesAt: [])
    let drawn = noise.draw(4_000, &random)
    #expect(abs(drawn.lag1Autocorrelation - noise.correlation) < 0.05)
    #expect(abs(drawn.reduce(0) { $0 + $1 * $1 } / 4_000 - 1) < 0.15)
  }

  @Test func `series that are constant, mostly constant, short or empty have a defined noise`() {
    for values in [[], [1], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]] as [[Double]] {
      let noise = CorrelatedNoise(of: values, betweenChangesAt: [])
      #expect(noise.deviation == 0 && (0...0.95).contains(noise.correlation))
      #expect(noise.size(ofStep: 0.1) == .infinity)
    }
    let quantized = CorrelatedNoise(of: [0, 0, 0, 0, 1, 0, 0, 0, 0, 0], betweenChangesAt: [])
    #expect(quantized.deviation > 0.2 && quantized.correlation.isFinite)
  }

  @Test func `a step is where the distances to the medians of both sides are smallest`() {
    #expect(StepPlace.index(in: [0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9, 9], minimumSegment: 5) == 7)
    #expect(StepPlace.index(in: [0, 0, 0, 9, 9, 9, 9, 9, 9, 9, 9, 9], minimumSegment: 5) == 5)
    #expect(StepPlace.index(in: [0, 50, 0, 0, 0, 0, 0, 9, 9, -50, 9, 9, 9], minimumSegment: 5) == 7)
    #expect(StepPlace.index(in: [0, 0, 0, 0, 9, 9, 9, 9, 9], minimumSegment: 5) == nil)
  }
}
