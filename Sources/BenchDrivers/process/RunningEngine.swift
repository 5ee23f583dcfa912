internal import BenchModel
internal import Foundation
internal import Glibc
internal import ThreadingPrimitives

/// One running process with an engine.
final class RunningEngine: Sendable {
  let pageSize: Int
  /// The time from the start of opening to the end of the first read.
  let openingNanoseconds: UInt64
  private let folder: SocketFolder
  private let address: SocketAddress
  /// The channel for calls to the process itself. The process ends when the channel is released.
  private let control: Guarded<Channel>
  private let process: Process
  /// The thread that reports commits until the process ends; nil once it has been joined.
  private let receiver: Guarded<WorkerThread?>

  /// Starts the process, and waits until it has opened the database.
  /// - Throws: The engine's errors on opening; `EngineProcessNotStarted`.
  init(_ program: EngineProcess.Program, _ order: EngineOrder, _ listeners: CommitListeners) throws {
    let (channel, childEnd) = try Channel.pair()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program.path)
    process.arguments = program.arguments
    process.standardInput = childEnd
    process.standardOutput = FileHandle.nullDevice
    try Self.start(process, program)
    // While this end is open here, the channel would not report the end of the process.
    try childEnd.close()
    self.process = process
    control = Guarded(channel)
    folder = order.folder
    address = SocketAddress(path: order.folder.socketPath)
    do {
      var message = MessageWriter(capacity: 1024)
      try message.put(json: order)
      try channel.send(message)
      var reader = try channel.receive()
      guard try reader.takeWord(Reply.self) == .answer else { throw try reader.takeError() }
      openingNanoseconds = try reader.take()
      pageSize = Int(try reader.take(Int64.self))
      receiver = Guarded(try Self.receiveCommits(to: listeners, on: address))
    } catch {
      Self.kill(process)
      order.folder.remove()
      guard error is ChannelClosed else { throw error }
      throw EngineProcessNotStarted(program: program.path, problem: "it ended with \(Self.end(of: process))")
    }
  }

  private static func start(_ process: Process, _ program: EngineProcess.Program) throws {
    do {
      try process.run()
    } catch {
      // Foundation's own error does not name the file.
      let isThere = FileManager.default.fileExists(atPath: program.path)
      let problem = isThere ? "it could not be run (\(error.localizedDescription))" : "there is no such file"
      throw EngineProcessNotStarted(program: program.path, problem: problem)
    }
  }

  /// - Parameter process: A process that has ended.
  private static func end(of process: Process) -> String {
    "\(process.terminationReason == .exit ? "exit code" : "signal") \(process.terminationStatus) before it answered"
  }

  deinit {
    // The thread ends when the process does.
    receiver.withLock { $0?.detach() }
  }

  private func joinTeller() {
    receiver.withLock { $0.take() }?.join()
  }

  private func ask<Answer: Sendable>(
    _ call: ProcessCall,
    _ arguments: (inout MessageWriter) -> Void = { _ in },
    _ take: @Sendable (inout MessageReader) throws -> Answer
  ) throws -> Answer {
    var message = MessageWriter(call)
    arguments(&message)
    return try control.withLock { [message] channel in try Self.exchange(message, on: channel, take) }
  }

  /// Sends a long call on a separate channel, so that observations of the engine do not wait for it.
  private func askAside<Answer: Sendable>(
    _ call: ProcessCall,
    _ arguments: (inout MessageWriter) -> Void = { _ in },
    _ take: @Sendable (inout MessageReader) throws -> Answer
  ) throws -> Answer {
    var message = MessageWriter(call)
    arguments(&message)
    let channel = try Self.channel(to: address, MessageWriter(ChannelPurpose.calls))
    return try Self.exchange(message, on: channel, take)
  }

  private static func exchange<Answer: Sendable>(
    _ message: MessageWriter,
    on channel: Channel,
    _ take: @Sendable (inout MessageReader) throws -> Answer
  ) throws -> Answer {
    do {
      try channel.send(message)
      var reader = try channel.receive()
      guard try reader.takeWord(Reply.self) == .answer else { throw try reader.takeError() }
      return try take(&reader)
    } catch is ChannelClosed { throw EngineProcessGone() }
  }

  /// Opens a channel, and waits until the other side is ready to serve it.
  private static func channel(to address: SocketAddress, _ purpose: MessageWriter) throws -> Channel {
    let channel: Channel
    do { channel = try address.connect() } catch { throw EngineProcessGone() }
    try exchange(purpose, on: channel) { _ in }
    return channel
  }

  func commit() throws -> UInt64 { try ask(.commit) { try $0.take() } }
  func observe() throws -> EngineState? { try ask(.observe) { try $0.takeJSON() } }

  func checkpoints(after number: Int) throws -> [CheckpointResult] {
    try ask(.checkpoints) {
      $0.put(Int64(number))
    } _: {
      try $0.takeJSON()
    }
  }

  func checkpoint(_ mode: CheckpointModeSetting) throws -> CheckpointResult {
    try askAside(.checkpoint) {
      $0.put(mode.rawValue)
    } _: {
      try $0.takeJSON()
    }
  }

  func vacuum() throws { try askAside(.vacuum) { _ in } }

  func register(_ view: ViewSettings) throws {
    let text = try JSONEncoder().encode(view)
    try askAside(.register) {
      $0.put([UInt8](text))
    } _: { _ in
    }
  }

  func open(_ settings: ConnectionSettings) throws -> Channel {
    var purpose = MessageWriter(ChannelPurpose.connection, capacity: 512)
    try purpose.put(json: settings)
    return try Self.channel(to: address, purpose)
  }

  private static func receiveCommits(to listeners: CommitListeners, on address: SocketAddress) throws -> WorkerThread {
    let channel = try channel(to: address, MessageWriter(ChannelPurpose.notifications))
    return try WorkerThread(name: "commits") {
      while var reader = try? channel.receive(), let news = try? reader.takeCommitNews() { listeners.notify(news) }
    }
  }

  /// Closes the database, and waits for the process to end.
  /// - Throws: The engine's errors; `EngineProcessFailed` if the process ends with a failure.
  func close() throws {
    let closed = Result { try ask(.close) { _ in } }
    process.waitUntilExit()
    // A process that has crashed has not removed it.
    folder.remove()
    joinTeller()
    if case .failure(let error) = closed, !(error is EngineProcessGone) { throw error }
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw EngineProcessFailed(status: process.terminationStatus, isSignal: process.terminationReason != .exit)
    }
  }

  func kill() {
    // Remove the folder first: the killed process cannot, and this process may be killed in between.
    folder.remove()
    Self.kill(process)
    joinTeller()
  }

  private static func kill(_ process: Process) {
    // The id of a process that has already ended may have been reused.
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }
}
