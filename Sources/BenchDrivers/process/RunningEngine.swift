internal import BenchModel
internal import Foundation
internal import Glibc
internal import ThreadingPrimitives

/// One process with an engine in it, as long as it lives.
final class RunningEngine: Sendable {
  let pageSize: Int
  /// From the start of opening to the end of the first read.
  let openingNanoseconds: UInt64
  private let address: SocketAddress
  /// Calls to the process itself; the process ends when nobody holds it.
  private let control: Guarded<Channel>
  private let process: Process
  private let listeners = Guarded<[(channel: Channel, thread: WorkerThread)]>([])

  /// Starts the process, and waits until it has opened the database.
  init(_ program: EngineProcess.Program, _ order: EngineOrder) throws {
    let (channel, childEnd) = try Channel.pair()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program.path)
    process.arguments = program.arguments
    process.standardInput = childEnd
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // Else nobody would learn that the process has gone.
    try childEnd.close()
    self.process = process
    control = Guarded(channel)
    address = SocketAddress(path: order.socket)
    do {
      var message = MessageWriter(capacity: 1024)
      try message.put(json: order)
      try channel.send(message)
      var reader = try channel.receive()
      guard try reader.takeWord(Reply.self) == .answer else { throw try reader.takeError() }
      openingNanoseconds = try reader.take()
      pageSize = Int(try reader.take(Int64.self))
    } catch {
      Glibc.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      throw error is ChannelClosed ? EngineProcessGone() : error
    }
  }

  private func ask<Answer>(
    _ call: ProcessCall,
    _ arguments: (inout MessageWriter) -> Void = { _ in },
    _ take: (inout MessageReader) throws -> Answer
  ) throws -> Answer {
    var message = MessageWriter(call)
    arguments(&message)
    return try control.withLock { [message] channel in
      do {
        try channel.send(message)
        var reader = try channel.receive()
        guard try reader.takeWord(Reply.self) == .answer else { throw try reader.takeError() }
        return try take(&reader)
      } catch is ChannelClosed { throw EngineProcessGone() }
    }
  }

  func commit() throws -> UInt64 { try ask(.commit) { try $0.take() } }
  func observe() throws -> DriverObservation? { try ask(.observe) { try $0.takeJSON() } }

  func checkpoints(after number: Int) throws -> [DriverCheckpoint] {
    try ask(.checkpoints) {
      $0.put(Int64(number))
    } _: {
      try $0.takeJSON()
    }
  }

  func checkpoint(_ mode: CheckpointModeSetting) throws -> DriverCheckpoint {
    try ask(.checkpoint) {
      $0.put(mode.rawValue)
    } _: {
      try $0.takeJSON()
    }
  }

  func vacuum() throws { try ask(.vacuum) { _ in } }

  func open(_ settings: ConnectionSettings) throws -> Channel {
    let channel: Channel
    do { channel = try address.connect() } catch { throw EngineProcessGone() }
    var message = MessageWriter(ChannelPurpose.connection, capacity: 512)
    try message.put(json: settings)
    do {
      try channel.send(message)
      var reader = try channel.receive()
      guard try reader.takeWord(Reply.self) == .answer else { throw try reader.takeError() }
    } catch is ChannelClosed { throw EngineProcessGone() }
    return channel
  }

  /// Calls the handler with each commit from now on, until the process has gone.
  func tellCommits(to handler: @escaping @Sendable (UInt64) -> Void) {
    guard let channel = try? address.connect(),
      (try? channel.send(MessageWriter(ChannelPurpose.notifications))) != nil,
      // It listens from here on.
      (try? channel.receive()) != nil,
      let thread = try? WorkerThread(
        name: "commits",
        { while var reader = try? channel.receive(), let commit = try? reader.take(UInt64.self) { handler(commit) } }
      )
    else { return }
    listeners.withLock { $0.append((channel, thread)) }
  }

  /// Closes the database, and waits for the end of the process.
  func close() throws {
    defer { waitUntilGone() }
    do { try ask(.close) { _ in } } catch is EngineProcessGone {}
  }

  func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
    waitUntilGone()
  }

  private func waitUntilGone() {
    process.waitUntilExit()
    let listeners = self.listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
    for listener in listeners { listener.thread.join() }
  }
}
