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
  /// The keys of the drawn rows.
  private(set) var keys: [String] = []
  /// The rows that the transaction has inserted, each with the index of its collection.
  private var inserted: [(row: Int, collection: Int)] = []
  private var values: [PayloadBlank?] = []

  mutating func removeAll() {
    operations.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    if !inserted.isEmpty { inserted.removeAll(keepingCapacity: true) }
    if !values.isEmpty { values.removeAll(keepingCapacity: true) }
  }

  mutating func append(_ operation: PlannedOperation) { operations.append(operation) }

  mutating func append(row: Int, key: String) {
    rows.append(row)
    keys.append(key)
  }

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
  /// The source of rows for the operations on one collection.
  private struct RowSource {
    var rows: KeySource
    var stream: RandomStream
    let keys: RowKeys

    mutating func next() -> (row: Int, key: String) {
      let row = rows.next(&stream)
      return (row, keys.key(row))
    }
  }

  /// The draws for one of the actor's operations.
  private struct Needs {
    let kind: OperationKind
    /// The index of its collection among those of the actor; nil if it uses none.
    let collection: Int?
    let rows: Int
    let scanLengths: ClosedRange<Int>?
    /// The number of objects that are generated for it.
    let objects: Int
    /// nil if it uses no collection.
    let objectSize: SizeSource?
    /// nil if it writes no metadata.
    let metadataSize: SizeSource?

    /// Whether values are generated for it.
    var hasValues: Bool { objects > 0 || metadataSize != nil }

    init(_ kind: OperationKind, on collection: CheckedCollection?, index: Int?) {
      self.kind = kind
      self.collection = index
      rows = collection == nil ? 0 : kind.drawnRowCount
      scanLengths = kind.scanLengths
      objects = collection == nil ? 0 : kind.writtenObjectCount
      objectSize = collection?.valueSize
      metadataSize = kind.writesMetadata ? collection?.metadataSize : nil
    }
  }

  private let operationCount: ClosedRange<Int>
  /// The indices of the operations of every transaction; nil if they are drawn.
  private let each: [Int]?
  private var mix: OperationMix
  /// One for each collection of the actor.
  private var sources: [RowSource]
  /// One for each operation of the actor.
  private let needs: [Needs]
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
      return RowSource(
        rows: KeySource(actor.keys, of: collection.rows, start: thread * collection.rows.loaded / actor.threads),
        stream: RandomStream(seed: seed, [phase, actor.name, "\(thread)", "keys"] + names),
        keys: collection.keys
      )
    }
    needs = actor.operations.map { operation in
      let index = actor.collection(of: operation).flatMap { name in collections.firstIndex { $0.name == name } }
      return Needs(operation.kind, on: index.map { collections[$0] }, index: index)
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
    let firstRow = plan.rows.count
    let collection = needs[index].collection
    if let collection {
      for _ in 0..<needs[index].rows {
        let (row, key) = sources[collection].next()
        plan.append(row: row, key: key)
      }
    }
    let firstValue = plan.valueCount
    let sizes = needs[index].hasValues ? addValues(ofOperation: index, to: &plan) : (object: 0, metadata: nil)
    plan.append(
      PlannedOperation(
        index: index,
        kind: needs[index].kind,
        collection: collection,
        firstRow: firstRow,
        scanLength: needs[index].scanLengths.map { $0.lowerBound + scanStream.below($0.count) } ?? 0,
        size: sizes.object,
        metadataSize: sizes.metadata,
        firstValue: firstValue
      )
    )
  }

  /// Draws the values of an operation: its objects, then its metadata.
  /// - Returns: The size of the first object, 0 for none, and that of the metadata.
  @inline(never)
  private mutating func addValues(
    ofOperation index: Int,
    to plan: inout TransactionPlan
  ) -> (object: Int, metadata: Int?) {
    let needs = needs[index]
    var sizes: (object: Int, metadata: Int?) = (0, nil)
    if let source = needs.objectSize {
      for number in 0..<needs.objects {
        let size = source.next(&sizeStream)
        if number == 0 { sizes.object = size }
        plan.append(value: PayloadBlank(size: size, compressible: source.compressible, &payloadStream))
      }
    }
    if let source = needs.metadataSize {
      let size = source.next(&sizeStream)
      sizes.metadata = size
      plan.append(value: PayloadBlank(size: size, compressible: source.compressible, &payloadStream))
    }
    return sizes
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
