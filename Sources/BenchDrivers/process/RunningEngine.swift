internal import BenchResults
internal import BenchScenario
internal import Glibc
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// One running process with an engine.
final class RunningEngine: Sendable {
  let pageSize: Int
  /// The time from the start of opening to the end of the first read.
  let openingNanoseconds: UInt64
  /// The number of the newest commit in the file when it was opened, before views were registered.
  let recoveredCommit: UInt64
  let configuration: EngineConfiguration
  private let address: SocketAddress
  /// The channel for calls to the process itself.
  private let control: Guarded<Channel>
  /// Killed when it is released, unless its end was awaited.
  private let process: ChildProcess
  /// The thread that reports commits until the process ends; nil once a caller joins it.
  private let receiver: Guarded<WorkerThread?>

  /// Starts the process, and waits until it has opened the database.
  /// - Throws: The engine's error on opening; `ProgramNotStarted`; `ThreadError`.
  init(_ program: EngineProcess.Program, _ order: EngineOrder, notifying listeners: CommitListeners) throws {
    let sockets = try ChildProcess.sockets(for: program.path)
    let channel = Channel(socket: sockets.own)
    do {
      // If this end stayed open here, the channel would not report the end of the process.
      defer { Glibc.close(sockets.other) }
      process = try ChildProcess(program.path, program.arguments, input: .descriptor(sockets.other))
    }
    control = Guarded(channel)
    address = order.address
    do {
      var message = MessageWriter(capacity: 1024)
      try message.put(json: order)
      var answer = try channel.ask(message)
      openingNanoseconds = try answer.take()
      pageSize = try answer.take()
      recoveredCommit = try answer.take()
      configuration = try answer.takeJSON()
      receiver = Guarded(try Self.receiveCommits(to: listeners, on: address))
    } catch {
      // After any other error, the release of `process` kills the process.
      guard error is EngineProcessGone else { throw error }
      throw ProgramNotStarted(program: program.path, .ended(process.kill()))
    }
  }

  var processIdentifier: Int32 { process.identifier }

  deinit {
    // The thread ends when the process does.
    receiver.withLock { $0?.detach() }
  }

  private func joinReceiver() {
    receiver.withLock { $0.take() }?.join()
  }

  // MARK: Calls

  func commit() throws -> UInt64 {
    var answer = try ask(MessageWriter(ProcessCall.commit))
    return try answer.take()
  }

  func observe() throws -> EngineSample? {
    var answer = try ask(MessageWriter(ProcessCall.observe))
    return try answer.takeJSON()
  }

  func checkpoints(after number: Int) throws -> [CheckpointResult] {
    var message = MessageWriter(ProcessCall.checkpoints)
    message.put(number)
    var answer = try ask(message)
    return try answer.takeJSON()
  }

  func checkpoint(_ mode: CheckpointModeSetting) throws -> CheckpointResult {
    var message = MessageWriter(ProcessCall.checkpoint)
    message.put(mode)
    var answer = try askAside(message)
    return try answer.takeJSON()
  }

  func vacuum() throws { try askAside(MessageWriter(ProcessCall.vacuum)) }

  func register(_ view: ViewSettings) throws {
    var message = MessageWriter(ProcessCall.register)
    try message.put(json: view)
    try askAside(message)
  }

  @discardableResult
  private func ask(_ message: MessageWriter) throws -> MessageReader {
    try control.withLock { [message] channel in try channel.ask(message) }
  }

  /// Sends a long call on a separate channel, so that observations of the engine do not wait for it.
  @discardableResult
  private func askAside(_ message: MessageWriter) throws -> MessageReader {
    try Self.channel(to: address, for: MessageWriter(ChannelPurpose.calls)).ask(message)
  }

  /// Opens a channel, and waits until the other side is ready to serve it.
  private static func channel(to address: SocketAddress, for purpose: MessageWriter) throws -> Channel {
    let channel: Channel
    do { channel = try address.connect() } catch { throw EngineProcessGone() }
    try channel.ask(purpose)
    return channel
  }

  func open(_ settings: ConnectionSettings) throws -> Channel {
    var purpose = MessageWriter(ChannelPurpose.connection, capacity: 512)
    try purpose.put(json: settings)
    return try Self.channel(to: address, for: purpose)
  }

  private static func receiveCommits(to listeners: CommitListeners, on address: SocketAddress) throws -> WorkerThread {
    let channel = try channel(to: address, for: MessageWriter(ChannelPurpose.notifications))
    return try WorkerThread(name: "commits") {
      while var reader = try? channel.receive(), let commit = try? reader.take(CommitNotification.self) {
        listeners.notify(commit)
      }
    }
  }

  // MARK: End

  /// Closes the database, and waits for the process to end.
  /// - Throws: The engine's errors; `EngineProcessFailed` if the process ends with a failure.
  func close() throws {
    let closed = Result { try ask(MessageWriter(ProcessCall.close)) }
    let end = process.wait()
    joinReceiver()
    if case .failure(let error) = closed, !(error is EngineProcessGone) { throw error }
    guard end == .exited(0) else { throw EngineProcessFailed(end: end) }
  }

  func kill() {
    process.kill()
    joinReceiver()
  }
}

/// The error of a call to an engine's process that has ended, before the call or during it.
public struct EngineProcessGone: Error, CustomStringConvertible {
  public var description: String { "the engine's process has ended" }
}

/// The error of closing an engine whose process has ended with a failure.
struct EngineProcessFailed: Error, CustomStringConvertible {
  let end: ChildProcess.End

  var description: String { "the engine's process ended with \(end)" }
}
