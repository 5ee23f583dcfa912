internal import BenchModel

extension ExitStatus {
  /// Returns the most severe of several exit codes.
  static func gravest(_ codes: [Int32]) -> Int32 {
    codes.max { weight($0) < weight($1) } ?? allHeld.rawValue
  }

  /// A report that could not be written weighs as much as a failure of the program: the run has no record.
  private static func weight(_ code: Int32) -> Int {
    if code == allHeld.rawValue { return -1 }
    let known = code == cannotCreateOutput.rawValue ? internalError.rawValue : code
    let rank = gravestFirst.firstIndex { $0.rawValue == known }
    return rank.map { gravestFirst.count - $0 } ?? 0
  }
}
