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
}
