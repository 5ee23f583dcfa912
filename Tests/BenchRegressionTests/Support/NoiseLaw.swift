import Foundation
import HarnessPrimitives
import Testing

/// The distribution of the differences between two equal builds in a simulation.
enum NoiseLaw: String, CaseIterable, CustomTestStringConvertible {
  case normal = "normal"
  case heavyTails = "t with 3 degrees of freedom"
  case bursts = "bursts in 15 % of the runs"
  case drift = "a machine that drifts, correlation 0.8"
  case burstsOfTheHead = "bursts in 5 % of the base's runs and 25 % of the head's"

  /// The distributions that are the same for both arms.
  static let equalArms: [NoiseLaw] = [.normal, .heavyTails, .bursts, .drift]

  var testDescription: String { rawValue }

  /// Draws the differences of some pairs. The order within each pair is random too.
  func differences(_ pairs: Int, _ random: inout RandomStream) -> [Double] {
    // The state of the machine, which carries over from one run to the next.
    var state = random.normal()
    return (0..<pairs).map { _ in
      var runs = [0.0, 0.0]
      let isHeadFirst = random.below(2) == 1
      for position in 0..<2 {
        state = 0.8 * state + 0.6 * random.normal()
        runs[position] = noise(ofHead: (position == 0) == isHeadFirst, state, &random)
      }
      return isHeadFirst ? runs[0] - runs[1] : runs[1] - runs[0]
    }
  }

  private func noise(ofHead isHead: Bool, _ state: Double, _ random: inout RandomStream) -> Double {
    switch self {
    case .normal: 0.05 * random.normal()
    case .heavyTails: 0.03 * random.studentT3()
    case .bursts: 0.03 * random.normal() + random.burst(share: 0.15)
    case .drift: 0.1 * state + 0.02 * random.normal()
    case .burstsOfTheHead: 0.03 * random.normal() + random.burst(share: isHead ? 0.25 : 0.05)
    }
  }

  /// The true effect, which the Hodges–Lehmann estimator estimates: the median of the mean of two differences.
  func trueEffect() -> Double {
    guard self == .burstsOfTheHead else { return 0 }
    var random = RandomStream(seed: 1, "true effect")
    let differences = differences(400_000, &random)
    let means = stride(from: 0, to: differences.count, by: 2).map { (index: Int) -> Double in
      (differences[index] + differences[index + 1]) / 2
    }
    return means.sorted()[means.count / 2]
  }
}

extension RandomStream {
  /// A standard normal number, by the method of Box and Muller.
  mutating func normal() -> Double {
    sqrt(-2 * log(1 - unit())) * cos(2 * .pi * unit())
  }

  mutating func studentT3() -> Double {
    let squares = (0..<3).reduce(0.0) { sum, _ in
      let value = normal()
      return sum + value * value
    }
    return normal() / sqrt(squares / 3)
  }

  /// A number that is exponential with a mean of 0.25 with the probability `share`, and otherwise 0.
  mutating func burst(share: Double) -> Double {
    unit() < share ? -0.25 * log(1 - unit()) : 0
  }
}

extension [Double] {
  /// Normal numbers with a standard deviation of 1 whose neighbours correlate: an autoregressive process of order 1.
  static func correlated(_ count: Int, by correlation: Double, _ random: inout RandomStream) -> [Double] {
    var value = random.normal()
    return (0..<count).map { _ in
      defer { value = correlation * value + sqrt(1 - correlation * correlation) * random.normal() }
      return value
    }
  }
}
