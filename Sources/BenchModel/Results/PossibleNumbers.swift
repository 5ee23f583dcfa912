internal import LatencyMetrics

/// What the whole numbers of a result may be, so that those of a damaged one can be added up, multiplied and taken from
/// each other without an overflow.
public enum PossibleNumbers {
  /// A hundred days.
  private static let longestNanoseconds = 1 << 53
  /// Seventy tebibytes, or as many of anything else. As many frames of the largest page still have a number of bytes.
  static let largestCount = 1 << 46

  /// - Parameter name: of the figure; times have names that end with their unit.
  public static func range(of name: String) -> ClosedRange<Int> {
    0...(name.hasSuffix("anoseconds") ? longestNanoseconds : largestCount)
  }

  /// The first number in a value, however deep, that cannot be; seeds, digests and histograms are not looked at.
  /// - Returns: where it stands, and what it is.
  public static func impossible(in value: some Sendable, named name: String) -> (place: String, number: String)? {
    impossible(in: value, name, at: name)
  }

  private static func impossible(in value: Any, _ name: String, at place: String) -> (place: String, number: String)? {
    switch value {
    case let number as Int: return range(of: name).contains(number) ? nil : (place, "\(number)")
    case let number as UInt64:
      return number <= UInt64(longestNanoseconds) || name == "seed" || name == "digest" ? nil : (place, "\(number)")
    case let number as Double:
      // So that it has a whole part that can be counted. What is no number is written as a word.
      return !number.isFinite || number.magnitude < 1e18 ? nil : (place, "\(number)")
    case is String, is Bool, is LatencyHistogram: return nil
    default:
      let mirror = Mirror(reflecting: value)
      let isList = mirror.displayStyle == .collection
      let isWrapping = mirror.displayStyle == .optional
      for (number, child) in mirror.children.enumerated() {
        let own = isWrapping || isList ? name : child.label ?? name
        let deeper = isWrapping ? place : "\(place).\(isList ? "\(number)" : own)"
        if let found = impossible(in: child.value, own, at: deeper) { return found }
      }
      return nil
    }
  }
}
