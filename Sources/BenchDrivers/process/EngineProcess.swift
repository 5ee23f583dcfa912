public import BenchResults
public import BenchScenario
internal import Foundation
internal import ThreadingPrimitives

/// A database whose engine runs in a separate process, so that it can be killed while the harness continues.
///
/// Each call to the engine, a connection or a transaction is a message to that process and a reply. Times that the
/// harness measures include these round trips.
public final class EngineProcess: RestartingEngine {
  /// The program to start. It must serve as `EngineHost` does.
  public struct Program: Sendable {
    public let path: String
    public let arguments: [String]

    public init(path: String, arguments: [String] = ChildRole.engine.arguments) {
      self.path = path
      self.arguments = arguments
    }

    /// The `yapbench` program beside the running program if it is executable, otherwise the running program. A test
    /// bundle cannot host an engine, so for a test bundle it is always `yapbench`; if that file is missing, the error
    /// on starting it contains its path.
    public static var this: Program {
      let own = "/proc/self/exe"
      guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: own) else {
        return Program(path: own)
      }
      let file = URL(fileURLWithPath: path)
      let beside = file.deletingLastPathComponent().appendingPathComponent("yapbench").path
      let isTestBundle = file.pathExtension == "xctest"
      return Program(path: isTestBundle || FileManager.default.isExecutableFile(atPath: beside) ? beside : own)
    }
  }

  private struct State {
    var engine: RunningEngine?
    /// Views registered after opening. Each new engine has to register them again.
    var lateViews: [ViewSettings] = []
    var lastCommit: UInt64 = 0
    /// The number of known checkpoints of earlier engines. Each engine numbers its checkpoints from 1.
    var checkpointsBefore = 0
    var lastCheckpoint = 0
    /// The known writes of earlier engines. Each engine counts its writes from 0.
    var writesBefore: FileWrites?
    var lastWrites: FileWrites?
  }

  public let pageSize: Int
  public let configuration: EngineConfiguration
  private let order: EngineOrder
  private let program: Program
  private let pool = WorkerPool(name: "channels")
  private let listeners = CommitListeners()
  private let state: Guarded<State>

  /// Starts the process and opens the database in it.
  /// - Parameters:
  ///   - path: The path of the database file.
  ///   - tests: Changes of the engine. Only the driver `yap` has them.
  /// - Throws: The engine's error on opening; `ProgramNotStarted` if the program is missing, cannot be run, or ends
  ///   before it answers; `ThreadError`.
  public init(
    _ engine: EngineSettings,
    dataset: [DatasetCollection],
    views: [ViewSettings],
    path: String,
    tests: EngineTestSettings = EngineTestSettings(),
    program: Program = .this
  ) throws {
    order = EngineOrder(
      engine: engine,
      dataset: dataset,
      views: views,
      path: path,
      address: SocketAddress(),
      tests: tests
    )
    self.program = program
    let running = try RunningEngine(program, order, notifying: listeners)
    pageSize = running.pageSize
    configuration = running.configuration
    state = Guarded(State(engine: running))
  }

  // MARK: Database

  public var restarting: (any RestartingEngine)? { self }

  /// The number of the newest commit. While there is no process, the greatest number that was returned before.
  public var commit: UInt64 {
    guard let commit = try? engine().ask(.commit).decoded(UInt64.self) else { return state.withLock { $0.lastCommit } }
    state.withLock { $0.lastCommit = max($0.lastCommit, commit) }
    return commit
  }

  public func connect(_ settings: ConnectionSettings) throws -> any DriverConnection {
    try RemoteConnection(settings, in: self, pool: pool)
  }

  /// Returns nil while there is no process. Writes between the last call and the end of a process are not counted.
  public func observe() -> EngineSample? {
    let (engine, before) = state.withLock { ($0.engine, $0.writesBefore) }
    guard let engine, var observed = try? engine.ask(.observe).decoded(EngineSample?.self) else { return nil }
    if let before { observed.writes? += before }
    state.withLock { [writes = observed.writes] in $0.lastWrites = writes }
    return observed
  }

  public func checkpoints(after number: Int) -> [CheckpointResult] {
    guard let engine = try? engine() else { return [] }
    let before = state.withLock { $0.checkpointsBefore }
    let answer = try? engine.ask(.checkpoints, max(number - before, 0)).decoded([CheckpointResult].self)
    var checkpoints = answer ?? []
    for index in checkpoints.indices { checkpoints[index].number += before }
    state.withLock { [last = checkpoints.last?.number ?? 0] in $0.lastCheckpoint = max($0.lastCheckpoint, last) }
    return checkpoints
  }

  public func checkpoint(_ mode: CheckpointModeSetting) throws -> CheckpointResult {
    let before = state.withLock { $0.checkpointsBefore }
    var checkpoint = try engine().channel(for: .checkpoint, mode).answer.decoded(CheckpointResult.self)
    checkpoint.number += before
    return checkpoint
  }

  public func vacuum() throws { _ = try engine().channel(for: .vacuum) }

  public func register(_ view: ViewSettings) throws {
    _ = try engine().channel(for: .register, view)
    state.withLock { $0.lateViews.append(view) }
  }

  public func onCommit(_ handler: @escaping @Sendable (CommitNotification) -> Void) {
    // Notifications of earlier commits may still be pending.
    listeners.add(after: commit, handler)
  }

  public func isDamage(_ error: any Error) -> Bool { (error as? RemoteError)?.isDamage ?? false }

  /// Closes the database, and waits for the process to end. Has no effect while there is no process.
  public func close() throws { try removeEngine()?.close() }

  // MARK: Process

  public var processIdentifier: Int32? { state.withLock { $0.engine }?.processIdentifier }

  /// Returns the median round-trip time of 201 messages to the process. Close to 0 while there is no process.
  public func roundTripNanoseconds() -> UInt64 {
    let times = (0..<201).map { _ in
      let start = MonotonicClock.now
      _ = try? engine().ask(.commit)
      return MonotonicClock.now - start
    }
    return times.median
  }

  /// Kills the process, as in a crash. Waits until it has ended and the notifications that it sent are delivered.
  public func kill() { removeEngine()?.kill() }

  private func removeEngine() -> RunningEngine? { state.withLock { $0.engine.take() } }

  /// Starts a new process, which opens the database again. Must be called after `kill` or `close`.
  public func reopen() throws -> EngineRecovery {
    let walBytes = DatabaseFiles.bytes(at: order.path, suffixes: ["-wal"])
    var order = order
    order.views += state.withLock { $0.lateViews.map { $0 } }
    let engine = try RunningEngine(program, order, notifying: listeners)
    state.withLock { state in
      state.engine = engine
      state.checkpointsBefore = state.lastCheckpoint
      state.writesBefore = state.lastWrites
    }
    return EngineRecovery(
      nanoseconds: engine.openingNanoseconds,
      walBytes: walBytes,
      commit: engine.recoveredCommit
    )
  }

  /// - Throws: `EngineProcessGone` while there is no process.
  func engine() throws -> RunningEngine {
    guard let engine = state.withLock({ $0.engine }) else { throw EngineProcessGone() }
    return engine
  }
}
