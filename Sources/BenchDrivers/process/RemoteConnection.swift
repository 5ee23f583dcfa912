internal import BenchResults
internal import BenchScenario
internal import ThreadingPrimitives

/// A connection in the engine's process. After a new process has been started, the next call opens the connection
/// again.
final class RemoteConnection: DriverConnection {
  let name: String
  private let settings: ConnectionSettings
  private let process: EngineProcess
  /// Held during a transaction or another call: a channel's calls are executed one after the other.
  private let lane: Lane
  /// The channel and the engine to which it leads; nil if the channel cannot be used any more.
  private let line = Guarded<(channel: Channel, engine: RunningEngine)?>(nil)

  /// - Throws: The engine's errors on opening a connection; `EngineProcessGone`.
  init(_ settings: ConnectionSettings, in process: EngineProcess, pool: WorkerPool) throws {
    self.settings = settings
    self.process = process
    name = settings.name
    lane = Lane(name: "the channel of \(settings.name)", pool: pool)
    _ = try channel()
  }

  func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64? {
    let (laneWait, ended) = try run(.read, body)
    return try ended.decoded(UInt64?.self).map { $0 + laneWait }
  }

  func readWrite(_ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes? {
    let (laneWait, ended) = try run(.readWrite, body)
    guard var times = try ended.decoded(CommitTimes?.self) else { return nil }
    times.laneWait += laneWait
    return times
  }

  func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws { _ = try run(.asyncRead, body) }
  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws { _ = try run(.asyncReadWrite, body) }

  func advance(changesIn collection: String?) throws -> DriverAdvance {
    let answer = try lane.withLane { try channel().ask(ConnectionCall.advance, collection) }
    let (snapshot, jumped, changes) = try answer.decoded((UInt64.self, [UInt64].self, [DriverAdvance.Changes].self))
    return DriverAdvance(snapshot: snapshot, jumped: jumped, changes: changes)
  }

  func endLongLivedRead() throws { try lane.withLane { _ = try channel().ask(ConnectionCall.endLongLivedRead) } }
  func flushMemory() throws { try lane.withLane { _ = try channel().ask(ConnectionCall.flushMemory) } }

  /// Runs a transaction under the lane.
  /// - Returns: The nanoseconds waited for the lane, and the result of the engine's call.
  private func run(
    _ call: ConnectionCall,
    _ body: (any DriverTransaction) throws -> Void
  ) throws -> (laneWait: UInt64, ended: MessageReader) {
    let laneWait = acquireLane()
    defer { lane.release() }
    let channel = try channel()
    // If the engine rejects the transaction, it replies with its error.
    let transaction = RemoteTransaction(snapshot: try channel.ask(call).decoded(), channel: channel)
    do { try body(transaction) } catch {
      if error is EngineProcessGone || error is DamagedMessage {
        // The channel closes, at which the engine's process ends the transaction.
        line.withLock { $0 = nil }
      } else {
        do { try channel.ask(TransactionCall.abandon) } catch is RemoteError {}
      }
      throw error
    }
    return (laneWait, try channel.ask(TransactionCall.finish))
  }

  /// - Returns: The time waited for the lane, in nanoseconds.
  private func acquireLane() -> UInt64 {
    if lane.tryAcquire() { return 0 }
    let began = MonotonicClock.now
    lane.acquire()
    return MonotonicClock.now - began
  }

  /// Returns the channel to the running process, and opens it if there is none.
  private func channel() throws -> Channel {
    let engine = try process.engine()
    if let line = line.withLock({ $0 }), line.engine === engine { return line.channel }
    let channel = try engine.channel(for: .connect, settings).channel
    line.withLock { $0 = (channel, engine) }
    return channel
  }
}

/// A transaction in the engine's process, within its block. Each call is a message and its reply.
private struct RemoteTransaction: DriverTransaction {
  let snapshot: UInt64
  let channel: Channel

  /// - Throws: `RemoteError` if the engine has thrown; `EngineProcessGone`; `DamagedMessage`.
  @discardableResult
  private func ask<each Argument: MessageField>(
    _ call: TransactionCall,
    _ arguments: repeat each Argument
  ) throws -> MessageReader {
    try channel.ask(call, repeat each arguments)
  }

  /// Sends a call that visits rows, whose reply may have several parts.
  private func ask<each Argument: MessageField, each Field: MessageField>(
    _ call: TransactionCall,
    _ arguments: repeat each Argument,
    visiting visit: (repeat each Field) -> Void
  ) throws {
    try channel.post(MessageWriter(call, repeat each arguments))
    while true {
      var (reply, fields) = try channel.nextReply()
      while !fields.isAtEnd { visit(repeat try fields.take((each Field).self)) }
      if reply == .answer { return }
    }
  }

  func object(_ key: String, in collection: String) throws -> [UInt8]? { try ask(.object, key, collection).decoded() }

  func metadata(_ key: String, in collection: String) throws -> [UInt8]? {
    try ask(.metadata, key, collection).decoded()
  }

  func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)? {
    let (object, metadata) = try ask(.row, key, collection).decoded(([UInt8]?.self, [UInt8]?.self))
    return object.map { ($0, metadata) }
  }

  func exists(_ key: String, in collection: String) throws -> Bool { try ask(.exists, key, collection).decoded() }

  func storedObject(_ key: String, in collection: String) throws -> [UInt8]? {
    try ask(.storedObject, key, collection).decoded()
  }

  func storedMetadata(_ key: String, in collection: String) throws -> [UInt8]? {
    try ask(.storedMetadata, key, collection).decoded()
  }

  /// Returns nil, because instances do not cross processes.
  func document(_ key: String, in collection: String) -> Document? { nil }

  func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    try ask(.objects, keys, collection, visiting: visit)
  }

  func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    try ask(.scan, keys, collection, visiting: visit)
  }

  func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws {
    try ask(.enumerate, collection, visiting: visit)
  }

  func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws {
    try ask(.enumerateRows, collection, visiting: visit)
  }

  func hasView(_ view: String) throws -> Bool { try ask(.hasView, view).decoded() }

  func viewRange(_ view: String, group: String, from index: Int, count: Int, _ body: (String, [UInt8]) -> Void) throws {
    try ask(.viewRange, view, group, index, count, visiting: body)
  }

  func count(in collection: String) throws -> Int { try ask(.count, collection).decoded() }

  func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
    try ask(.set, object, metadata, key, collection)
  }

  func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
    try ask(.setMetadata, metadata, key, collection)
  }

  func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
    try ask(.replace, object, key, collection)
  }

  func touch(_ key: String, in collection: String) throws { try ask(.touch, key, collection) }
  func remove(_ key: String, in collection: String) throws { try ask(.remove, key, collection) }
  func removeAll(in collection: String) throws { try ask(.removeAll, collection) }
}
