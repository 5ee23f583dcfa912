import BenchResults
import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import BenchRegression

/// Simulated series of the ratio to a pinned build. The standard deviation of a night is 1.5 %, or 1 % for large steps.
@Suite("Error rates of change points", .long) struct ChangePointErrorTests {
  struct Nights: CustomTestStringConvertible, Sendable {
    static let independent = Nights(testDescription: "independent nights")
    static let bursts = Nights(testDescription: "one night in twelve is bad", burstShare: 1.0 / 12)

    static func correlated(_ correlation: Double) -> Nights {
      Nights(testDescription: "neighbours correlate by \(correlation)", correlation: correlation)
    }

    var testDescription: String
    var burstShare = 0.0
    var correlation = 0.0

    /// - Parameter step: The change that is added to the last `count - changedAt` values.
    func draw(
      _ count: Int,
      deviation: Double = 0.015,
      step: Double = 0,
      changedAt: Int = 0,
      _ random: inout RandomStream
    ) -> [Double] {
      [Double].correlated(count, by: correlation, &random).enumerated().map { index, noise in
        let burst = burstShare > 0 ? random.burst(share: burstShare) * (random.below(2) == 0 ? 1 : -1) : 0
        return deviation * noise + burst + (index >= changedAt ? step : 0)
      }
    }
  }

  private func search(_ number: Int, _ smallestChange: Double = 1.02) -> ChangePointSearch {
    ChangePointSearch(minimumMagnitude: log(smallestChange), seed: UInt64(number))
  }

  @Test(arguments: [
    (Nights.independent, 0.01), (.bursts, 0.01), (.correlated(0.3), 0.05), (.correlated(0.5), 0.06),
    (.correlated(0.7), 0.10),
  ])
  func `series without a change rarely have a change point`(nights: Nights, bar: Double) {
    var random = RandomStream(seed: 20_260_108, nights.testDescription)
    let trials = Proof.trials(200)
    let wrong = (0..<trials).count { !search($0).changePoints(in: nights.draw(60, &random)).isEmpty }
    Proof.check("series of 60 with a false change point, \(nights.testDescription)", wrong, of: trials, in: 0...bar)
  }

  @Test(arguments: [(Nights.independent, 0.97), (.bursts, 0.90), (.correlated(0.3), 0.90)])
  func `a step of 5 % ten nights ago is found, and mostly at its night`(nights: Nights, bar: Double) {
    var random = RandomStream(seed: 20_260_109, nights.testDescription)
    let trials = Proof.trials(200)
    let distances = (0..<trials).compactMap { trial -> Int? in
      let values = nights.draw(60, step: log(1.05), changedAt: 50, &random)
      let points = search(trial).changePoints(in: values).filter { $0.magnitude > 0 }
      return points.map { abs($0.index - 50) }.min()
    }
    let what = "steps of 5 % ten nights old that are found, \(nights.testDescription)"
    Proof.check(what, distances.count, of: trials, in: bar...1)
    Proof.check("\(what), at most two nights off", distances.count { $0 <= 2 }, of: trials, in: bar - 0.05...1)
  }

  /// The least that an alarm needs: twenty nights before the step and six since.
  @Test(arguments: [Nights.independent, .correlated(0.3), .correlated(0.5), .correlated(0.7)])
  func `a step of 20 % is found after six nights`(nights: Nights) {
    var random = RandomStream(seed: 20_260_114, nights.testDescription)
    let trials = Proof.trials(400)
    let found = (0..<trials).count { trial in
      let values = nights.draw(26, deviation: 0.01, step: log(1.20), changedAt: 20, &random)
      return search(trial, 1.03).changePoints(in: values).contains { $0.index == 20 }
    }
    let what = "steps of 20 % six nights old that are found, \(nights.testDescription)"
    Proof.check(what, found, of: trials, in: 0.95...1)
  }
}
