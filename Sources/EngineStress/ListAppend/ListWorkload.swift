internal import HarnessPrimitives
internal import Synchronization
internal import ThreadingPrimitives
internal import YapEngine

/// Transactions of appends and reads on small lists, from several threads with two connections each: one for fresh
/// transactions, and one for reads of a bookmark.
final class ListWorkload: Sendable {
  /// The shape of the load.
  struct Shape {
    var threads = 4
    /// The transactions of all threads together.
    var transactions = 20_000
    /// The number of keys that receive appends at the same time.
    var keys = 6
    /// The number of appends after which a new key takes the place of a key.
    var appendsPerKey = 40
    /// The most operations of a transaction.
    var operations = 4
  }

  static let collection = "lists"

  private struct ActiveKeys {
    /// The active keys, each with its number of appends.
    var keys: [(key: Int, appends: Int)]
    var next: Int
  }

  private let database: YapDatabase
  private let shape: Shape
  private let seed: UInt64
  private let active: Guarded<ActiveKeys>
  private let nextValue = Atomic<UInt32>(1)
  private let begun = Atomic<Int>(0)
  private let finished = Guarded<[ListTransaction]>([])
  private let failure = Guarded<String?>(nil)

  init(_ database: YapDatabase, _ shape: Shape, seed: UInt64) {
    self.database = database
    self.shape = shape
    self.seed = seed
    active = Guarded(ActiveKeys(keys: (0..<shape.keys).map { ($0, 0) }, next: shape.keys))
  }

  /// Runs the load to its end, or until the flag is raised.
  /// - Returns: The history. Its last transaction reads each key.
  /// - Throws: The engine's first error.
  func run(until stop: StopFlag) throws -> [ListTransaction] {
    let threads = try (0..<shape.threads).map { thread in
      try WorkerThread(name: "lists \(thread)") { [self] in
        do { try work(thread, until: stop) } catch {
          failure.withLock { [text = "\(error)"] in $0 = $0 ?? text }
        }
      }
    }
    for thread in threads { thread.join() }
    if let text = failure.withLock({ $0 }) { throw WrongResult(text) }
    let last = try readAll()
    return finished.withLock { $0.map { $0 } } + [last]
  }

  private func work(_ thread: Int, until stop: StopFlag) throws {
    var random = RandomStream(seed: seed, "lists", "\(thread)")
    let fresh = try connection("fresh \(thread)", &random)
    let bookmarked = try connection("bookmark \(thread)", &random)
    try bookmarked.beginLongLivedReadTransaction()
    var own: [ListTransaction] = []
    defer { finished.withLock { [own] in $0 += own } }
    while !stop.isRaised, begun.wrappingAdd(1, ordering: .relaxed).oldValue < shape.transactions {
      switch random.below(20) {
      case 0..<10: own.append(try write(on: fresh, process: 2 * thread, &random))
      case 10..<16: own.append(try read(on: fresh, process: 2 * thread, isFresh: true, &random))
      default:
        if random.below(3) == 0 { try bookmarked.beginLongLivedReadTransaction() }
        own.append(try read(on: bookmarked, process: 2 * thread + 1, isFresh: false, &random))
      }
    }
    try bookmarked.endLongLivedReadTransaction()
  }

  /// Opens a connection whose caches have a random size and policy.
  private func connection(_ name: String, _ random: inout RandomStream) throws -> YapDatabaseConnection {
    let connection = try database.newConnection(name: name)
    connection.objectCacheEnabled = random.below(5) > 0
    connection.objectCacheLimit = [1, 2, YapDatabaseConnectionDefaults().objectCacheLimit, 0][random.below(4)]
    connection.objectPolicy = [.containment, .share, .copy][random.below(3)]
    return connection
  }

  // MARK: Transactions

  private func write(
    on connection: YapDatabaseConnection,
    process: Int,
    _ random: inout RandomStream
  ) throws -> ListTransaction {
    let drawn = (0...random.below(shape.operations)).map { _ in
      random.below(5) < 3 ? drawAppend(&random) : drawRead(&random)
    }
    let rollsBack = random.below(20) == 0
    var operations: [ListOperation] = []
    let start = MonotonicClock.now
    do {
      try connection.readWrite { transaction in
        operations.removeAll()
        for operation in drawn { operations.append(try Self.perform(operation, in: transaction)) }
        if rollsBack { throw RolledBack() }
      }
    } catch is RolledBack {}
    return ListTransaction(
      process: process,
      outcome: rollsBack ? .rolledBack : .committed,
      begun: start,
      ended: MonotonicClock.now,
      operations: operations
    )
  }

  private func read(
    on connection: YapDatabaseConnection,
    process: Int,
    isFresh: Bool,
    _ random: inout RandomStream
  ) throws -> ListTransaction {
    let keys = (0...random.below(shape.operations)).map { _ in drawRead(&random).key }
    return try read(keys, on: connection, process: process, isFresh: isFresh)
  }

  /// Reads each key that has ever been active, in one transaction.
  private func readAll() throws -> ListTransaction {
    let keys = active.withLock { $0.next }
    let connection = try database.newConnection(name: "last read")
    return try read(Array(0..<keys), on: connection, process: 2 * shape.threads, isFresh: true)
  }

  private func read(
    _ keys: [Int],
    on connection: YapDatabaseConnection,
    process: Int,
    isFresh: Bool
  ) throws -> ListTransaction {
    let begun = MonotonicClock.now
    let operations = try connection.read { transaction in
      try keys.map { ListOperation.read(key: $0, values: try Self.values(of: $0, in: transaction)) }
    }
    let ended = MonotonicClock.now
    return ListTransaction(process: process, isFresh: isFresh, begun: begun, ended: ended, operations: operations)
  }

  private static func perform(
    _ operation: ListOperation,
    in transaction: YapDatabaseReadWriteTransaction
  ) throws -> ListOperation {
    let values = try values(of: operation.key, in: transaction)
    guard case .append(let key, let value) = operation else { return .read(key: operation.key, values: values) }
    let bytes = (values + [value]).flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    try transaction.setObject(bytes, forKey: String(key), inCollection: collection)
    return operation
  }

  private static func values(of key: Int, in transaction: YapDatabaseReadTransaction) throws -> [UInt32] {
    guard let object = try transaction.object(forKey: String(key), inCollection: collection) else { return [] }
    guard let bytes = object as? [UInt8], bytes.count % 4 == 0 else {
      throw WrongResult("the object of key \(key) is not a list")
    }
    return bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
    }
  }

  // MARK: Drawing

  private func drawAppend(_ random: inout RandomStream) -> ListOperation {
    let index = random.below(shape.keys)
    let key = active.withLock { active in
      if active.keys[index].appends >= shape.appendsPerKey {
        active.keys[index] = (active.next, 0)
        active.next += 1
      }
      active.keys[index].appends += 1
      return active.keys[index].key
    }
    return .append(key: key, value: nextValue.wrappingAdd(1, ordering: .relaxed).oldValue)
  }

  /// Draws an active key, or sometimes one that was active recently.
  private func drawRead(_ random: inout RandomStream) -> ListOperation {
    let index = random.below(shape.keys)
    let (key, next) = active.withLock { ($0.keys[index].key, $0.next) }
    guard random.below(10) == 0 else { return .read(key: key, values: []) }
    return .read(key: max(next - 1 - random.below(2 * shape.keys), 0), values: [])
  }
}
