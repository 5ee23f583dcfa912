/// The verb of an operation: its word without the argument. `traits` has a row for each.
public enum OperationVerb: String, CaseIterable, Sendable {
  case get, getMetadata, getRow, exists, enumerate
  case insert, set, setMetadata, replace, touch, remove, removeCollection, readModifyWrite
  case empty, begin, viewAt, multiGet, scan, transfer, viewRange, nestedRead, nestedWrite
}

/// The traits of a verb, from which the loader, the runner, the schema and the reference know it.
struct OperationTraits: Sendable {
  enum Argument: Sendable {
    case none
    /// A number of keys, at least `least`.
    case keys(atLeast: Int, like: Int)
    /// A number of keys that is drawn from a range each time.
    case keyRange(like: ClosedRange<Int>)
    /// The connection of a nested transaction.
    case connection
  }

  /// The number of rows that are drawn for the operation.
  enum Draws: Sendable {
    case nothing, row
    /// As many as the argument states.
    case rows
  }

  /// The parts of each of its rows that the operation may write.
  enum Written: Sendable {
    case nothing, object, metadata, row
  }

  /// The collections that the operation may use.
  enum Collection: Sendable {
    case none
    /// The collection of its actor.
    case own
    /// The collection of its actor, or another one that it names.
    case any
  }

  /// The meaning, for an author.
  let meaning: String
  var argument = Argument.none
  /// Whether the actor's own transaction must be a read-write transaction.
  var isWrite = false
  var draws = Draws.row
  var writes = Written.nothing
  var removes = false
  var collection = Collection.any
  var readsView = false
  /// Whether the operation is a read of one row that the caches count, so that they have one outcome for it.
  var hasCacheOutcome = false

  init(_ meaning: String, _ change: (inout Self) -> Void = { _ in }) {
    self.meaning = meaning
    change(&self)
  }

  /// Returns the traits of an operation in the actor's own read-write transaction.
  fileprivate static func write(
    _ meaning: String,
    _ parts: Written = .nothing,
    draws: Draws = .row,
    removes: Bool = false
  ) -> Self {
    Self(meaning) { ($0.isWrite, $0.writes, $0.draws, $0.removes) = (true, parts, draws, removes) }
  }
}

extension OperationVerb {
  var traits: OperationTraits { Self.table[self] ?? row }

  private static let table = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.row) })

  private var row: OperationTraits {
    switch self {
    case .get: OperationTraits("Reads an object.") { $0.hasCacheOutcome = true }
    case .getMetadata: OperationTraits("Reads a row's metadata.") { $0.hasCacheOutcome = true }
    case .getRow: OperationTraits("Reads an object and its metadata.") { $0.hasCacheOutcome = true }
    case .exists: OperationTraits("Checks whether a row exists.")
    case .enumerate: OperationTraits("Reads every object of the collection.") { $0.draws = .nothing }
    case .insert:
      .write(
        "Adds a row with the next number, its object and, if the collection has metadata, its metadata. The "
          + "collection must state `inserts`.",
        .row,
        draws: .nothing
      )
    case .set: .write("Writes the object of a drawn row, and its metadata if the collection has metadata.", .row)
    case .setMetadata: .write("Writes the metadata of a row that exists, and keeps its object.", .metadata)
    case .replace: .write("Writes the object of a row that exists, and keeps its metadata.", .object)
    case .touch: .write("Reports a row as changed without writing it.")
    case .remove: .write("Removes a row.", removes: true)
    case .removeCollection: .write("Removes every row of the collection.", draws: .nothing, removes: true)
    case .readModifyWrite: .write("Reads an object, then writes a new one as `set` does.", .row)
    case .empty:
      OperationTraits("Does nothing, which measures the cost of the transaction itself.") {
        ($0.draws, $0.collection) = (.nothing, .none)
      }
    case .begin:
      OperationTraits("Moves the connection's long-lived snapshot to the newest commit.") {
        ($0.draws, $0.collection) = (.nothing, .none)
      }
    case .viewAt:
      OperationTraits("Reads one row of a view by its index in its group.") {
        ($0.readsView, $0.collection, $0.hasCacheOutcome) = (true, .own, true)
      }
    case .multiGet:
      OperationTraits("Reads that many objects in one call.") {
        ($0.argument, $0.draws) = (.keys(atLeast: 1, like: 20), .rows)
      }
    case .scan:
      OperationTraits(
        "Reads up to that many objects with consecutive keys, from the drawn row on. Of a range, the number is drawn "
          + "uniformly for each scan."
      ) { $0.argument = .keyRange(like: 1...100) }
    case .transfer:
      OperationTraits(
        "Draws that many rows and moves an amount between them. The sum of their balances does not change."
      ) { ($0.argument, $0.isWrite, $0.writes, $0.draws) = (.keys(atLeast: 2, like: 2), true, .object, .rows) }
    case .viewRange:
      OperationTraits("Reads up to that many consecutive rows of a view, in the group of the row that is drawn.") {
        ($0.argument, $0.readsView, $0.collection) = (.keys(atLeast: 1, like: 20), true, .own)
      }
    case .nestedRead:
      OperationTraits("Reads an object in a transaction of that connection, inside the actor's own transaction.") {
        ($0.argument, $0.collection) = (.connection, .own)
      }
    case .nestedWrite:
      OperationTraits(
        "Writes an object in a read-write transaction of that connection, inside the actor's own transaction."
      ) { ($0.argument, $0.collection, $0.writes) = (.connection, .own, .row) }
    }
  }

  /// Whether the actor's own transaction must be a read-write transaction.
  public var isWrite: Bool { traits.isWrite }

  /// Whether the operation begins a nested read-write transaction.
  public var writesInside: Bool { nests && traits.writes != .nothing }

  /// Whether the operation runs in a nested transaction of another connection.
  public var nests: Bool {
    if case .connection = traits.argument { true } else { false }
  }

  public var readsView: Bool { traits.readsView }

  /// Whether the operation uses a collection.
  public var needsCollection: Bool { traits.collection != .none }

  /// Whether the operation may name a collection other than the actor's.
  public var mayNameCollection: Bool { traits.collection == .any }

  /// Whether the operation changes objects and may change the sum of the balances that `transfer` moves.
  var changesObjects: Bool {
    self != .transfer && (traits.writes == .object || traits.writes == .row || traits.removes)
  }

  /// Whether the operation writes metadata if the collection has metadata.
  public var writesMetadata: Bool { traits.writes == .metadata || traits.writes == .row }

  public var hasCacheOutcome: Bool { traits.hasCacheOutcome }
}

// MARK: The words of scenarios

extension OperationVerb {
  /// The most keys of one operation; more are a typing error.
  private static let mostKeys = 100_000

  private static let keyRange = Scalars.range.limited(to: "from 1 to \(mostKeys) keys") {
    $0.lowerBound >= 1 && $0.upperBound <= mostKeys
  }

  fileprivate var word: Word<OperationKind> {
    let word: Word<OperationKind> =
      switch traits.argument {
      case .none: Word(rawValue, OperationKind(self))
      case .keys(let least, let example):
        Word(
          "\(rawValue)(KEYS)",
          like: "\(rawValue)(\(example))",
          takes: Scalars.boundedCount(least...Self.mostKeys, expected: "from \(least) to \(Self.mostKeys) keys")
        ) { OperationKind(self, $0) }
      case .keyRange(let example):
        Word("\(rawValue)(KEYS)", like: "\(rawValue)(\(example.text))", takes: Self.keyRange) {
          OperationKind(self, $0)
        }
      case .connection:
        Word("\(rawValue)(CONNECTION)", like: "\(rawValue)(ui)", takes: Scalars.connectionName) {
          OperationKind(self, on: $0)
        }
      }
    return word.means(traits.meaning)
  }
}

extension Scalars {
  static let operations = WordTable<OperationKind>(
    expected: "an operation such as get, multiGet(20) or set",
    words: OperationVerb.allCases.map(\.word)
  )
}
