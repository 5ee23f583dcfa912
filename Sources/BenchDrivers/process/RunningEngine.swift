internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import Glibc
internal import ThreadingPrimitives

/// One running process with an engine.
final class RunningEngine: Sendable {
  let pageSize: Int
  /// The time from the start of opening to the end of the first read.
  let openingNanoseconds: UInt64
  /// The number of the newest commit in the file when it was opened, before views were registered.
  let recoveredCommit: UInt64
  let configuration: EngineConfiguration
  private let folder: SocketFolder
  private let address: SocketAddress
  /// The channel for calls to the process itself. The process ends when the channel is released.
  private let control: Guarded<Channel>
  private let process: Process
  /// The thread that reports commits until the process ends; nil once a caller joins it.
  private let receiver: Guarded<WorkerThread?>

  /// Starts the process, and waits until it has opened the database.
  /// - Throws: The engine's error on opening; `EngineProcessNotStarted`; `POSIXError`; `ThreadError`.
  init(_ program: EngineProcess.Program, _ order: EngineOrder, notifying listeners: CommitListeners) throws {
    let (channel, childEnd) = try Channel.pair()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program.path)
    process.arguments = program.arguments
    process.standardInput = childEnd
    process.standardOutput = FileHandle.nullDevice
    try Self.start(process, program)
    // If this end stayed open here, the channel would not report the end of the process.
    try childEnd.close()
    self.process = process
    control = Guarded(channel)
    folder = order.folder
    address = SocketAddress(path: order.folder.socketPath)
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
      Self.kill(process)
      order.folder.remove()
      guard error is EngineProcessGone else { throw error }
      throw EngineProcessNotStarted(program: program.path, problem: "it ended with \(Self.end(of: process))")
    }
  }

  var processIdentifier: Int32 { process.processIdentifier }

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
    process.waitUntilExit()
    // A process that has crashed has not removed its folder.
    folder.remove()
    joinReceiver()
    if case .failure(let error) = closed, !(error is EngineProcessGone) { throw error }
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw EngineProcessFailed(status: process.terminationStatus, isSignal: process.terminationReason != .exit)
    }
  }

  func kill() {
    // The killed process cannot remove the folder. It is removed first, because this process may be killed as well.
    folder.remove()
    Self.kill(process)
    joinReceiver()
  }

  private static func kill(_ process: Process) {
    // The id of a process that has already ended may have been reused.
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }
}

/// The error of a call to an engine's process that has ended, before the call or during it.
public struct EngineProcessGone: Error, CustomStringConvertible {
  public var description: String { "the engine's process has ended" }
}

/// The program that should host the engine did not start, or ended before it answered.
public struct EngineProcessNotStarted: Error, CustomStringConvertible {
  /// The path of the program.
  public let program: String
  /// The reason, such as the program's early exit.
  public let problem: String

  public var description: String {
    "\(program): the engine's process did not start: \(problem). "
      + "Check that this is the yapbench program; swift build --product yapbench builds it."
  }
}

/// The error of closing an engine whose process has ended with a failure.
struct EngineProcessFailed: Error, CustomStringConvertible {
  /// The exit code, or the number of the signal that ended the process.
  var status: Int32
  var isSignal: Bool

  var description: String { "the engine's process ended with \(isSignal ? "signal" : "exit code") \(status)" }
}
