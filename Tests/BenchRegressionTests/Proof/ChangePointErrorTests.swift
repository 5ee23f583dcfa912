import BenchResults
import Foundation
import SeededRandom
import Testing

@testable import BenchRegression

/// Simulated series of 60 nights of the ratio to a pinned build.
@Suite("Error rates of change points") struct ChangePointErrorTests {
  enum Nights: String, CaseIterable, CustomTestStringConvertible {
    case independent = "independent nights"
    case bursts = "one night in twelve is bad"
    case correlated = "neighbours correlate by 0.3"

    var testDescription: String { rawValue }

    /// - Parameter step: The change that is added to the last `count - changedAt` values.
    func draw(_ count: Int, step: Double = 0, changedAt: Int = 0, _ random: inout RandomStream) -> [Double] {
      var last = random.normal()
      return (0..<count).map { index in
        let fresh = random.normal()
        last = 0.3 * last + (1 - 0.09).squareRoot() * fresh
        let noise = 0.015 * (self == .correlated ? last : fresh)
        let burst = self == .bursts ? random.burst(share: 1.0 / 12) * (random.below(2) == 0 ? 1 : -1) : 0
        return noise + burst + (index >= changedAt ? step : 0)
      }
    }
  }

  private func search(_ number: Int) -> ChangePointSearch {
    ChangePointSearch(minimumMagnitude: log(1.02), seed: UInt64(number))
  }

  @Test(arguments: [(Nights.independent, 0.01), (.bursts, 0.01), (.correlated, 0.10)])
  func `series without a change rarely have a change point`(nights: Nights, bar: Double) {
    var random = RandomStream(seed: 20_260_108, nights.rawValue)
    let trials = Proof.trials(200)
    let wrong = (0..<trials).count { !search($0).changePoints(in: nights.draw(60, &random)).points.isEmpty }
    Proof.check("series of 60 with a false change point, \(nights.rawValue)", wrong, of: trials, in: 0...bar)
  }

  @Test(arguments: [Nights.independent, .bursts])
  func `a step of 5 % ten nights ago is found, and mostly at its night`(nights: Nights) {
    var random = RandomStream(seed: 20_260_109, nights.rawValue)
    let trials = Proof.trials(200)
    let distances = (0..<trials).compactMap { trial -> Int? in
      let values = nights.draw(60, step: log(1.05), changedAt: 50, &random)
      let points = search(trial).changePoints(in: values).points.filter { $0.magnitude > 0 }
      return points.map { abs($0.index - 50) }.min()
    }
    let what = "steps of 5 % ten nights old that are found, \(nights.rawValue)"
    Proof.check(what, distances.count, of: trials, in: 0.90...1)
    Proof.check("\(what), at most two nights off", distances.count { $0 <= 2 }, of: trials, in: 0.85...1)
  }
}
