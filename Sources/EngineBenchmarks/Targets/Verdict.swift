/// The outcome of a claim.
public enum Verdict: Sendable, Equatable {
  case held
  case missed
  /// A figure without a limit.
  case told
  /// The figure was measured, but is meaningless, for the given reason.
  case void(String)
  /// The figure was not measured, because the given requirement is missing.
  case notBuilt(String)
  /// The claim was requested, but the session ended before its measurement.
  case interrupted

  public var word: String {
    switch self {
    case .held: "held"
    case .missed: "missed"
    case .told: "told"
    case .void: "void"
    case .notBuilt: "not built"
    case .interrupted: "interrupted"
    }
  }

  public var reason: String? {
    switch self {
    case .void(let reason), .notBuilt(let reason): reason
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
      return .void("an append and its sync took \(probeNanoseconds / 1_000) us beside it: the disk was busy")
    }
    guard median.isFinite else { return .void("its figure is no number: what it is held against took no time") }
    guard let limit else { return .told }
    return limit.holds(median) ? .held : .missed
  }
}
