/// A difference between the engine and its oracle.
///
/// Checks throw it instead of recording an issue, so that a test can also check that a falsified answer is found.
struct Discrepancy: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Throws unless `found` equals `expected`.
  static func check<Value: Equatable>(
    _ found: Value,
    _ expected: Value,
    _ what: @autoclosure () -> String
  ) throws(Discrepancy) {
    if found != expected { throw Discrepancy("\(what()): found \(found), expected \(expected)") }
  }

  /// The discrepancy that `body` throws. An error of the engine becomes a discrepancy too.
  static func first(_ body: () throws -> Void) -> Discrepancy? {
    do {
      try body()
      return nil
    } catch let found as Discrepancy {
      return found
    } catch {
      return Discrepancy("an unexpected error: \(error)")
    }
  }

  /// The first discrepancy of up to 12 random histories. A single history may miss a rare case.
  /// - Parameter seed: The seed of the first history; the others have the following numbers.
  static func first(from seed: UInt64, _ history: (UInt64) throws -> Discrepancy?) rethrows -> Discrepancy? {
    for offset in 0..<UInt64(12) {
      if let found = try history(seed &+ offset) { return found }
    }
    return nil
  }
}
