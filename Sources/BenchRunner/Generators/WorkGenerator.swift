internal import BenchResults
internal import BenchScenario
internal import SeededRandom

/// One operation, drawn before its transaction begins.
struct PlannedOperation {
  /// The index of its kind among the actor's operations.
  let index: Int
  let kind: OperationKind
  /// The index of its collection among those of the actor; nil if it uses none.
  let collection: Int?
  /// The index of its first row in the plan's rows; the other rows of `multiGet` and `transfer` follow.
  let firstRow: Int
  /// The number of rows that it scans; 0 for none.
  let scanLength: Int
  /// Bytes of the first object that it writes; 0 for none.
  let size: Int
  /// Bytes of the metadata that it writes; nil for none.
  let metadataSize: Int?
  /// The index of its first value among the plan's values, if it has any: its objects, then its metadata.
  let firstValue: Int
}

/// The work of one transaction. Its arrays are reused for the next one, so that only the values are allocated.
struct TransactionPlan {
  private(set) var operations: [PlannedOperation] = []
  /// The drawn rows.
  private(set) var rows: [Int] = []
  /// The rows that the transaction has inserted, each with the index of its collection.
  private var inserted: [(row: Int, collection: Int)] = []
  private var values: [PayloadBlank?] = []

  mutating func removeAll() {
    operations.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    inserted.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  mutating func append(_ operation: PlannedOperation) { operations.append(operation) }
  mutating func append(row: Int) { rows.append(row) }
  mutating func append(value: PayloadBlank) { values.append(value) }
  mutating func append(insertedRow row: Int, in collection: Int) { inserted.append((row, collection)) }
  var valueCount: Int { values.count }

  /// The rows of a collection that were drawn or inserted.
  func rows(in collection: Int) -> [Int] {
    let drawn = operations.filter { $0.collection == collection }.flatMap { operation in
      rows[operation.firstRow..<operation.firstRow + operation.kind.drawnRowCount]
    }
    return drawn + inserted.filter { $0.collection == collection }.map(\.row)
  }

  /// The last row that was inserted or, without inserts, drawn; nil if there is none.
  var lastRow: (row: Int, collection: Int)? {
    if let last = inserted.last { return last }
    guard let row = rows.last, let collection = operations.last(where: { $0.kind.drawnRowCount > 0 })?.collection else {
      return nil
    }
    return (row, collection)
  }

  /// Removes a value from the plan, so that it can be labelled without a copy.
  mutating func takeValue(at index: Int) -> PayloadBlank? { values[index].take() }
}

/// Draws the work of a worker. For equal settings, the seed, the names of phase and actor, and the thread determine it.
struct WorkGenerator {
  /// The sources of rows and sizes for the operations on one collection.
  private struct Source {
    var keys: KeySource
    var keyStream: RandomStream
    let valueSize: SizeSource
    let metadataSize: SizeSource?

    mutating func nextRow() -> Int { keys.next(&keyStream) }
  }

  private let operationCount: ClosedRange<Int>
  /// The indices of the operations of every transaction; nil if they are drawn.
  private let each: [Int]?
  private var mix: OperationMix
  /// One for each collection of the actor.
  private var sources: [Source]
  /// For each operation, the index of its collection; nil if it uses none.
  private let collections: [Int?]
  // One stream for each purpose, so that a change of the values' sizes leaves the keys as they were.
  private var mixStream: RandomStream
  private var scanStream: RandomStream
  private var sizeStream: RandomStream
  private var payloadStream: RandomStream
  /// The digest of the work that was drawn.
  private(set) var digest: OperationDigest

  /// - Parameter collections: those of the actor.
  init(_ actor: ActorSettings, _ collections: [CheckedCollection], seed: UInt64, phase: String, thread: Int) {
    operationCount = actor.operationsPerTransaction
    each =
      actor.performsEach
      ? actor.operations.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element.weight) } : nil
    mix = OperationMix(actor.operations)
    sources = collections.map { collection in
      // The stream of the actor's own collection does not change if operations on others are added.
      let names = collection.name == actor.collection ? [] : [collection.name]
      return Source(
        keys: KeySource(actor.keys, of: collection.rows, start: thread * collection.rows.loaded / actor.threads),
        keyStream: RandomStream(seed: seed, [phase, actor.name, "\(thread)", "keys"] + names),
        valueSize: collection.valueSize,
        metadataSize: collection.metadataSize
      )
    }
    self.collections = actor.operations.map { operation in
      actor.collection(of: operation).flatMap { name in collections.firstIndex { $0.name == name } }
    }
    mixStream = RandomStream(seed: seed, phase, actor.name, "\(thread)", "mix")
    scanStream = RandomStream(seed: seed, phase, actor.name, "\(thread)", "scans")
    sizeStream = RandomStream(seed: seed, phase, actor.name, "\(thread)", "sizes")
    payloadStream = RandomStream(seed: seed, phase, actor.name, "\(thread)", "payload")
    digest = OperationDigest(operations: actor.operations)
  }

  mutating func draw(_ plan: inout TransactionPlan) {
    plan.removeAll()
    if let each {
      for index in each { add(operation: index, to: &plan) }
    } else {
      let count =
        operationCount.count == 1
        ? operationCount.lowerBound : operationCount.lowerBound + mixStream.below(operationCount.count)
      for _ in 0..<count { add(operation: mix.next(&mixStream), to: &plan) }
    }
    digest.add(plan)
  }

  private mutating func add(operation index: Int, to plan: inout TransactionPlan) {
    let kind = mix.kinds[index]
    let collection = collections[index]
    let firstRow = plan.rows.count
    if let collection {
      for _ in 0..<kind.drawnRowCount {
        plan.append(row: sources[collection].nextRow())
      }
    }
    let source = collection.map { sources[$0] }
    let sizes = (0..<kind.writtenObjectCount).compactMap { _ in source?.valueSize.next(&sizeStream) }
    let metadataSize = kind.writesMetadata ? source?.metadataSize?.next(&sizeStream) : nil
    plan.append(
      PlannedOperation(
        index: index,
        kind: kind,
        collection: collection,
        firstRow: firstRow,
        scanLength: kind.scanLengths.map { $0.lowerBound + scanStream.below($0.count) } ?? 0,
        size: sizes.first ?? 0,
        metadataSize: metadataSize,
        firstValue: plan.valueCount
      )
    )
    for (sizes, source) in [(sizes, source?.valueSize), (metadataSize.map { [$0] } ?? [], source?.metadataSize)] {
      for size in sizes {
        let compressible = source?.compressible ?? 0
        plan.append(value: PayloadBlank(size: size, compressible: compressible, &payloadStream))
      }
    }
  }
}

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

/// A digest of the operations that a worker has drawn, with their rows and sizes, in order.
///
/// It is recorded when the number of transactions is a power of two. Streams of different lengths, which result from
/// phases that end by time, can thus be compared on their common part.
struct OperationDigest {
  private var state: UInt64
  private(set) var count = 0
  private(set) var marks: [WorkerDigest.Mark] = []

  init(operations: [OperationWeight]) {
    state = operations.reduce(0) { state, operation in
      operation.name.utf8.reduce(RandomStream.mix(state &+ 1)) { RandomStream.mix($0 ^ UInt64($1)) }
    }
  }

  mutating func add(_ plan: TransactionPlan) {
    for operation in plan.operations {
      fold(UInt64(operation.index))
      fold(UInt64(operation.size))
      fold(operation.metadataSize.map { UInt64($0) } ?? .max)
      // The length of other scans is part of the operation's name.
      if let lengths = operation.kind.scanLengths, lengths.count > 1 { fold(UInt64(operation.scanLength)) }
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
