internal import BenchDrivers
internal import BenchModel
internal import Synchronization
internal import ThreadingPrimitives

/// What all parts of one run share while it lasts.
final class RunContext: Sendable {
  let scenario: Scenario
  let seed: UInt64
  let database: any DriverDatabase
  /// The database's file; nil where there is none.
  let databasePath: String?
  /// Those of each name; of a pool there are several.
  let connections: [String: [MeasuredConnection]]
  let allConnections: [MeasuredConnection]
  let collections: [String: CheckedCollection]
  /// The views that events register, by name.
  let lateViews: [String: LateView]
  let invariants: Set<Invariant>
  let violations: ViolationLog
  let notifications: NotificationCheck
  let notificationLag: NotificationLag
  let failures = FailureLog()
  /// Takes each second's latencies; nil where nobody keeps them.
  let latencyLog: LatencyLogRelay?
  /// nil where the engine is a part of this process and cannot end before the run.
  let outage: Outage?
  private let undone: UndoneMarks?
  /// The newest commit that was acknowledged to its writer.
  private let acknowledgedCommit = Atomic<UInt64>(0)
  private let checkCounts = Guarded(CheckCounts())
  private let memories = Guarded<[String: StabilityMemory]>([:])
  private let movers: WorkerPool

  init(
    _ scenario: Scenario,
    seed: UInt64,
    database: any DriverDatabase,
    databasePath: String? = nil,
    latencyLog: LatencyLogRelay? = nil,
    outage: Outage? = nil
  ) throws {
    self.scenario = scenario
    self.latencyLog = latencyLog
    self.seed = seed
    self.database = database
    self.databasePath = databasePath
    // A driver that keeps nothing has no answers, no snapshots and no notifications that could be right.
    invariants = database.keepsData ? Set(scenario.invariants) : []
    let violations = ViolationLog(checked: invariants)
    self.violations = violations
    movers = WorkerPool(name: "moves")
    self.outage = outage ?? (database is EngineProcess ? Outage() : nil)
    undone = database is EngineProcess || scenario.rollsBack ? UndoneMarks() : nil
    lateViews = Dictionary(uniqueKeysWithValues: scenario.lateViews.map { ($0.name, LateView($0)) })
    var all: [MeasuredConnection] = []
    for settings in scenario.connections.flatMap(\.members) {
      all.append(
        MeasuredConnection(
          try database.connect(settings),
          settings,
          number: all.count + 1,
          sharesObjects: Self.sharesObjects(settings, scenario),
          violations: violations,
          pool: movers
        )
      )
    }
    let connections = all
    allConnections = connections
    self.connections = Dictionary(grouping: connections) { ConnectionSettings.declaredName(of: $0.settings.name) }
    var collections: [String: CheckedCollection] = [:]
    for (number, settings) in scenario.dataset.enumerated() {
      collections[settings.name] = CheckedCollection(
        settings,
        number: number,
        keepsData: database.keepsData,
        hasBalances: scenario.transfersIn.contains(settings.name),
        undone: undone
      )
    }
    self.collections = collections
    let notifications = NotificationCheck(after: database.commit, violations)
    self.notifications = notifications
    let lag = NotificationLag(digits: scenario.measure.histogramDigits)
    notificationLag = lag
    database.onCommit { news in
      lag.delivered(news, at: MonotonicClock.now)
      notifications.told(news.commit)
      for connection in connections { connection.noticeCommit() }
    }
  }

  var acknowledged: UInt64 { acknowledgedCommit.load(ordering: .acquiring) }

  /// A read-write transaction has returned; every read that begins from now on must see its commit.
  func acknowledge(_ commit: UInt64) {
    _ = acknowledgedCommit.max(commit, ordering: .acquiringAndReleasing)
    undone?.forget(through: commit)
  }

  /// The commits after this one will not be there, because the transaction that was to make them is rolled back.
  func takeBack(after commit: UInt64) { undone?.restore(after: commit) }

  /// Registers a view that is not there yet.
  /// - Returns: the newest commit afterwards; every read that begins from now on sees the view.
  func register(_ name: String) throws -> UInt64 {
    guard let view = lateViews[name] else {
      throw RunError(problem: "the scenario has no view \"\(name)\" that an event registers")
    }
    let (commit, objection) = try view.register(newest: { database.commit }) { try database.register(view.settings) }
    if let objection { violations.report(.knownAnswers, "the view \"\(name)\" \(objection)") }
    acknowledge(commit)
    return commit
  }

  /// What the engine threw. Where it says that its file is damaged, the data are wrong.
  func report(_ error: any Error, _ place: String) {
    if invariants.contains(.knownAnswers), database.tellsOfDamage(error) {
      violations.report(.knownAnswers, "\(place): \(error)")
    } else {
      failures.report("\(place): \(error)" + (databasePath.map { "; the database is \($0)" } ?? ""))
    }
  }

  func name(ofConnection number: UInt64) -> String {
    allConnections.first { $0.number == number }?.name ?? ""
  }

  /// Opens a connection of its own for somebody, with the settings of another one.
  func open(like connection: MeasuredConnection) throws -> MeasuredConnection {
    MeasuredConnection(
      try database.connect(connection.settings),
      connection.settings,
      number: Int(connection.number),
      sharesObjects: connection.sharesObjects,
      violations: violations,
      pool: movers
    )
  }

  /// Ends the engine's process and starts another, which opens the database again; the workers wait meanwhile.
  ///
  /// What was acknowledged must be there afterwards. What was under way may be, or not; bookmarks are lost.
  /// - Parameter isKilled: as a crash would end it; else nobody is inside any more when the database is closed.
  /// - Parameter place: the event and its phase, for the error that ends the run where the engine does not come back.
  func restartEngine(isKilled: Bool, _ place: String) throws -> EventResult.Recovery {
    guard let process = database as? EngineProcess, let outage else {
      throw RunError(problem: "the engine has no process of its own that could end")
    }
    outage.begin()
    defer { outage.end() }
    if isKilled { process.kill() }
    outage.waitUntilEmpty()
    if !isKilled {
      // Else they would keep the WAL from being copied.
      for connection in allConnections { try connection.endLongLivedRead() }
      try process.close()
    }
    let recovery: EngineProcess.Recovery
    do { recovery = try process.reopen() } catch {
      // Before workers are let in again, whose errors would only say that there is no engine.
      report(error, "\(place): the engine did not open the database again")
      throw error
    }
    let commit = process.commit
    if acknowledged > commit {
      violations.report(
        .knownAnswers,
        "commit \(acknowledged) was acknowledged, and after the end of the engine's process the newest is \(commit)"
      )
    }
    notifications.begin(after: commit)
    undone?.restore(after: commit)
    for collection in collections.values { collection.groups.forget(after: commit) }
    for connection in allConnections { connection.loseBookmark() }
    return EventResult.Recovery(
      durationNanoseconds: recovery.nanoseconds,
      // The header of the file is shorter than a frame.
      frames: recovery.walBytes / process.frameBytes
    )
  }

  private static func sharesObjects(_ settings: ConnectionSettings, _ scenario: Scenario) -> Bool {
    (settings.objectPolicy ?? scenario.engine.defaultObjectPolicy) == .share
  }

  /// Whether the run must end before its time.
  var mustStop: Bool { violations.isViolated.isRaised || failures.hasFailed.isRaised }

  var checks: CheckCounts {
    var checks = checkCounts.withLock { $0 }
    checks.exactlyOnceNotifications += notifications.count
    return checks
  }

  func add(_ counts: CheckCounts) { checkCounts.withLock { $0 += counts } }

  /// A worker's memory of what it has read outlives the phase, as a long-lived snapshot does.
  func takeMemory(_ worker: String) -> StabilityMemory {
    memories.withLock { $0.removeValue(forKey: worker) } ?? StabilityMemory()
  }

  func keep(_ memory: StabilityMemory, of worker: String) {
    memories.withLock { $0[worker] = memory }
  }
}

/// What the engine could not do, though it should have. The first failure stops the run.
final class FailureLog: Sendable {
  private let first = Guarded<String?>(nil)
  let hasFailed = StopFlag()

  func report(_ what: String) {
    first.withLock { if $0 == nil { $0 = what } }
    hasFailed.raise()
  }

  var failure: String? { first.withLock { $0 } }
}

extension Scenario {
  /// Whether a transaction that writes may be rolled back, because one inside of it is refused.
  fileprivate var rollsBack: Bool { phases.flatMap(\.actors).map(\.settings).contains { $0.writes && $0.nests } }

  /// The collections whose balances somebody transfers.
  fileprivate var transfersIn: Set<String> {
    Set(phases.flatMap(\.actors).map(\.settings).filter(\.transfers).compactMap(\.collection))
  }
}
