import Foundation
import SeededRandom
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
    let points = search.changePoints(in: nights([0, 0.06, 0.02, 0.02, 0.10])).points
    #expect(points.map(\.index) == [12, 24, 48])
    #expect(zip(points.map(\.before), [0, 0.06, 0.02]).allSatisfy { abs($0 - $1) < 0.01 })
    #expect(zip(points.map(\.after), [0.06, 0.02, 0.10]).allSatisfy { abs($0 - $1) < 0.01 })
  }

  @Test func `a step below the minimum magnitude is not a change point`() {
    #expect(search.changePoints(in: nights([0, 0, 0.012, 0.012])).points.isEmpty)
    var fine = search
    fine.minimumMagnitude = 0.001
    #expect(fine.changePoints(in: nights([0, 0, 0.012, 0.012])).points.map(\.index) == [24])
  }

  @Test func `steps of the size of the noise are reported only with a p-value of at most alpha`() {
    var weak = search
    weak.minimumMagnitude = 0
    var random = RandomStream(seed: 20_260_112)
    let pValues = (0..<40).flatMap { _ in
      let values = (0..<30).map { ($0 < 15 ? 0 : 0.005) + 0.005 * random.normal() }
      return weak.changePoints(in: values).points.map(\.pValue)
    }
    // Some of them are found, or the test would also pass for a search that finds nothing.
    #expect(pValues.count > 4 && pValues.count < 36)
    #expect(pValues.allSatisfy { $0 <= weak.alpha })
  }

  @Test func `the same series has the same result, and additional nights do not move a change point`() {
    let values = nights([0, 0, 0.05, 0.05, 0.05])
    #expect(search.changePoints(in: values) == search.changePoints(in: values))
    for count in 34...values.count {
      #expect(search.changePoints(in: Array(values[..<count])).points.map(\.index) == [24], "\(count) nights")
    }
  }

  @Test func `series that are short, constant or empty have none`() {
    #expect(search.changePoints(in: []).points.isEmpty)
    #expect(search.changePoints(in: [0, 0, 0, 0, 1, 1, 1, 1, 1]).points.isEmpty)
    #expect(search.changePoints(in: [Double](repeating: 0.3, count: 80)).points.isEmpty)
  }

  @Test func `one bad night is not a change point`() {
    var values = nights([0, 0, 0, 0])
    values[30] = 2
    #expect(search.changePoints(in: values).points.isEmpty)
  }

  @Test func `if neighbouring nights are correlated, blocks of nights are shuffled`() {
    var random = RandomStream(seed: 20_260_111)
    var level = 0.0
    let values = (0..<80).map { _ in
      level = 0.8 * level + 0.02 * random.normal()
      return level
    }
    let result = search.changePoints(in: values)
    #expect(result.shufflesBlocks)
    #expect(!search.changePoints(in: nights([0, 0, 0.05, 0.05])).shufflesBlocks)
  }
}
