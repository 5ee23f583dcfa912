public import BenchModel
public import Foundation

/// `run.json`: everything that is known of a scenario's runs, with its keys in a stable order.
public enum RunDocument {
  // A figure that is not a number must not cost the run, so it is written as a word.
  private static let infinity = "Infinity"
  private static let negativeInfinity = "-Infinity"
  private static let notANumber = "NaN"

  public static func encode(_ result: ScenarioResult) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity,
      negativeInfinity: negativeInfinity,
      nan: notANumber
    )
    return try encoder.encode(result) + Data("\n".utf8)
  }

  public static func decode(_ data: Data) throws -> ScenarioResult {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity,
      negativeInfinity: negativeInfinity,
      nan: notANumber
    )
    return try decoder.decode(ScenarioResult.self, from: data)
  }
}
