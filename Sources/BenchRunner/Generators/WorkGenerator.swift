internal import BenchResults
internal import BenchScenario
internal import HarnessPrimitives

/// Draws the work of a worker. For equal settings, the seed, the names of phase and actor, and the thread determine it.
struct WorkGenerator {
  /// The source of rows for the operations on one collection, or for one operation with keys of its own.
  private struct RowSource {
    var rows: KeySource
    var stream: RandomStream
    let keys: RowKeys

    /// Draws rows, and adds them and their keys to the plan.
    mutating func draw(_ count: Int, to plan: inout TransactionPlan) {
      plan.append(rows: count, keys: keys) { rows.draw(count, &stream, to: &$0) }
    }
  }

  /// The draws for one of the actor's operations.
  private struct Needs {
    /// The index of its collection in the actor's list; nil if it uses none.
    let collection: Int?
    /// The index of the source of its rows.
    let source: Int
    let rows: Int
    let scanLengths: ClosedRange<Int>?
    /// The number of objects that are generated for it.
    let objects: Int
    /// nil if it uses no collection.
    let objectSize: SizeSource?
    /// nil if it writes no metadata.
    let metadataSize: SizeSource?

    /// Whether values are generated for it.
    let hasValues: Bool

    init(_ kind: OperationKind, on collection: CheckedCollection?, index: Int?, source: Int?) {
      (self.collection, self.source) = (index, source ?? index ?? 0)
      rows = collection == nil ? 0 : kind.drawnRowCount
      scanLengths = kind.scanLengths
      objects = collection == nil ? 0 : kind.writtenObjectCount
      objectSize = collection?.valueSize
      metadataSize = kind.verb.writesMetadata ? collection?.metadataSize : nil
      hasValues = objects > 0 || metadataSize != nil
    }
  }

  /// The operations and rows that are drawn at once, at most, unless one transaction has more.
  private static let mostDrawnAtOnce = 256

  private let operationCount: ClosedRange<Int>
  /// The indices of the operations of every transaction; nil if they are drawn.
  private let each: [Int]?
  private var mix: OperationMix
  /// One for each collection of the actor, then one for each operation with keys of its own.
  private var sources: [RowSource]
  /// One for each operation of the actor.
  private let needs: [Needs]
  /// The number of transactions that are drawn at once. It is 1 if they have values, because these take memory, and if
  /// the rows to draw from depend on the inserts so far.
  private let transactionsAtOnce: Int
  // One stream for each purpose, so that a change of the values' sizes leaves the keys as they were.
  private var mixStream: RandomStream
  private var scanStream: RandomStream
  private var sizeStream: RandomStream
  private var payloadStream: RandomStream
  /// The digest of the work that was drawn.
  private(set) var digest: OperationDigest

  /// - Parameter collections: the actor's collections.
  init(_ actor: ActorSettings, _ collections: [CheckedCollection], seed: UInt64, phase: String, thread: Int) {
    operationCount = actor.operationsPerTransaction
    each =
      actor.performsEach
      ? actor.operations.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element.weight) } : nil
    mix = OperationMix(actor.operations)
    func source(_ keys: KeyDistribution, of collection: CheckedCollection, _ purpose: [String]) -> RowSource {
      RowSource(
        rows: KeySource(keys, of: collection.rows, start: thread * collection.rows.loaded / actor.threads),
        stream: RandomStream(seed: seed, [phase, actor.name, "\(thread)"] + purpose),
        keys: collection.keys
      )
    }
    // The stream of the actor's own collection does not change if operations on others are added.
    var sources = collections.map { collection in
      source(actor.keys, of: collection, ["keys"] + (collection.name == actor.collection ? [] : [collection.name]))
    }
    needs = actor.operations.map { operation in
      let index = actor.collection(of: operation).flatMap { name in collections.firstIndex { $0.name == name } }
      let collection = index.map { collections[$0] }
      let own = operation.keys.flatMap { keys in
        collection.map { source(keys, of: $0, ["keys of an operation", operation.name]) }
      }
      if let own { sources.append(own) }
      return Needs(operation.kind, on: collection, index: index, source: own.map { _ in sources.count - 1 })
    }
    self.sources = sources
    let mostOperations = each?.count ?? operationCount.upperBound
    let most = mostOperations * max(needs.map(\.rows).max() ?? 0, 1)
    let isFixed = !needs.contains(where: \.hasValues) && !collections.contains { $0.rows.limit > $0.rows.loaded }
    transactionsAtOnce = isFixed ? max(Self.mostDrawnAtOnce / most, 1) : 1
    mixStream = RandomStream(seed: seed, phase, actor.name, "\(thread)", "mix")
    scanStream = RandomStream(seed: seed, phase, actor.name, "\(thread)", "scans")
    sizeStream = RandomStream(seed: seed, phase, actor.name, "\(thread)", "sizes")
    payloadStream = RandomStream(seed: seed, phase, actor.name, "\(thread)", "payload")
    digest = OperationDigest(operations: actor.operations)
  }

  /// Makes the next transaction the current one of `plan`, and draws transactions if the plan has no more.
  @inline(__always)
  mutating func draw(_ plan: inout TransactionPlan) {
    if plan.next() { return }
    fill(&plan)
    _ = plan.next()
  }

  /// Draws transactions. Each kind of draw is made for all of them before the next one, because its stream is its own.
  @inline(never)
  private mutating func fill(_ plan: inout TransactionPlan) {
    plan.removeAll()
    for _ in 0..<transactionsAtOnce {
      if let each {
        for index in each { add(operation: index, to: &plan) }
      } else {
        let count =
          operationCount.count == 1
          ? operationCount.lowerBound : operationCount.lowerBound + mixStream.below(operationCount.count)
        for _ in 0..<count { add(operation: mix.next(&mixStream), to: &plan) }
      }
      plan.endTransaction()
    }
    if sources.count == 1 {
      sources[0].draw(plan.plannedRows, to: &plan)
    } else {
      for operation in plan.drawnOperations {
        let needs = needs[operation.index]
        if needs.rows > 0 { sources[needs.source].draw(needs.rows, to: &plan) }
      }
    }
    digest.add(plan)
  }

  @inline(__always)
  private mutating func add(operation index: Int, to plan: inout TransactionPlan) {
    let firstValue = plan.valueCount
    let sizes = needs[index].hasValues ? addValues(ofOperation: index, to: &plan) : (object: 0, metadata: nil)
    plan.append(
      PlannedOperation(
        index: index,
        collection: needs[index].collection,
        firstRow: plan.plannedRows,
        scanLength: needs[index].scanLengths.map { $0.lowerBound + scanStream.below($0.count) } ?? 0,
        size: sizes.object,
        metadataSize: sizes.metadata,
        firstValue: firstValue
      ),
      rows: needs[index].rows
    )
  }

  /// Draws the values of an operation: its objects, then its metadata.
  /// - Returns: The sizes of the first object, 0 for none, and of the metadata.
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

  /// Whether the length of each operation's scans is drawn. Otherwise the operation's name contains it.
  private let drawsLengths: [Bool]

  init(operations: [OperationWeight]) {
    drawsLengths = operations.map { $0.kind.scanLengths.map { $0.count > 1 } ?? false }
    state = operations.reduce(0) { state, operation in
      operation.name.utf8.reduce(RandomStream.mix(state &+ 1)) { RandomStream.mix($0 ^ UInt64($1)) }
    }
  }

  /// Adds the drawn transactions of a plan.
  mutating func add(_ plan: TransactionPlan) {
    plan.forEachTransaction { operations, rows in
      // The words are mixed independently, so the processor need not wait for one before it begins the next.
      var (sum, place) = (UInt64(0), UInt64(0))
      func fold(_ word: UInt64) {
        place &+= 0x9e37_79b9_7f4a_7c15
        sum &+= RandomStream.mix(word ^ place)
      }
      for operation in operations {
        fold(UInt64(operation.index) << 48 ^ UInt64(operation.size))
        if let size = operation.metadataSize { fold(UInt64(size)) }
        if drawsLengths[operation.index] { fold(UInt64(operation.scanLength)) }
      }
      for row in rows { fold(UInt64(row)) }
      state = RandomStream.mix(state ^ sum)
      count += 1
      // A power of two. Counting its bits would take a dozen instructions.
      if count & (count - 1) == 0 { marks.append(WorkerDigest.Mark(transactions: count, digest: state)) }
    }
  }
}
