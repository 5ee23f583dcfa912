/// The outcome of a claim.
public enum Verdict: Sendable, Equatable {
  /// The outcome without its reason. The raw value is its word in reports.
  public enum Kind: String, Sendable, CaseIterable {
    case passed
    case missed
    case noResult = "no result"
    case notBuilt = "not built"
    case noLimit = "no limit"
    case interrupted
  }

  case passed
  case missed
  /// A figure without a limit.
  case noLimit
  /// The figure was measured, but is meaningless, for the given reason.
  case noResult(String)
  /// The figure was not measured, because the given requirement is missing.
  case notBuilt(String)
  /// The claim was requested, but the session ended before its measurement.
  case interrupted

  public var kind: Kind {
    switch self {
    case .passed: .passed
    case .missed: .missed
    case .noLimit: .noLimit
    case .noResult: .noResult
    case .notBuilt: .notBuilt
    case .interrupted: .interrupted
    }
  }

  public var word: String { kind.rawValue }

  public var reason: String? {
    switch self {
    case .noResult(let reason), .notBuilt(let reason): reason
    default: nil
    }
  }
}

extension Claim {
  /// The longest permitted median of an append with its sync, in nanoseconds. Above it, the figures reflect other load
  /// on the disk.
  static let slowestProbe: UInt64 = 200_000

  /// - Parameters:
  ///   - median: The median of the rounds; nil if nothing was measured.
  ///   - probeNanoseconds: The median of appends with a sync in the rounds; nil if the work does not wait for the disk.
  func verdict(median: Double?, probeNanoseconds: UInt64? = nil) -> Verdict {
    if let obstacle { return .notBuilt(obstacle) }
    guard let median else { return .interrupted }
    if let probeNanoseconds, probeNanoseconds > Self.slowestProbe {
      return .noResult("an append with its sync took \(probeNanoseconds / 1_000) us: the disk was busy")
    }
    guard median.isFinite else {
      return .noResult("the figure is not a number: a contestant of its ratio took no time")
    }
    guard let limit else { return .noLimit }
    return limit.holds(median) ? .passed : .missed
  }
}
