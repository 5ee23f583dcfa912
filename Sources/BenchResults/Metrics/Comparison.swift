/// The comparison of a measured value with the expected one.
public enum Comparison: String, CaseIterable, Codable, Sendable {
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case equal = "=="

  public func holds(_ measured: Double, _ expected: Double) -> Bool {
    switch self {
    case .less: measured < expected
    case .lessOrEqual: measured <= expected
    case .greater: measured > expected
    case .greaterOrEqual: measured >= expected
    case .equal: measured == expected
    }
  }

  /// Whether the comparison holds for all values in two ranges; nil if it holds for some of them only.
  package func holds(in measured: ClosedRange<Double>, _ expected: ClosedRange<Double>) -> Bool? {
    if self == .equal, measured.lowerBound < measured.upperBound || expected.lowerBound < expected.upperBound {
      return measured.overlaps(expected) ? nil : false
    }
    let ends = [holds(measured.lowerBound, expected.upperBound), holds(measured.upperBound, expected.lowerBound)]
    return ends[0] == ends[1] ? ends[0] : nil
  }
}
