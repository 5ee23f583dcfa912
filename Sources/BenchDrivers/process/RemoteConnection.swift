internal import BenchModel
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
  /// Held during a transaction, so that calls are executed one after the other, as the protocol requires.
  private let lane: Lane
  private let line = Guarded<Line?>(nil)

  /// - Throws: The engine's errors on opening a connection.
  init(_ settings: ConnectionSettings, _ process: EngineProcess, _ pool: WorkerPool) throws {
    self.settings = settings
    self.process = process
    name = settings.name
    lane = Lane(name: "the channel of \(settings.name)", pool: pool)
    _ = try channel()
  }

  func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64? {
    let (laneWait, reported) = try run(.read, body) { try $0.takeOptionalNumber() }
    return reported.map { $0 + laneWait }
  }

  func readWrite(_ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes? {
    let (laneWait, reported) = try run(.readWrite, body) { try $0.takeCommitTimes() }
    guard var times = reported else { return nil }
    times.laneWait += laneWait
    return times
  }

  func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws { _ = try run(.asyncRead, body) { _ in } }

  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws {
    _ = try run(.asyncReadWrite, body) { _ in }
  }

  func advance() throws -> DriverAdvance {
    try call(.advance) { reader in
      let snapshot = try reader.take(UInt64.self)
      let count = try reader.take(UInt32.self)
      var jumped: [UInt64] = []
      for _ in 0..<count { jumped.append(try reader.take()) }
      return DriverAdvance(snapshot: snapshot, jumped: jumped)
    }
  }

  func endLongLivedRead() throws { try call(.endLongLivedRead) { _ in } }

  func flushMemory() throws { try call(.flushMemory) { _ in } }

  /// Runs a transaction under the lane.
  /// - Returns: The nanoseconds waited for the lane, where transactions of one connection queue; and the result of the
  ///   engine's call.
  private func run<Answer>(
    _ call: ConnectionCall,
    _ body: (any DriverTransaction) throws -> Void,
    _ take: (inout MessageReader) throws -> Answer
  ) throws -> (laneWait: UInt64, answer: Answer) {
    let laneWait = waitForTheLane()
    defer { lane.release() }
    return (laneWait, try run(call, on: try channel(), body, take))
  }

  /// Acquires the lane.
  /// - Returns: The time waited for it, in nanoseconds.
  private func waitForTheLane() -> UInt64 {
    if lane.tryAcquire() { return 0 }
    let began = MonotonicClock.now
    lane.acquire()
    return MonotonicClock.now - began
  }

  private func run<Answer>(
    _ call: ConnectionCall,
    on channel: Channel,
    _ body: (any DriverTransaction) throws -> Void,
    _ take: (inout MessageReader) throws -> Answer
  ) throws -> Answer {
    do {
      try channel.send(MessageWriter(call))
      var begun = try channel.receive()
      // An engine that rejects the transaction sends an error instead of its beginning.
      guard try begun.takeWord(Reply.self) == .answer else { throw try begun.takeError() }
      let transaction = RemoteTransaction(snapshot: try begun.take(), channel: channel)
      let result = Result { try body(transaction) }
      if case .failure(let error) = result, error is EngineProcessGone || error is DamagedMessage { throw error }
      let isDone = if case .success = result { true } else { false }
      try channel.send(MessageWriter(isDone ? TransactionStep.finish : .abandon))
      var ended = try channel.receive()
      switch try ended.takeWord(Reply.self) {
      case .ended:
        try result.get()
        return try take(&ended)
      case .failure:
        let error = try ended.takeError()
        try result.get()
        throw error
      case .answer, .part: throw DamagedMessage()
      }
    } catch is ChannelClosed { throw EngineProcessGone() }
  }

  private func call<Answer>(_ call: ConnectionCall, _ take: (inout MessageReader) throws -> Answer) throws -> Answer {
    try lane.withLane {
      let channel = try channel()
      do {
        try channel.send(MessageWriter(call))
        var reader = try channel.receive()
        guard try reader.takeWord(Reply.self) == .answer else { throw try reader.takeError() }
        return try take(&reader)
      } catch is ChannelClosed { throw EngineProcessGone() }
    }
  }

  /// Returns the channel to the running process. Opens it if there is none.
  private func channel() throws -> Channel {
    let generation = process.generation
    if let line = line.withLock({ $0 }), line.generation == generation { return line.channel }
    let channel = try process.open(settings)
    line.withLock { $0 = Line(channel: channel, generation: generation) }
    return channel
  }
}
