/// Contestants that are measured side by side, and the claims that their figures decide.
struct Trial {
  /// The computation of a claim's figure from those of the contestants, in each round.
  enum Figure {
    case ratio(of: String, to: String)
    case value(of: String)
  }

  let name: String
  var contestants: [Contestant]
  let answers: [ClaimID: Figure]
  /// Whether the work waits for the disk, so that the disk is probed in each round.
  var waitsForDisk = false
  /// The unit in which the contestants' own figures are shown.
  var unit = FigureUnit.nanoseconds
}

/// The measurements of a trial.
public struct TrialRecord: Sendable, Codable, Equatable {
  public let trial: String
  public let unit: FigureUnit
  /// The figures of each contestant, one per round.
  public internal(set) var figures: [String: [Double]]
  /// The operations of each contestant in a round.
  public internal(set) var operations: [String: Int]
  /// For each round, the share of its time for which the measuring thread waited for a core.
  public internal(set) var queuedShares: [Double]
  /// Nanoseconds of appends with a sync, measured in each round; empty if the work does not wait for the disk.
  public internal(set) var probeNanoseconds: [UInt64]

  /// The median of the probes.
  public var medianProbe: UInt64? {
    probeNanoseconds.isEmpty ? nil : probeNanoseconds.sorted()[probeNanoseconds.count / 2]
  }

  /// Returns a claim's figure in each round that all required contestants have ended; nil if one of them took no part.
  func rounds(of figure: Trial.Figure) -> [Double]? {
    switch figure {
    case .value(let name): figures[name]
    case .ratio(let name, let other):
      if let own = figures[name], let others = figures[other] { zip(own, others).map { $0 / $1 } } else { nil }
    }
  }
}
