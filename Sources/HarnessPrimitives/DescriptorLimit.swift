internal import Glibc

/// The limit of open files and sockets of this process (`ulimit -n`).
///
/// Some libraries terminate the process if they get no descriptor, and SQLite reports a missing descriptor as a file
/// that cannot be opened. Therefore the need is compared with the limit before anything is opened.
public struct DescriptorLimit: Sendable, Equatable {
  /// The current limit.
  public var soft: Int
  /// The highest limit that this process may set.
  public var hard: Int
  /// The number of open descriptors, including inherited ones and without those numbered 1,024 or higher.
  public var open: Int

  /// The lowest value to which a limit is raised, unless the hard limit is lower: an estimated need may be too low.
  private static let leastRaised = 4_096
  /// The number from which on descriptors are not counted: those that are open at the start have low numbers.
  private static let mostExamined = 1_024

  /// Returns the limit of this process; `Int.max` and no open descriptor if the system does not report it.
  public static func current() -> DescriptorLimit {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return DescriptorLimit(soft: .max, hard: .max, open: 0)
    }
    let soft = Int(clamping: limit.rlim_cur)
    let open = (0..<min(soft, mostExamined)).count { fcntl(Int32($0), F_GETFD) >= 0 }
    return DescriptorLimit(soft: soft, hard: Int(clamping: limit.rlim_max), open: open)
  }

  /// Raises the limit of this process if it is too low for the open descriptors and `need` more.
  ///
  /// - Parameter need: Descriptors in addition to those that are open now.
  /// - Throws: `DescriptorShortage` if the limit cannot be raised far enough.
  public static func reserve(_ need: Int) throws(DescriptorShortage) {
    let current = current()
    guard let raised = try current.raised(for: need) else { return }
    var limit = rlimit(rlim_cur: rlim_t(raised), rlim_max: rlim_t(0))
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = rlim_t(raised)
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      throw DescriptorShortage(limit: current, need: need)
    }
  }

  /// - Returns: The limit to set; nil if the present one suffices.
  func raised(for need: Int) throws(DescriptorShortage) -> Int? {
    let (total, overflow) = open.addingReportingOverflow(need)
    guard !overflow, total <= hard else { throw DescriptorShortage(limit: self, need: need) }
    return total <= soft ? nil : min(hard, max(total, Self.leastRaised))
  }
}

/// The error of work that needs more descriptors than the limit of open files permits.
public struct DescriptorShortage: Error, Sendable, Equatable, CustomStringConvertible {
  public let limit: DescriptorLimit
  /// Descriptors in addition to those that are open already.
  public let need: Int

  public var description: String {
    let total = limit.open.addingReportingOverflow(need).partialValue
    return "the limit of open files is \(limit.hard) (ulimit -Hn), and \(total) are needed: \(limit.open) that are "
      + "open and \(need) more. Raise the limit (ulimit -n \(total)); if the shell refuses, raise it in the shell's "
      + "parent or as root"
  }
}

/// The standard input, output and error of this process.
public enum StandardStreams {
  /// Occupies the numbers of streams without which this process was started. Otherwise files that are opened later get
  /// these numbers, and the output is written into them. Reading and writing still fail.
  public static func occupyMissing() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
