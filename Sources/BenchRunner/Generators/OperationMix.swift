internal import BenchModel
internal import SeededRandom

/// Draws operations by their weights.
struct OperationMix {
  let kinds: [OperationKind]
  private let cumulativeWeights: [Int]

  init(_ operations: [OperationWeight]) {
    kinds = operations.map(\.kind)
    var total = 0
    cumulativeWeights = operations.map { operation in
      total += operation.weight
      return total
    }
  }

  /// Draws an index into `kinds`.
  @inline(__always)
  func next(_ random: inout RandomStream) -> Int {
    if kinds.count == 1 { return 0 }
    let drawn = random.below(cumulativeWeights[cumulativeWeights.count - 1])
    var index = 0
    while drawn >= cumulativeWeights[index] { index += 1 }
    return index
  }
}
