public import Foundation

/// `compare.json`: the result of a comparison, with its keys in a stable order, so that equal results have equal bytes.
public enum ComparisonDocument {
  public static func encode(_ result: ComparisonOutcome) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return try encoder.encode(result) + Data("\n".utf8)
  }

  public static func text(of result: ComparisonOutcome) throws -> String {
    String(decoding: try encode(result), as: UTF8.self)
  }

  /// Reads what `encode` wrote.
  /// - Throws: `ComparisonDocumentError`.
  public static func decode(_ data: Data) throws -> ComparisonOutcome {
    do {
      let result = try JSONDecoder().decode(ComparisonOutcome.self, from: data)
      guard result.schema == ComparisonOutcome.currentSchema else {
        throw ComparisonDocumentError(
          problem: "its schema is \(result.schema); this program reads \(ComparisonOutcome.currentSchema)"
        )
      }
      return result
    } catch let error as DecodingError {
      throw ComparisonDocumentError(problem: "it is no result of a comparison: \(error)")
    }
  }
}

/// The error for a `compare.json` that cannot be read.
public struct ComparisonDocumentError: Error, Sendable, Equatable, CustomStringConvertible {
  public var problem: String
  public var description: String { problem }
}
