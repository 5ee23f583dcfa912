internal import SeededRandom

/// One of the runs that a scenario is to make.
public struct PlannedRun: Sendable, Equatable {
  /// Its place in the order of runs, from 1.
  public var number: Int
  public var runCount: Int
  /// The variant's place in the file's order, from 0.
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

/// In which order the runs of a scenario are made.
///
/// Machines grow faster and slower within minutes. So each round runs every variant once, and no variant has all its
/// runs in a bad hour; and each round has an order of its own, so that none follows the same one always.
enum RunOrder {
  /// - Parameter labels: of the variants.
  static func runs(of labels: [String], repetitions: Int, seed: UInt64) -> [PlannedRun] {
    var runs: [PlannedRun] = []
    for repetition in 1...repetitions {
      var round = Array(labels.indices)
      var stream = RandomStream(seed: seed, "order", "\(repetition)")
      // Fisher and Yates.
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
