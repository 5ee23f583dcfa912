internal import BenchModel
internal import ThreadingPrimitives

/// A connection of the engine's process. When that has gone and another has come, its next call opens it there anew.
final class RemoteConnection: DriverConnection {
  private struct Line {
    var channel: Channel
    /// Of the process that it leads to.
    var generation: Int
  }

  let name: String
  private let settings: ConnectionSettings
  private let process: EngineProcess
  /// Held through a transaction, so that calls are served one after the other, as the protocol says.
  private let lane: Lane
  private let line = Guarded<Line?>(nil)

  /// - Throws: what the engine throws when it cannot open a connection.
  init(_ settings: ConnectionSettings, _ process: EngineProcess, _ pool: WorkerPool) throws {
    self.settings = settings
    self.process = process
    name = settings.name
    lane = Lane(name: "the channel of \(settings.name)", pool: pool)
    _ = try channel()
  }

  func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64? {
    let (laneWait, told) = try run(.read, body) { try $0.takeOptionalNumber() }
    return told.map { $0 + laneWait }
  }

  func readWrite(_ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes? {
    let (laneWait, told) = try run(.readWrite, body) { try $0.takeCommitTimes() }
    guard var times = told else { return nil }
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

  /// - Returns: how long it has waited for its turn, here where transactions of one connection queue; and what the
  ///   engine's call returned.
  private func run<Answer>(
    _ call: ConnectionCall,
    _ body: (any DriverTransaction) throws -> Void,
    _ take: (inout MessageReader) throws -> Answer
  ) throws -> (laneWait: UInt64, answer: Answer) {
    let laneWait = waitForTheLane()
    defer { lane.release() }
    return (laneWait, try run(call, on: try channel(), body, take))
  }

  /// - Returns: nanoseconds.
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
      // An engine that refuses the transaction ends it before it begins.
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

  /// The one to the process that runs now.
  private func channel() throws -> Channel {
    let generation = process.generation
    if let line = line.withLock({ $0 }), line.generation == generation { return line.channel }
    let channel = try process.open(settings)
    line.withLock { $0 = Line(channel: channel, generation: generation) }
    return channel
  }
}
