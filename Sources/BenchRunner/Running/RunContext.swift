internal import BenchDrivers
internal import BenchResults
internal import BenchScenario
internal import Synchronization
internal import ThreadingPrimitives

/// The state that all parts of one run share.
final class RunContext: Sendable {
  let scenario: Scenario
  let seed: UInt64
  let database: any DriverDatabase
  /// The database's file; nil if there is none.
  let databasePath: String?
  /// The connections of each declared name; a pool has several.
  let connections: [String: [MeasuredConnection]]
  let allConnections: [MeasuredConnection]
  let collections: [String: CheckedCollection]
  /// The views that events register, by name.
  let lateViews: [String: LateView]
  /// The invariants that are checked.
  let invariants: Set<Invariant>
  /// The invariants that the run states, in the order in which they are reported.
  let statedInvariants: [Invariant]
  let violations: ViolationLog
  /// nil without a ledger.
  let ledger: RunLedger?
  /// nil unless the run watches for transactions that wait forever.
  let liveness: LivenessCheck?
  let notifications: NotificationCheck
  let notificationLag: NotificationLag
  let failures = FailureLog()
  /// The waits for a processor of all threads of this process.
  let processorWaits = ProcessDelay()
  /// Receives each second's latencies; nil if they are not logged.
  let latencyLog: LatencyLogRelay?
  /// nil if the engine runs in this process and cannot end before the run.
  let outage: Outage?
  /// Whether the workers of its phases take turns.
  let takesTurns: Bool
  private let undone: UndoneMarks?
  private let onAcknowledgement: (@Sendable (UInt64) -> Void)?
  let commitAlarm = CommitAlarm()
  /// The newest commit that was acknowledged to its writer.
  private let acknowledgedCommit = Atomic<UInt64>(0)
  private let checkCounts = Guarded(CheckCounts())
  private let memories = Guarded<[String: StabilityMemory]>([:])
  private let movers: WorkerPool
  /// nil without a ledger.
  private let notifiedReader: NotifiedReader?

  init(
    _ scenario: Scenario,
    seed: UInt64,
    database: any DriverDatabase,
    databasePath: String? = nil,
    latencyLog: LatencyLogRelay? = nil,
    outage: Outage? = nil,
    checking checked: Set<Invariant>? = nil,
    keepsLedger: Bool = false,
    takesTurns: Bool = false,
    onAcknowledgement: (@Sendable (UInt64) -> Void)? = nil
  ) throws {
    self.onAcknowledgement = onAcknowledgement
    self.takesTurns = takesTurns
    self.scenario = scenario
    self.latencyLog = latencyLog
    self.seed = seed
    self.database = database
    self.databasePath = databasePath
    // A driver that keeps no data has no answers, snapshots or notifications to check.
    statedInvariants = checked.map { Invariant.allCases.filter($0.contains) } ?? scenario.invariants
    invariants = database.keepsData ? Set(statedInvariants) : []
    let violations = ViolationLog(checked: invariants)
    self.violations = violations
    let ledger = keepsLedger && database.keepsData ? RunLedger(after: database.commit, violations) : nil
    self.ledger = ledger
    liveness =
      invariants.contains(.liveness)
      ? LivenessCheck(database, violations) { ProcessFigures.cpuNanoseconds(with: database.restarting) } : nil
    movers = WorkerPool(name: "moves")
    self.outage = outage ?? database.restarting.map { _ in Outage() }
    undone = database.restarting != nil || scenario.rollsBack ? UndoneMarks() : nil
    lateViews = Dictionary(uniqueKeysWithValues: scenario.lateViews.map { ($0.name, LateView($0)) })
    var all: [MeasuredConnection] = []
    for settings in scenario.connections.flatMap(\.members) {
      all.append(
        MeasuredConnection(
          try database.connect(settings),
          settings,
          number: all.count + 1,
          sharesObjects: (settings.objectPolicy ?? scenario.engine.defaultObjectPolicy) == .share,
          violations: violations,
          pool: movers,
          changes: ledger.map { ReportedChanges($0, scenario.dataset.map(\.name)) }
        )
      )
    }
    let connections = all
    allConnections = connections
    self.connections = Dictionary(grouping: connections) { EngineSample.Connection.declaredName(of: $0.settings.name) }
    collections = Self.collections(
      of: scenario,
      keepsData: database.keepsData,
      undone: undone,
      keepsVersions: ledger != nil
    )
    let notifications = NotificationCheck(after: database.commit, violations)
    self.notifications = notifications
    let lag = NotificationLag(digits: scenario.measure.histogramDigits)
    notificationLag = lag
    let reader = ledger == nil ? nil : try NotifiedReader(database, violations)
    notifiedReader = reader
    database.onCommit { notification in
      lag.record(notification, deliveredAt: MonotonicClock.now)
      notifications.record(notification.commit)
      reader?.readIfDue(after: notification.commit)
      for connection in connections { connection.noticeCommit() }
    }
  }

  var acknowledged: UInt64 { acknowledgedCommit.load(ordering: .acquiring) }

  /// Records that a read-write transaction has returned: every read that begins later must see its commit.
  func acknowledge(_ commit: UInt64) {
    noteAcknowledgement(upTo: commit)
    onAcknowledgement?(commit)
  }

  /// Records that every read that begins later must see this commit.
  private func noteAcknowledgement(upTo commit: UInt64) {
    _ = acknowledgedCommit.max(commit, ordering: .acquiringAndReleasing)
    commitAlarm.ring(commit)
    undone?.forget(through: commit)
  }

  /// Undoes the marks of a transaction that is being rolled back, and gives back the numbers of the rows that it has
  /// inserted. Must be called inside the transaction.
  /// - Parameter commit: the newest commit before it.
  func takeBack(after commit: UInt64) {
    undone?.restore(after: commit)
    for collection in collections.values { collection.rows.giveBack(after: commit) }
  }

  /// Rewrites the database file, which ends with a commit that has no entry in the ledger.
  func vacuum() throws {
    try permittingCommit { try database.vacuum() }
  }

  /// Runs `body`, which makes a commit without an entry in the ledger, unless it throws.
  private func permittingCommit<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let ledger else { return try body() }
    return try ledger.permitCommit(of: body)
  }

  /// Registers a view during the run.
  /// - Returns: the newest commit afterwards; every read that begins from now on sees the view.
  func register(_ name: String) throws -> UInt64 {
    guard let view = lateViews[name] else {
      throw RunError(problem: "the scenario has no view \"\(name)\" that an event registers")
    }
    let (commit, objection) = try permittingCommit {
      try view.register(newest: { database.commit }) { try database.register(view.settings) }
    }
    if let objection { violations.report(.knownAnswers, "the view \"\(name)\" \(objection)") }
    // The newest commit may belong to a writer, which calls `onAcknowledgement` itself.
    noteAcknowledgement(upTo: commit)
    return commit
  }

  /// Reports an error of the engine. If `knownAnswers` is checked, an error about a damaged file is a violation of it.
  /// - Parameter location: the actor or event, and its phase.
  func report(_ error: any Error, in location: String) {
    if invariants.contains(.knownAnswers), database.isDamage(error) {
      violations.report(.knownAnswers, "\(location): \(error)")
    } else {
      failures.report("\(location): \(error)" + (databasePath.map { "; the database is \($0)" } ?? ""))
    }
  }

  func name(ofConnection number: UInt64) -> String {
    allConnections.first { $0.number == number }?.name ?? ""
  }

  /// Opens a further connection with the settings of another one.
  func open(like connection: MeasuredConnection) throws -> MeasuredConnection {
    MeasuredConnection(
      try database.connect(connection.settings),
      connection.settings,
      number: Int(connection.number),
      sharesObjects: connection.sharesObjects,
      violations: violations,
      pool: movers,
      changes: connection.changes
    )
  }

  /// Ends the engine's process and starts another one, which opens the database again. The workers wait until it has.
  ///
  /// Acknowledged commits must be there afterwards. Commits that were not acknowledged may be there or not; bookmarks
  /// are lost.
  /// - Parameters:
  ///   - isKilled: whether the process is killed, as in a crash; otherwise the database is closed after the last worker
  ///     has left it.
  ///   - location: the event and its phase, for the error that ends the run if the engine does not come back.
  func restartEngine(isKilled: Bool, in location: String) throws -> EventResult.Recovery {
    guard let engine = database.restarting, let outage else {
      throw RunError(problem: "the engine has no process of its own that could end")
    }
    outage.begin()
    defer { outage.end() }
    if isKilled { engine.kill() }
    outage.waitUntilEmpty()
    if !isKilled {
      // A bookmark would keep the WAL from being copied when the database is closed.
      for connection in allConnections { try connection.endLongLivedRead() }
      try engine.close()
    }
    let recovery: EngineRecovery
    do { recovery = try engine.reopen() } catch {
      // Reported before workers may enter again, because their errors would only state that there is no engine.
      report(error, in: "\(location): the engine did not reopen the database")
      throw error
    }
    let commit = recovery.commit
    if acknowledged > commit {
      violations.report(
        .knownAnswers,
        "commit \(acknowledged) was acknowledged, but after the end of the engine's process the newest is \(commit)"
      )
    }
    notifications.begin(after: engine.commit)
    takeBack(after: commit)
    for collection in collections.values { collection.groups.forget(after: commit) }
    for connection in allConnections { connection.loseBookmark() }
    try restartLedger(recovered: commit)
    return EventResult.Recovery(
      durationNanoseconds: recovery.nanoseconds,
      // The file's header is shorter than a frame, so the division drops it.
      frames: scenario.engine.driver.has(.wal) ? recovery.walBytes / engine.frameBytes : nil
    )
  }

  private static func collections(
    of scenario: Scenario,
    keepsData: Bool,
    undone: UndoneMarks?,
    keepsVersions: Bool
  ) -> [String: CheckedCollection] {
    var collections: [String: CheckedCollection] = [:]
    for (number, settings) in scenario.dataset.enumerated() {
      collections[settings.name] = CheckedCollection(
        settings,
        number: number,
        keepsData: keepsData,
        isScanned: scenario.scansIn.contains(settings.name),
        hasBalances: scenario.transfersIn.contains(settings.name),
        undone: undone,
        keepsVersions: keepsVersions
      )
    }
    return collections
  }

  /// Whether the run must end early.
  var mustStop: Bool { violations.isViolated.isRaised || failures.hasFailed.isRaised }

  var checks: CheckCounts {
    var checks = checkCounts.withLock { $0 }
    checks.exactlyOnceNotifications += notifications.count
    checks.changedKeys += notifiedReader?.count ?? 0
    checks.liveness += liveness?.count ?? 0
    return checks
  }

  func add(_ counts: CheckCounts) { checkCounts.withLock { $0 += counts } }

  /// Takes the memory of the values that a worker has read. The memory outlives the phase, as a bookmark does.
  func takeMemory(_ worker: String) -> StabilityMemory {
    memories.withLock { $0.removeValue(forKey: worker) } ?? StabilityMemory()
  }

  func keep(_ memory: StabilityMemory, of worker: String) {
    memories.withLock { $0[worker] = memory }
  }
}

/// The first failure of the engine or the harness, which stops the run.
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
  /// Whether a read-write transaction may be rolled back because a nested one is refused.
  fileprivate var rollsBack: Bool { phases.flatMap(\.actors).map(\.settings).contains { $0.writes && $0.nests } }

  /// The collections in which actors transfer balances.
  fileprivate var transfersIn: Set<String> { collections { $0.verb == .transfer } }

  /// The collections that actors scan.
  var scansIn: Set<String> { collections { $0.scanLengths != nil } }

  private func collections(ofOperations isMeant: (OperationKind) -> Bool) -> Set<String> {
    let actors = phases.flatMap(\.actors).map(\.settings)
    return Set(
      actors.flatMap { actor in actor.operations.filter { isMeant($0.kind) }.compactMap(actor.collection(of:)) }
    )
  }
}
