/// What a check has found: the engine did other than its oracle.
///
/// Checks throw it and expect nothing themselves, so that a test can also ask whether a planted bug is found.
struct Discrepancy: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Throws unless `found` is what was expected.
  static func check<Value: Equatable>(
    _ found: Value,
    _ expected: Value,
    _ what: @autoclosure () -> String
  ) throws(Discrepancy) {
    if found != expected { throw Discrepancy("\(what()): found \(found), expected \(expected)") }
  }

  /// The first discrepancy that `body` meets; an error of the engine's is one too.
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

  /// What random histories find, one after the other until one finds something: a single one may pass by what is rare.
  /// - Parameter seed: of the first; the others' follow it.
  static func first(from seed: UInt64, _ history: (UInt64) throws -> Discrepancy?) rethrows -> Discrepancy? {
    for offset in 0..<UInt64(12) {
      if let found = try history(seed &+ offset) { return found }
    }
    return nil
  }
}
