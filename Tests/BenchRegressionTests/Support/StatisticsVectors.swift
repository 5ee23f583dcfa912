import Foundation
import Testing

/// SciPy's results for some samples: Data/statistics.json, written by Data/statistics.py.
struct StatisticsVectors: Decodable {
  struct Sample: Decodable, CustomTestStringConvertible {
    var name: String
    var differences: [Double]
    var pValue: Double
    var effect: Double
    /// Whether the sample has SciPy's intervals, which do not exist for ties and zeros.
    var hasInterval: Bool
    /// The interval; nil if there are too few differences for one.
    var interval95: [Double]?
    var interval90: [Double]?
    var signInterval95: [Double]?

    var testDescription: String { name }
  }

  struct Binomial: Decodable {
    var count: Int
    var trials: Int
    var interval: [Double]
  }

  var samples: [Sample]
  var binomial: [Binomial]

  static let all: StatisticsVectors = {
    do {
      return try JSONDecoder().decode(StatisticsVectors.self, from: Fixture.contents("statistics.json"))
    } catch {
      fatalError("Data/statistics.json: \(error)")
    }
  }()
}

/// The files in the folder Data.
enum Fixture {
  static func contents(_ name: String) throws -> Data {
    let support = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try Data(contentsOf: support.deletingLastPathComponent().appendingPathComponent("Data/\(name)"))
  }
}
