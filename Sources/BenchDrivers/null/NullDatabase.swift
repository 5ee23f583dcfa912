internal import BenchResults
internal import BenchScenario
internal import Synchronization

/// A driver without a database. A run with it measures the harness itself.
final class NullDatabase: DriverDatabase {
  private let lastCommit = Atomic<UInt64>(0)
  // Changed only while the run is prepared, before any connection is used.
  private nonisolated(unsafe) var handlers: [@Sendable (CommitNotification) -> Void] = []

  var commit: UInt64 { lastCommit.load(ordering: .relaxed) }
  var keepsData: Bool { false }
  var pageSize: Int { 0 }
  var configuration: EngineConfiguration { EngineConfiguration(library: "none") }

  func connect(_ settings: ConnectionSettings) -> any DriverConnection {
    NullConnection(name: settings.name, database: self)
  }

  func observe() -> EngineSample? { nil }
  func onCommit(_ handler: @escaping @Sendable (CommitNotification) -> Void) { handlers.append(handler) }
  func isDamage(_ error: any Error) -> Bool { false }
  func close() {}

  fileprivate func nextCommit() -> UInt64 { lastCommit.add(1, ordering: .relaxed).newValue }

  fileprivate func notify(of commit: UInt64) {
    for handler in handlers { handler(CommitNotification(commit)) }
  }
}

private final class NullConnection: DriverConnection {
  let name: String
  private let database: NullDatabase

  init(name: String, database: NullDatabase) {
    self.name = name
    self.database = database
  }

  func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64? {
    try body(NullTransaction(snapshot: database.commit))
    return nil
  }

  func readWrite(_ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes? {
    let commit = database.nextCommit()
    try body(NullTransaction(snapshot: commit))
    database.notify(of: commit)
    return nil
  }

  func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws { _ = try read(body) }
  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws { _ = try readWrite(body) }

  func advance(changesIn collection: String?) -> DriverAdvance { DriverAdvance(snapshot: database.commit, jumped: []) }
  func endLongLivedRead() {}
  func flushMemory() {}
}

private struct NullTransaction: PlainTransaction {
  let snapshot: UInt64

  func object(_ key: String, in collection: String) -> [UInt8]? { nil }
  func metadata(_ key: String, in collection: String) -> [UInt8]? { nil }
  func row(_ key: String, in collection: String) -> (object: [UInt8], metadata: [UInt8]?)? { nil }
  func exists(_ key: String, in collection: String) -> Bool { false }
  func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) {}
  func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) {}
  func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) {}
  func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) {}
  func viewRange(_ view: String, group: String, from index: Int, count: Int, _ body: (String, [UInt8]) -> Void) {}
  func count(in collection: String) -> Int { 0 }
  func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) {}
  func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) {}
  func replace(_ object: [UInt8], _ key: String, in collection: String) {}
  func touch(_ key: String, in collection: String) {}
  func remove(_ key: String, in collection: String) {}
  func removeAll(in collection: String) {}
}
