internal import BenchResults
internal import Foundation

extension ProcessorLimits {
  /// Returns the limits of this process; nil without one.
  /// - Parameters:
  ///   - coreCount: the number of processors of the machine.
  ///   - read: returns the text of a file, and an empty string for a missing one.
  static func current(coreCount: Int, reading read: (String) -> String = ProcFile.read) -> ProcessorLimits? {
    let quotas = ControlGroup.all(of: "cpu", reading: read).compactMap { $0.quota(reading: read) }
    let line = read("/proc/self/status").split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
    let allowed = line.flatMap { numbers($0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)) }
    return ProcessorLimits(
      quota: quotas.min { $0.cores < $1.cores },
      // The kernel also lists processors that the machine does not have.
      affinity: allowed.flatMap { $0.count < coreCount ? $0 : nil }
    )
  }

  /// Returns the numbers of a list such as `0-1,3`; nil for any other text.
  private static func numbers(_ text: String) -> [Int]? {
    var numbers: [Int] = []
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-").map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last,
        last < 1_000_000
      else { return nil }
      numbers += first...last
    }
    return numbers.isEmpty ? nil : numbers
  }
}

extension ControlGroup {
  /// The CPU quota of this group alone; nil without one.
  func quota(reading read: (String) -> String) -> ProcessorLimits.Quota? {
    func microseconds(_ text: some StringProtocol) -> UInt64? {
      UInt64(text.trimmingCharacters(in: .whitespacesAndNewlines)).flatMap { $0 < 1 << 50 ? $0 * 1_000 : nil }
    }
    // "max 100000" and -1 mean no quota.
    let texts =
      isSecondVersion
      ? read("\(folder)/cpu.max").split(separator: " ").map(String.init)
      : ["cpu.cfs_quota_us", "cpu.cfs_period_us"].map { read("\(folder)/\($0)") }
    guard texts.count == 2, let quota = microseconds(texts[0]), let period = microseconds(texts[1]), period > 0 else {
      return nil
    }
    return ProcessorLimits.Quota(quotaNanoseconds: quota, periodNanoseconds: period)
  }

  /// The stops of this group alone; nil if it does not count them.
  fileprivate func throttling(reading read: (String) -> String) -> Throttling? {
    var counts: [Substring: UInt64] = [:]
    for line in read("\(folder)/cpu.stat").split(separator: "\n") {
      let fields = line.split(separator: " ")
      if fields.count == 2 { counts[fields[0]] = UInt64(fields[1]) }
    }
    let nanoseconds = counts["throttled_time"] ?? counts["throttled_usec"].map { $0 &* 1_000 }
    guard let periods = counts["nr_throttled"], let nanoseconds else { return nil }
    return Throttling(periods: Int(clamping: periods), nanoseconds: nanoseconds)
  }
}

/// The periods and the time in which CPU quotas have stopped threads of control groups, summed over groups and
/// processors.
struct Throttling: Equatable {
  var periods = 0
  var nanoseconds: UInt64 = 0
}

/// Reads the throttling of this process's control groups.
struct ThrottlingProbe {
  private let groups: [ControlGroup]

  /// Finds the groups whose throttling is counted: those with a CPU controller, except for the root.
  init(reading read: (String) -> String = ProcFile.read) {
    groups = ControlGroup.all(of: "cpu", reading: read).filter { $0.throttling(reading: read) != nil }
  }

  /// nil if no group counts it.
  func current(reading read: (String) -> String = ProcFile.read) -> Throttling? {
    let counts = groups.compactMap { $0.throttling(reading: read) }
    guard !counts.isEmpty else { return nil }
    return counts.reduce(into: Throttling()) { sum, one in
      sum.periods += one.periods
      sum.nanoseconds += one.nanoseconds
    }
  }
}
