internal import BenchModel
internal import SeededRandom

/// A digest of everything that a worker has drawn: its operations, their rows and their sizes, in order.
///
/// It is recorded at counts that are powers of two. So two streams of different lengths, which result from phases that
/// end by time, can be compared on their common part.
struct OperationDigest {
  private var state: UInt64
  private(set) var count = 0
  private(set) var marks: [WorkerDigest.Mark] = []

  init(operations: [OperationWeight]) {
    state = operations.reduce(0) { state, operation in
      operation.kind.description.utf8.reduce(RandomStream.mix(state &+ 1)) { RandomStream.mix($0 ^ UInt64($1)) }
    }
  }

  mutating func add(_ plan: TransactionPlan) {
    for operation in plan.operations {
      fold(UInt64(operation.index))
      fold(UInt64(operation.size))
      fold(operation.metadataSize.map { UInt64($0) } ?? .max)
    }
    for row in plan.rows { fold(UInt64(row)) }
    count += 1
    if count.nonzeroBitCount == 1 { marks.append(WorkerDigest.Mark(transactions: count, digest: state)) }
  }

  @inline(__always)
  private mutating func fold(_ word: UInt64) {
    state = RandomStream.mix(state ^ word &* 0x9e37_79b9_7f4a_7c15)
  }
}
