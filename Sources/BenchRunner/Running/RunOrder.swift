internal import SeededRandom

/// One of the planned runs of a scenario.
public struct PlannedRun: Sendable, Equatable {
  /// Its position in the order of runs, from 1.
  public var number: Int
  public var runCount: Int
  /// The variant's index in the file's order, from 0.
  public var variant: Int
  public var variantCount: Int
  /// The variant's values; empty without a matrix.
  public var label: String
  /// From 1.
  public var repetition: Int
  public var repetitions: Int

  public init(
    number: Int,
    runCount: Int,
    variant: Int,
    variantCount: Int,
    label: String,
    repetition: Int,
    repetitions: Int
  ) {
    self.number = number
    self.runCount = runCount
    self.variant = variant
    self.variantCount = variantCount
    self.label = label
    self.repetition = repetition
    self.repetitions = repetitions
  }
}

/// The order in which the runs of a scenario are made.
///
/// Machines get faster and slower within minutes. So each round runs every variant once, which keeps a bad hour from
/// affecting all runs of one variant. Each round has its own random order, so that a variant does not always follow the
/// same one.
enum RunOrder {
  /// - Parameter labels: the labels of the variants.
  static func runs(of labels: [String], repetitions: Int, seed: UInt64) -> [PlannedRun] {
    var runs: [PlannedRun] = []
    for repetition in 1...repetitions {
      var round = Array(labels.indices)
      var stream = RandomStream(seed: seed, "order", "\(repetition)")
      // Fisher–Yates shuffle.
      for last in stride(from: round.count - 1, to: 0, by: -1) { round.swapAt(last, stream.below(last + 1)) }
      for variant in round {
        runs.append(
          PlannedRun(
            number: runs.count + 1,
            runCount: labels.count * repetitions,
            variant: variant,
            variantCount: labels.count,
            label: labels[variant],
            repetition: repetition,
            repetitions: repetitions
          )
        )
      }
    }
    return runs
  }
}
