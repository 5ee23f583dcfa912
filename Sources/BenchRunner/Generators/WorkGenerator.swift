internal import BenchModel
internal import SeededRandom

/// One operation, drawn before its transaction begins.
struct PlannedOperation {
  /// The index of its kind among the actor's operations.
  let index: Int
  let kind: OperationKind
  /// The index of its first row in the plan's rows; the other rows of `multiGet` and `transfer` follow.
  let firstRow: Int
  /// Bytes of the object that it writes, if it writes one.
  let size: Int
  /// Bytes of the metadata that it writes; nil for none.
  let metadataSize: Int?
  /// The index of its object among the plan's values, if it writes one; its metadata follows.
  let firstValue: Int
}

/// The work of one transaction. Its arrays are reused for the next one, so that only the values are allocated.
struct TransactionPlan {
  private(set) var operations: [PlannedOperation] = []
  private(set) var rows: [Int] = []
  private var values: [PayloadBlank?] = []

  mutating func removeAll() {
    operations.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  mutating func append(_ operation: PlannedOperation) { operations.append(operation) }
  mutating func append(row: Int) { rows.append(row) }
  mutating func append(value: PayloadBlank) { values.append(value) }
  var valueCount: Int { values.count }

  /// Removes a value from the plan, so that it can be labelled without a copy.
  mutating func takeValue(_ place: Int) -> PayloadBlank? { values[place].take() }
}

/// Draws the work of a worker. The seed, the names of phase and actor, and the number of the thread determine it.
struct WorkGenerator {
  private let operationCount: ClosedRange<Int>
  private var mix: OperationMix
  private var keys: KeySource?
  private let valueSize: SizeSource?
  private let metadataSize: SizeSource?
  // One stream for each purpose, so that a change of the values' sizes leaves the keys as they were.
  private var mixStream: RandomStream
  private var keyStream: RandomStream
  private var sizeStream: RandomStream
  private var payloadStream: RandomStream
  /// The digest of everything that was drawn.
  private(set) var digest: OperationDigest

  init(_ actor: ActorSettings, _ collection: CheckedCollection?, seed: UInt64, phase: String, thread: Int) {
    operationCount = actor.operationsPerTransaction
    mix = OperationMix(actor.operations)
    keys = collection.map { collection in
      KeySource(actor.keys, count: collection.rows, start: thread * collection.rows / actor.threads)
    }
    valueSize = collection?.valueSize
    metadataSize = collection?.metadataSize
    mixStream = RandomStream(seed: seed, phase, actor.name, "\(thread)", "mix")
    keyStream = RandomStream(seed: seed, phase, actor.name, "\(thread)", "keys")
    sizeStream = RandomStream(seed: seed, phase, actor.name, "\(thread)", "sizes")
    payloadStream = RandomStream(seed: seed, phase, actor.name, "\(thread)", "payload")
    digest = OperationDigest(operations: actor.operations)
  }

  mutating func draw(_ plan: inout TransactionPlan) {
    plan.removeAll()
    let count =
      operationCount.count == 1
      ? operationCount.lowerBound : operationCount.lowerBound + mixStream.below(operationCount.count)
    for _ in 0..<count {
      let index = mix.next(&mixStream)
      let kind = mix.kinds[index]
      let firstRow = plan.rows.count
      for _ in 0..<Self.rows(of: kind) {
        if let row = keys?.next(&keyStream) { plan.append(row: row) }
      }
      let sizes = (0..<Self.objects(of: kind)).compactMap { _ in valueSize?.next(&sizeStream) }
      let metadataSize = Self.writesMetadata(kind) ? metadataSize?.next(&sizeStream) : nil
      plan.append(
        PlannedOperation(
          index: index,
          kind: kind,
          firstRow: firstRow,
          size: sizes.first ?? 0,
          metadataSize: metadataSize,
          firstValue: plan.valueCount
        )
      )
      for (sizes, source) in [(sizes, valueSize), (metadataSize.map { [$0] } ?? [], self.metadataSize)] {
        for size in sizes {
          let compressible = source?.compressible ?? 0
          plan.append(value: PayloadBlank(size: size, compressible: compressible, &payloadStream))
        }
      }
    }
    digest.add(plan)
  }

  private static func rows(of kind: OperationKind) -> Int {
    switch kind {
    case .multiGet(let count), .transfer(let count): count
    case .enumerate, .begin, .empty, .removeCollection: 0
    default: 1
    }
  }

  /// Returns the number of objects that an operation writes.
  private static func objects(of kind: OperationKind) -> Int {
    switch kind {
    case .set, .replace, .readModifyWrite, .nestedWrite: 1
    case .transfer(let count): count
    default: 0
    }
  }

  private static func writesMetadata(_ kind: OperationKind) -> Bool {
    kind == .set || kind == .setMetadata || kind == .readModifyWrite || kind.writesInside
  }
}
