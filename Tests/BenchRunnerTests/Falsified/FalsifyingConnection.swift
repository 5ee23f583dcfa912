import BenchResults
import BenchScenario
import ThreadingPrimitives

@testable import BenchDrivers

/// A connection of a `FalsifyingDatabase`.
final class FalsifyingConnection: DriverConnection {
  struct Row: Hashable {
    let collection: String
    let key: String
  }

  private struct State {
    var answerCount = 0
    var lastAnswer: [UInt8]?
    /// Values and documents that were read once, and are returned from then on.
    var values: [Row: [UInt8]] = [:]
    var documents: [Row: Document] = [:]
    /// The values that the running transaction has stored.
    var stored: [Row: [UInt8]] = [:]
    /// The values of transactions that were rolled back.
    var rolledBack: [Row: [UInt8]] = [:]
    /// The number of the bookmark that the driver does not hold.
    var bookmark: UInt64?
  }

  let database: FalsifyingDatabase
  /// Reads the newest snapshot inside a transaction of this connection.
  let newest: (any DriverConnection)?
  private let connection: any DriverConnection
  private let state = Guarded(State())

  init(_ connection: any DriverConnection, of database: FalsifyingDatabase, newest: (any DriverConnection)?) {
    self.connection = connection
    self.database = database
    self.newest = newest
  }

  var name: String { connection.name }

  func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64? {
    try connection.read { try body(FalsifyingTransaction(transaction: $0, connection: self, isReading: true)) }
  }

  func readWrite(_ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes? {
    try connection.readWrite { try write($0, body) }
  }

  func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws {
    try connection.asyncRead { try body(FalsifyingTransaction(transaction: $0, connection: self, isReading: true)) }
  }

  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws {
    try connection.asyncReadWrite { try write($0, body) }
  }

  private func write(_ transaction: any DriverTransaction, _ body: (any DriverTransaction) throws -> Void) throws {
    state.withLock { $0.stored = [:] }
    do {
      try body(FalsifyingTransaction(transaction: transaction, connection: self, isReading: false))
    } catch {
      state.withLock { state in state.rolledBack.merge(state.stored) { _, last in last } }
      throw error
    }
  }

  func advance(changesIn collection: String?) throws -> DriverAdvance {
    let moved = try connection.advance(changesIn: collection)
    var jumped = moved.jumped
    switch database.falsification {
    case .skipsANotification: if jumped.count > 1 { jumped.removeFirst() }
    case .repeatsANotification: if let last = jumped.last { jumped.append(last) }
    case .losesTheBookmark:
      try connection.endLongLivedRead()
      state.withLock { $0.bookmark = moved.snapshot }
    default: break
    }
    return DriverAdvance(snapshot: moved.snapshot, jumped: jumped, changes: moved.changes.map(falsified))
  }

  private func falsified(_ changes: DriverAdvance.Changes) -> DriverAdvance.Changes {
    guard changes.commit % 7 == 0 else { return changes }
    var changes = changes
    if database.falsification == .forgetsAChangedKey { changes.keys = Array(changes.keys.dropLast()) }
    if database.falsification == .reportsClearings { changes.isCleared.toggle() }
    return changes
  }

  func endLongLivedRead() throws {
    state.withLock { $0.bookmark = nil }
    try connection.endLongLivedRead()
  }

  func flushMemory() throws { try connection.flushMemory() }

  // MARK: Answers

  /// Returns the number of a read's snapshot.
  func snapshot(_ found: UInt64) -> UInt64 {
    if database.falsification == .goesBackInTime, found > 2, found % 5 == 0 { return found - 2 }
    return state.withLock { $0.bookmark } ?? found
  }

  func object(_ found: [UInt8]?, of row: Row, isReading: Bool) -> [UInt8]? {
    guard let found else {
      guard isReading, database.falsification == .showsInsertsEarly else { return nil }
      return database.inserted.withLock { $0[row] }
    }
    return state.withLock { state in
      switch database.falsification {
      case .answersWithAnotherKey:
        defer { state.lastAnswer = found }
        state.answerCount += 1
        return state.answerCount % 40 == 0 ? state.lastAnswer ?? found : found
      case .forgetsToDropChangedValues where isReading && row.goesStale:
        let value = state.values[row] ?? found
        state.values[row] = value
        return value
      case .keepsRolledBackValues: return state.rolledBack[row] ?? found
      default: return found
      }
    }
  }

  func document(_ found: Document?, of row: Row, isReading: Bool) -> Document? {
    guard let found else { return nil }
    switch database.falsification {
    case .decodesOnceForAll:
      return database.documents.withLock { documents in
        let document = documents[found.payload] ?? found
        documents[found.payload] = document
        return document
      }
    case .copyHandsOutTheOriginal:
      let original = database.documents.withLock { $0[row.bytes] }
      return original?.payload == found.payload ? original : found
    case .forgetsToDropChangedValues where isReading && row.goesStale:
      return state.withLock { state in
        let document = state.documents[row] ?? found
        state.documents[row] = document
        return document
      }
    default: return found
    }
  }

  /// Returns whether the new row must not be stored.
  func loses(_ object: [UInt8], of row: Row) -> Bool {
    guard name != "dataset" else { return false }
    if database.falsification == .showsInsertsEarly { database.inserted.withLock { $0[row] = object } }
    return database.falsification == .losesInserts && !row.goesStale
  }

  func didStore(_ object: [UInt8], at row: Row) {
    state.withLock { state in
      state.rolledBack[row] = nil
      if database.falsification == .keepsRolledBackValues { state.stored[row] = object }
    }
    guard database.falsification == .copyHandsOutTheOriginal else { return }
    database.documents.withLock { $0[row.bytes] = Document(object) }
  }
}

extension FalsifyingConnection.Row {
  /// Whether a connection keeps the value that it has read first. Some rows do not, so that a transaction reads values
  /// of several commits.
  fileprivate var goesStale: Bool { key.utf8.reduce(0) { $0 + Int($1) } % 10 != 0 }

  fileprivate var bytes: [UInt8] { Array("\(collection)/\(key)".utf8) }
}
