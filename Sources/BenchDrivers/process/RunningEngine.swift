internal import BenchResults
internal import BenchScenario
internal import Glibc
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// One running process with an engine.
final class RunningEngine: Sendable {
  /// The time from the start of opening to the end of the first read.
  let openingNanoseconds: UInt64
  /// The number of the newest commit in the file when it was opened, before views were registered.
  let recoveredCommit: UInt64
  let pageSize: Int
  let configuration: EngineConfiguration
  private let address: SocketAddress
  /// The channel for calls to the process itself.
  private let control: Guarded<Channel>
  /// Killed when it is released, unless its end was awaited.
  private let process: ChildProcess
  /// The thread that reports commits until the process ends; nil once a caller joins it.
  private let receiver = Guarded<WorkerThread?>(nil)

  /// Starts the process, and waits until it has opened the database.
  /// - Throws: The engine's error on opening; `ProgramNotStarted`; `ThreadError`.
  init(_ program: EngineProcess.Program, _ order: EngineOrder, notifying listeners: CommitListeners) throws {
    let sockets = try ChildProcess.sockets(for: program.path)
    let channel = Channel(socket: sockets.own)
    do {
      // While this process keeps the other end open, the channel does not report the end of the child.
      defer { Glibc.close(sockets.other) }
      process = try ChildProcess(program.path, program.arguments, input: .descriptor(sockets.other))
    }
    control = Guarded(channel)
    address = order.address
    do {
      (openingNanoseconds, recoveredCommit, pageSize, configuration) = try channel.ask(order)
        .decoded((UInt64.self, UInt64.self, Int.self, EngineConfiguration.self))
      let commits = try self.channel(for: .reportCommits).channel
      let thread = try WorkerThread(name: "commits") {
        while let (commit, writtenAt) = try? commits.receive().decoded((UInt64.self, UInt64?.self)) {
          listeners.notify(CommitNotification(commit, writtenAt: writtenAt))
        }
      }
      receiver.withLock { $0 = thread }
    } catch {
      // If the process has not ended by itself, the release of `process` kills it.
      guard error is EngineProcessGone else { throw error }
      throw ProgramNotStarted(program: program.path, .ended(process.kill()))
    }
  }

  var processIdentifier: Int32 { process.identifier }

  deinit {
    // The thread ends when the process does.
    receiver.withLock { $0?.detach() }
  }

  // MARK: Calls

  /// Sends a short call, and waits for its answer.
  @discardableResult
  func ask<each Argument: MessageField>(
    _ call: ProcessCall,
    _ arguments: repeat each Argument
  ) throws -> MessageReader {
    let request = try MessageWriter(call, repeat each arguments)
    return try control.withLock { [request] in try $0.ask(request) }
  }

  /// Opens a channel, sends a call on it, and waits for the answer. For long calls, for which observations of the
  /// engine must not wait, and for calls after which the channel carries something else, such as commits.
  func channel<each Argument: MessageField>(
    for call: ProcessCall,
    _ arguments: repeat each Argument
  ) throws -> (channel: Channel, answer: MessageReader) {
    let channel: Channel
    do { channel = try address.connect() } catch { throw EngineProcessGone() }
    return (channel, try channel.ask(call, repeat each arguments))
  }

  // MARK: End

  /// Closes the database, and waits for the process to end.
  /// - Throws: The engine's errors; `DriverError` if the process ends with a failure.
  func close() throws {
    let closed = Result { try ask(.close) }
    let end = process.wait()
    joinReceiver()
    if case .failure(let error) = closed, !(error is EngineProcessGone) { throw error }
    guard end == .exited(0) else { throw DriverError("the engine's process ended with \(end)") }
  }

  func kill() {
    process.kill()
    joinReceiver()
  }

  private func joinReceiver() {
    receiver.withLock { $0.take() }?.join()
  }
}

/// The error of a call to an engine's process that has ended, before the call or during it.
public struct EngineProcessGone: Error, CustomStringConvertible {
  public var description: String { "the engine's process has ended" }
}
