/// Contestants that are measured side by side, and the claims that their figures answer.
struct Trial {
  /// How a claim's figure is made of those of the contestants, in each round.
  enum Figure {
    case ratio(of: String, to: String)
    case value(of: String)
  }

  let name: String
  var contestants: [Contestant]
  let answers: [ClaimID: Figure]
  /// Whether it waits for the disk, so that the disk is probed beside it.
  var waitsForDisk = false
  /// What the contestants' own figures count, for showing them.
  var unit = FigureUnit.nanoseconds
}

/// What was measured in a trial.
public struct TrialRecord: Sendable, Codable, Equatable {
  public let trial: String
  public let unit: FigureUnit
  /// By contestant, a figure a round.
  public internal(set) var figures: [String: [Double]]
  /// Operations in a round, by contestant.
  public internal(set) var operations: [String: Int]
  /// By round, the share of its time for which the measuring thread waited for a core.
  public internal(set) var queuedShares: [Double]
  /// Nanoseconds of appends with a sync, taken in each round; empty for work that waits for no disk.
  public internal(set) var probeNanoseconds: [UInt64]

  /// The median of the probes.
  public var medianProbe: UInt64? {
    probeNanoseconds.isEmpty ? nil : probeNanoseconds.sorted()[probeNanoseconds.count / 2]
  }

  /// A claim's figure in each round that all who are needed for it have ended; nil where one of them took no part.
  func rounds(of figure: Trial.Figure) -> [Double]? {
    switch figure {
    case .value(let name): figures[name]
    case .ratio(let name, let other):
      if let own = figures[name], let others = figures[other] { zip(own, others).map { $0 / $1 } } else { nil }
    }
  }
}
