/// Why a benchmark ended without its figures.
public struct BenchmarkError: Error, Equatable, CustomStringConvertible {
  public enum Code: Sendable {
    /// Something that was read is not what had been stored.
    case wrongAnswer
    /// The system, or the store, could not do as told.
    case failed
    /// Such a target does not exist.
    case unknownTarget
  }

  public let code: Code
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// - Throws: `wrongAnswer` where the two differ.
  static func check<Value: Equatable>(_ found: Value, is expected: Value, _ what: @autoclosure () -> String) throws {
    if found != expected {
      throw BenchmarkError(.wrongAnswer, "\(what()): \(found) was read, and \(expected) is what was stored")
    }
  }
}
