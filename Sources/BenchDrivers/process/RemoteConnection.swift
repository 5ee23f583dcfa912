internal import BenchResults
internal import BenchScenario
internal import ThreadingPrimitives

/// A connection in the engine's process. After a new process has been started, the next call opens the connection
/// again.
final class RemoteConnection: DriverConnection {
  private struct Line {
    var channel: Channel
    /// The generation of the process to which the channel leads.
    var generation: Int
  }

  let name: String
  private let settings: ConnectionSettings
  private let process: EngineProcess
  /// Held during a transaction or another call: a channel's calls are executed one after the other.
  private let lane: Lane
  private let line = Guarded<Line?>(nil)

  /// - Throws: The engine's errors on opening a connection; `EngineProcessGone`.
  init(_ settings: ConnectionSettings, in process: EngineProcess, pool: WorkerPool) throws {
    self.settings = settings
    self.process = process
    name = settings.name
    lane = Lane(name: "the channel of \(settings.name)", pool: pool)
    _ = try channel()
  }

  func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64? {
    var (laneWait, ended) = try run(.read, body)
    return try ended.take(UInt64?.self).map { $0 + laneWait }
  }

  func readWrite(_ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes? {
    var (laneWait, ended) = try run(.readWrite, body)
    guard var times = try ended.take(CommitTimes?.self) else { return nil }
    times.laneWait += laneWait
    return times
  }

  func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws { _ = try run(.asyncRead, body) }
  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws { _ = try run(.asyncReadWrite, body) }

  func advance(changesIn collection: String?) throws -> DriverAdvance {
    var call = MessageWriter(ConnectionCall.advance)
    call.put(collection)
    var reader = try ask(call)
    return try reader.take()
  }

  func endLongLivedRead() throws { try ask(MessageWriter(ConnectionCall.endLongLivedRead)) }
  func flushMemory() throws { try ask(MessageWriter(ConnectionCall.flushMemory)) }

  @discardableResult
  private func ask(_ call: MessageWriter) throws -> MessageReader {
    try lane.withLane { try channel().ask(call) }
  }

  /// Runs a transaction under the lane.
  /// - Returns: The nanoseconds waited for the lane, and a reader for the result of the engine's call.
  private func run(
    _ call: ConnectionCall,
    _ body: (any DriverTransaction) throws -> Void
  ) throws -> (laneWait: UInt64, ended: MessageReader) {
    let laneWait = acquireLane()
    defer { lane.release() }
    let channel = try channel()
    // If the engine rejects the transaction, it replies with its error.
    var begun = try channel.ask(MessageWriter(call))
    let transaction = RemoteTransaction(snapshot: try begun.take(), channel: channel)
    let result = Result { try body(transaction) }
    if case .failure(let error) = result, error is EngineProcessGone || error is DamagedMessage { throw error }
    let isDone = if case .success = result { true } else { false }
    try channel.post(MessageWriter(TransactionRequest(call: isDone ? .finish : .abandon)))
    do {
      let (reply, ended) = try channel.nextReply()
      guard reply == .ended else { throw DamagedMessage() }
      try result.get()
      return (laneWait, ended)
    } catch let error as RemoteError {
      // If the block has thrown, its error came first.
      try result.get()
      throw error
    }
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
    let generation = process.generation
    if let line = line.withLock({ $0 }), line.generation == generation { return line.channel }
    let channel = try process.open(settings)
    line.withLock { $0 = Line(channel: channel, generation: generation) }
    return channel
  }
}

/// A transaction in the engine's process, within its block. Each call is a message and its reply.
private struct RemoteTransaction: DriverTransaction {
  let snapshot: UInt64
  let channel: Channel

  /// - Throws: The error that the engine has thrown.
  private func ask<Answer: MessageField>(_ request: TransactionRequest) throws -> Answer {
    var reader = try channel.ask(MessageWriter(request))
    return try reader.take()
  }

  private func perform(_ request: TransactionRequest) throws { try channel.ask(MessageWriter(request)) }

  /// Sends a request whose reply may have several parts, and visits their contents.
  private func ask(_ request: TransactionRequest, _ visit: (inout MessageReader) throws -> Void) throws {
    try channel.post(MessageWriter(request))
    while true {
      var (reply, reader) = try channel.nextReply()
      guard reply != .ended else { throw DamagedMessage() }
      while !reader.isAtEnd { try visit(&reader) }
      if reply == .answer { return }
    }
  }

  func object(_ key: String, in collection: String) throws -> [UInt8]? {
    try ask(TransactionRequest(call: .object, key: key, collection: collection))
  }

  func metadata(_ key: String, in collection: String) throws -> [UInt8]? {
    try ask(TransactionRequest(call: .metadata, key: key, collection: collection))
  }

  func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)? {
    var reader = try channel.ask(MessageWriter(TransactionRequest(call: .row, key: key, collection: collection)))
    guard let object = try reader.take([UInt8]?.self) else { return nil }
    return (object, try reader.take())
  }

  func exists(_ key: String, in collection: String) throws -> Bool {
    try ask(TransactionRequest(call: .exists, key: key, collection: collection))
  }

  func storedObject(_ key: String, in collection: String) throws -> [UInt8]? {
    try ask(TransactionRequest(call: .storedObject, key: key, collection: collection))
  }

  func storedMetadata(_ key: String, in collection: String) throws -> [UInt8]? {
    try ask(TransactionRequest(call: .storedMetadata, key: key, collection: collection))
  }

  /// Returns nil, because instances do not cross processes.
  func document(_ key: String, in collection: String) -> Document? { nil }

  func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    let request = TransactionRequest(call: .objects, collection: collection, keys: keys)
    try ask(request) { visit(try $0.take(), try $0.take()) }
  }

  func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    try ask(TransactionRequest(call: .scan, collection: collection, keys: keys)) { visit(try $0.take(), try $0.take()) }
  }

  func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws {
    try ask(TransactionRequest(call: .enumerate, collection: collection)) { visit(try $0.take(), try $0.take()) }
  }

  func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws {
    try ask(TransactionRequest(call: .enumerateRows, collection: collection)) {
      visit(try $0.take(), try $0.take(), try $0.take())
    }
  }

  func hasView(_ view: String) throws -> Bool { try ask(TransactionRequest(call: .hasView, collection: view)) }

  func viewRange(_ view: String, group: String, from index: Int, count: Int, _ body: (String, [UInt8]) -> Void) throws {
    let request = TransactionRequest(call: .viewRange, key: group, collection: view, first: index, count: count)
    try ask(request) { body(try $0.take(), try $0.take()) }
  }

  func count(in collection: String) throws -> Int { try ask(TransactionRequest(call: .count, collection: collection)) }

  func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
    try perform(TransactionRequest(call: .set, key: key, collection: collection, object: object, metadata: metadata))
  }

  func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
    try perform(TransactionRequest(call: .setMetadata, key: key, collection: collection, metadata: metadata))
  }

  func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
    try perform(TransactionRequest(call: .replace, key: key, collection: collection, object: object))
  }

  func touch(_ key: String, in collection: String) throws {
    try perform(TransactionRequest(call: .touch, key: key, collection: collection))
  }

  func remove(_ key: String, in collection: String) throws {
    try perform(TransactionRequest(call: .remove, key: key, collection: collection))
  }

  func removeAll(in collection: String) throws {
    try perform(TransactionRequest(call: .removeAll, collection: collection))
  }
}
