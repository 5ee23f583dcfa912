public import BenchModel
internal import Foundation
internal import ThreadingPrimitives

/// A database whose engine runs in a process of its own, so that it can be killed while the harness goes on.
///
/// Every call is a message to that process and one back, which is part of what is measured.
public final class EngineProcess: DriverDatabase {
  /// What is started: a program that serves as `EngineHost` does.
  public struct Program: Sendable {
    public let path: String
    public let arguments: [String]

    public init(path: String, arguments: [String] = [Drivers.hostArgument]) {
      self.path = path
      self.arguments = arguments
    }

    /// The running program. In a test bundle, which cannot host an engine: the `yapbench` that is built beside it,
    /// also if that file is missing, so that starting it names it in an error.
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

  /// What it took to open the database again.
  public struct Recovery: Sendable {
    /// From the start of opening to the end of the first read.
    public let nanoseconds: UInt64
    /// What the WAL held before.
    public let walBytes: Int
  }

  private struct State {
    var engine: RunningEngine?
    /// How many engines there have been.
    var generation = 0
    /// Views that were registered meanwhile, which each new engine has to register again.
    var lateViews: [ViewSettings] = []
    var lastCommit: UInt64 = 0
    /// Each engine numbers its checkpoints from 1; here they go on.
    var checkpointsBefore = 0
    var lastCheckpoint = 0
    /// Each engine counts what is written from 0; here it goes on.
    var writesBefore = FileWrites()
    var lastWrites = FileWrites()
  }

  public let pageSize: Int
  private let order: EngineOrder
  private let program: Program
  private let pool = WorkerPool(name: "channels")
  private let listeners = CommitListeners()
  private let state: Guarded<State>

  /// Starts the process and opens the database there.
  /// - Parameter path: of the database's file.
  /// - Throws: what the engine throws when it cannot open; `EngineProcessNotStarted` when the program is missing,
  ///   cannot be run, or ends before it answers; `POSIXError` when the socket to it cannot be made.
  public init(
    _ engine: EngineSettings,
    dataset: [DatasetCollection],
    views: [ViewSettings],
    path: String,
    plantedBugs: [String] = [],
    program: Program = .this
  ) throws {
    order = EngineOrder(
      engine: engine,
      dataset: dataset,
      views: views,
      path: path,
      plantedBugs: plantedBugs,
      folder: SocketFolder()
    )
    self.program = program
    let running = try RunningEngine(program, order, listeners)
    pageSize = running.pageSize
    state = Guarded(State(engine: running, generation: 1))
  }

  // MARK: What a database does

  public var keepsData: Bool { true }

  /// The last that was known, while there is no process.
  public var commit: UInt64 {
    guard let commit = try? engine().commit() else { return state.withLock { $0.lastCommit } }
    state.withLock { $0.lastCommit = max($0.lastCommit, commit) }
    return commit
  }

  public func connect(_ settings: ConnectionSettings) throws -> any DriverConnection {
    try RemoteConnection(settings, self, pool)
  }

  /// nil while there is no process. What one has written between the last call and its end is not counted.
  public func observe() -> DriverObservation? {
    let (engine, before) = state.withLock { ($0.engine, $0.writesBefore) }
    guard let engine, var observation = try? engine.observe() else { return nil }
    observation.writes += before
    state.withLock { [writes = observation.writes] in $0.lastWrites = writes }
    return observation
  }

  public func checkpoints(after number: Int) -> [DriverCheckpoint] {
    guard let engine = try? engine() else { return [] }
    let before = state.withLock { $0.checkpointsBefore }
    let told = (try? engine.checkpoints(after: max(number - before, 0))) ?? []
    let numbered = told.map { $0.numbered($0.number + before) }
    state.withLock { $0.lastCheckpoint = max($0.lastCheckpoint, numbered.last?.number ?? 0) }
    return numbered
  }

  public func checkpoint(_ mode: CheckpointModeSetting) throws -> DriverCheckpoint {
    let before = state.withLock { $0.checkpointsBefore }
    let made = try engine().checkpoint(mode)
    return made.numbered(made.number + before)
  }

  public func vacuum() throws { try engine().vacuum() }

  public func register(_ view: ViewSettings) throws {
    try engine().register(view)
    state.withLock { $0.lateViews.append(view) }
  }

  public func onCommit(_ handler: @escaping @Sendable (CommitNews) -> Void) {
    // The news of earlier commits may still be under way.
    listeners.add(after: commit, handler)
  }

  public func tellsOfDamage(_ error: any Error) -> Bool { (error as? RemoteError)?.tellsOfDamage ?? false }

  /// Closes the database, which waits for its transactions, and ends the process.
  public func close() throws {
    let engine = state.withLock { state in
      defer { state.engine = nil }
      return state.engine
    }
    try engine?.close()
  }

  // MARK: Its process

  /// Removes what engine processes and their harness left behind because both were killed.
  /// - Returns: the paths that were removed.
  public static func removeAbandonedFolders() -> [String] { SocketFolder.removeAbandoned() }

  /// Counts the engines; a channel leads to one of them.
  var generation: Int { state.withLock { $0.generation } }

  /// Opens a channel to a connection with these settings.
  func open(_ settings: ConnectionSettings) throws -> Channel { try engine().open(settings) }

  /// What a message to the process and back takes: the median of some. 0 while there is no process.
  public func roundTripNanoseconds() -> UInt64 {
    let times = (0..<201).map { _ in
      let start = MonotonicClock.now
      _ = try? engine().commit()
      return MonotonicClock.now - start
    }
    return times.sorted()[times.count / 2]
  }

  /// Kills the process, as a crash would end it, and waits until it is gone and all that it told has been heard.
  public func kill() {
    let engine = state.withLock { state in
      defer { state.engine = nil }
      return state.engine
    }
    engine?.kill()
  }

  /// Starts a new process, which opens the database again, after `kill` or `close`.
  public func reopen() throws -> Recovery {
    let walBytes = (try? FileManager.default.attributesOfItem(atPath: order.path + "-wal")[.size] as? Int) ?? 0
    let engine = try RunningEngine(program, order.with(state.withLock { $0.lateViews.map { $0 } }), listeners)
    state.withLock { state in
      state.generation += 1
      state.engine = engine
      state.checkpointsBefore = state.lastCheckpoint
      state.writesBefore = state.lastWrites
    }
    return Recovery(nanoseconds: engine.openingNanoseconds, walBytes: walBytes)
  }

  /// - Throws: `EngineProcessGone` while there is none.
  private func engine() throws -> RunningEngine {
    guard let engine = state.withLock({ $0.engine }) else { throw EngineProcessGone() }
    return engine
  }
}

extension DriverCheckpoint {
  fileprivate func numbered(_ number: Int) -> DriverCheckpoint {
    DriverCheckpoint(
      number: number,
      mode: mode,
      cause: cause,
      startedAt: startedAt,
      waitNanoseconds: waitNanoseconds,
      durationNanoseconds: durationNanoseconds,
      framesInWAL: framesInWAL,
      framesCopied: framesCopied,
      framesLeft: framesLeft,
      bytesWritten: bytesWritten,
      syncs: syncs,
      outcome: outcome,
      pinnedBy: pinnedBy,
      laneNanoseconds: laneNanoseconds,
      overlappingCommits: overlappingCommits,
      stalledWriters: stalledWriters
    )
  }
}
