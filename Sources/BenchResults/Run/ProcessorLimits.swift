internal import Foundation

/// The limits on the processors that a process may use, as container engines and `taskset` set them. Figures are
/// comparable only with others under the same limits.
public struct ProcessorLimits: Codable, Sendable, Equatable {
  /// A CPU quota of control groups: once a group has used its time in a period, its threads are stopped until the next
  /// period.
  public struct Quota: Codable, Sendable, Equatable {
    /// The time of all processors together in each period.
    public var quotaNanoseconds: UInt64
    /// More than 0.
    public var periodNanoseconds: UInt64

    public init(quotaNanoseconds: UInt64, periodNanoseconds: UInt64) {
      self.quotaNanoseconds = quotaNanoseconds
      self.periodNanoseconds = periodNanoseconds
    }

    public var cores: Double { Double(quotaNanoseconds) / Double(max(periodNanoseconds, 1)) }

    /// Such as `0.15 cores (15 ms in each 100 ms)`.
    public var text: String {
      func milliseconds(_ nanoseconds: UInt64) -> String { String(format: "%.4g ms", Double(nanoseconds) / 1e6) }
      return String(format: "%.3g", cores) + (cores == 1 ? " core" : " cores")
        + " (\(milliseconds(quotaNanoseconds)) in each \(milliseconds(periodNanoseconds)))"
    }
  }

  /// The tightest quota of the process's control group and of the groups above it; nil without one.
  public var quota: Quota?
  /// The numbers of the processors on which the process may run, in ascending order; nil for all processors.
  public var affinity: [Int]?

  /// - Returns: nil without a limit.
  public init?(quota: Quota?, affinity: [Int]?) {
    guard quota != nil || affinity != nil else { return nil }
    (self.quota, self.affinity) = (quota, affinity)
  }

  /// Whether figures under both limits are comparable: with equal quotas, and the same number of processors.
  public static func areSame(_ one: Self?, _ other: Self?) -> Bool {
    one?.quota == other?.quota && one?.affinity?.count == other?.affinity?.count
  }

  /// Such as `CPU quota of 0.15 cores (15 ms in each 100 ms), affinity to processors 0-1 and 3`.
  public var text: String {
    let bound = affinity.map { processors in
      "affinity to " + (processors.count == 1 ? "processor " : "processors ") + Self.ranges(processors)
    }
    return [quota.map { "CPU quota of " + $0.text }, bound].compactMap { $0 }.joined(separator: ", ")
  }

  /// Such as `0-1, 3`, in the form of `taskset`.
  private static func ranges(_ numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    let texts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
    return texts.joined(separator: ", ")
  }
}
