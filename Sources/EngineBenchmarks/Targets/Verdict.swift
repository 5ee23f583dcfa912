/// What became of a claim.
public enum Verdict: Sendable, Equatable {
  case held
  case missed
  /// A figure that nobody set a limit for.
  case told
  /// Measured, and worth nothing; says why.
  case void(String)
  /// Not measured, because something is not there; says what.
  case notBuilt(String)
  /// Asked for, and not measured before the end.
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
  /// Above this, an append with its sync tells of the neighbours, and not of what is measured.
  static let slowestProbe: UInt64 = 200_000

  /// - Parameters:
  ///   - median: of the rounds; nil where nothing was measured.
  ///   - probeNanoseconds: the median of appends with a sync beside the rounds; nil for work that waits for no disk.
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
