import Foundation
import Testing

/// SciPy's results for some samples: Data/statistics.json, written by Data/statistics.py.
struct StatisticsVectors: Decodable {
  struct Sample: Decodable, CustomTestStringConvertible {
    var name: String
    var differences: [Double]
    var pValue: Double
    var effect: Double
    /// Whether SciPy was asked for intervals: it has none for ties and zeros.
    var hasInterval: Bool
    /// nil where so few differences have none.
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

/// Files beside the tests.
enum Fixture {
  static func contents(_ name: String) throws -> Data {
    let support = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try Data(contentsOf: support.deletingLastPathComponent().appendingPathComponent("Data/\(name)"))
  }
}
