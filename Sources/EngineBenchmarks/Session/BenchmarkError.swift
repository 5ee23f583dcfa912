/// The reason why a benchmark ended without figures.
public struct BenchmarkError: Error, Equatable, CustomStringConvertible {
  public enum Code: Sendable {
    /// A value that was read differs from the stored one.
    case wrongAnswer
    /// The system or the store failed.
    case failed
    /// The requested target does not exist.
    case unknownTarget
  }

  public let code: Code
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// - Throws: `wrongAnswer` if the two differ.
  static func check<Value: Equatable>(_ found: Value, is expected: Value, _ what: @autoclosure () -> String) throws {
    if found != expected {
      throw BenchmarkError(.wrongAnswer, "\(what()): expected \(expected), found \(found)")
    }
  }
}
