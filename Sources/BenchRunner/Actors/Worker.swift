internal import BenchDrivers
internal import BenchScenario
internal import ThreadingPrimitives

/// One thread of an actor in one phase. It draws transactions and the values that they write, waits until they are due,
/// runs them, and records their durations. Answers are checked after the transaction's time was taken, so that the
/// check is not measured; the answers of enumerations and nested reads are checked within the measured time.
///
/// A worker is a value on its thread's stack, so its own state needs no lock.
struct Worker {
  private static let spinNanoseconds: UInt64 = 60_000

  private let actor: RunningActor
  private let thread: Int
  private var recording: WorkerRecording
  private var bookmarks: BookmarkFollower
  private var runner: OperationRunner
  private var checkBudget = CheckBudget()
  private var cacheCheck: CacheCheck?
  /// One for each collection of the actor.
  private var commitChecks: [CommitCheck]
  private var rowSetChecks: [RowSetCheck]
  /// nil unless the run watches for transactions that wait forever.
  private let liveness: LivenessCheck.Worker?
  /// The connection of the current transaction, which the actor holds. Counting this reference would take more time
  /// than most other parts of an operation.
  private var connection: Unmanaged<MeasuredConnection>
  /// The number of times that the engine has come back after an outage, as far as the worker has noticed.
  private var noticedRestarts: Int
  /// nil for an open load.
  private var thinkTimes: ThinkTimes?
  /// The worker's number among the workers of the phase.
  private let number: Int

  init(_ actor: RunningActor, thread: Int, number: Int) {
    self.actor = actor
    self.thread = thread
    self.number = number
    thinkTimes = ThinkTimes(actor, thread: thread)
    recording = WorkerRecording(actor.timings, thread: thread, actor.context.processorWaits)
    bookmarks = BookmarkFollower(actor, thread: thread)
    runner = OperationRunner(actor, thread: thread)
    cacheCheck = CacheCheck(actor)
    commitChecks = actor.collections.map { CommitCheck(actor, $0, thread: thread) }
    rowSetChecks = actor.collections.compactMap { RowSetCheck(actor, $0) }
    liveness = actor.context.liveness?.add(actor.settings.name)
    connection = .passUnretained(bookmarks.connection(forTransaction: 0))
    noticedRestarts = actor.context.outage?.restarts ?? 0
  }

  /// Works until the phase is over. An error of the engine ends the run, unless an outage explains it.
  mutating func run() {
    let allocations = AllocationCount.begin()
    actor.phase.gate.wait()
    recording.begin(at: actor.phase.startedAt)
    do { try work() } catch {
      actor.context.report(error, in: "actor \"\(actor.settings.name)\" in phase \"\(actor.phase.settings.name)\"")
    }
    actor.phase.turns?.leave(number)
    if let allocations { recording.tally.allocations = [allocations.end()] }
    bookmarks.end(&recording.tally)
    actor.hasEntered.open()
    recording.end()
    runner.end(&recording.tally)
    recording.tally.checkingNanoseconds += checkBudget.checkingNanoseconds
    if let liveness { actor.context.liveness?.remove(liveness) }
    actor.workerEnded(recording.tally)
  }

  // MARK: Loads

  private mutating func work() throws {
    if let turns = actor.phase.turns { return try run(in: turns) }
    try enter()
    recording.endIdleTime()
    if let schedule = actor.schedule { try runOpen(schedule) } else { try runClosed() }
  }

  /// Begins each transaction at its scheduled time, or when the worker is free if that is later.
  private mutating func runOpen(_ schedule: ArrivalSchedule) throws {
    let slots = recording.slots
    while let offset = schedule.next() {
      let intended = actor.phase.startedAt + offset
      let expiry = actor.settings.deadlineNanoseconds.map { intended + $0 } ?? .max
      // A worker that is behind draws after it has looked at the deadline: an arrival that is dropped costs no drawing,
      // and drawing makes no arrival expire.
      let drawsLate = expiry < .max && MonotonicClock.now >= intended
      if !drawsLate { runner.draw() }
      guard try wait(until: intended) || mayBeginLate(due: intended) else { return leave(offset, in: schedule) }
      var start = MonotonicClock.now
      recording.pace.beginArrival(due: intended)
      if start > expiry {
        recording.record(start - intended, in: slots.unbegun)
        actor.dropArrival()
        if recording.pace.lag(at: start).isOfHarness { recording.tally.arrivalsDroppedByHarness += 1 }
        continue
      }
      if drawsLate {
        runner.draw()
        start = MonotonicClock.now
      }
      guard mayBegin else {
        leave(offset, in: schedule)
        break
      }
      recording.record(recording.pace.lateness(at: start, due: intended), in: slots.lateness)
      let begun = recording.tally.begunTransactions
      let ended = try use { try $0.transaction() }
      // The engine was away until the end of the phase.
      if ended == nil, recording.tally.begunTransactions == begun { return leave(offset, in: schedule) }
      let end = ended ?? MonotonicClock.now
      recording.pace.addEngineTime(from: start, to: end)
      recording.handOverIfDue(at: end)
      let slot = slots.openTransaction(ofOperation: runner.plan.firstOperation.index)
      recording.record(start - min(start, intended), in: slot.wait)
      recording.record(end - start, in: slot.service)
      recording.record(end - min(end, intended), in: slot.response)
      recording.recordDisturbance(due: intended, start: start, end: end)
      try finish(from: start, to: end)
    }
    try rest()
  }

  /// Whether an arrival of a phase that is over may begin nevertheless: the worker was free when it was due in the
  /// phase, and has only woken late. An idle engine thus gets every arrival.
  private func mayBeginLate(due intended: UInt64) -> Bool {
    recording.pace.freeSince <= intended && intended <= MonotonicClock.now && actor.phase.admits(arrivalAt: intended)
  }

  /// Gives a taken arrival back to the schedule, because the phase is over, and records the lag if it was due.
  private mutating func leave(_ offset: UInt64, in schedule: ArrivalSchedule) {
    let intended = actor.phase.startedAt + offset
    let now = MonotonicClock.now
    guard intended < min(now, recording.pace.freeSince) else { return schedule.withdraw() }
    schedule.giveBack(offset, freeAt: now - actor.phase.startedAt)
    recording.pace.beginArrival(due: intended)
    recording.tally.lagAtEnd = recording.pace.lag(at: now)
  }

  /// Begins each transaction when the previous one has ended and the think time has passed.
  private mutating func runClosed() throws {
    let slots = recording.slots
    let (actor, phase) = (actor, actor.phase)
    let isRecorded = phase.settings.records && actor.context.scenario.engine.driver.keepsData
    while true {
      runner.draw()
      pauseIfStalled()
      try moveBookmarkIfDue()
      let start = MonotonicClock.now
      guard !phase.isOver(at: start) else { return }
      guard mayBegin else { return try rest() }
      let begun = recording.tally.begunTransactions
      let ended = try use { try isRecorded ? $0.recordedTransaction() : $0.transaction() }
      if ended == nil, recording.tally.begunTransactions == begun { return }
      let end = ended ?? MonotonicClock.now
      recording.pace.addEngineTime(from: start, to: end)
      recording.handOverIfDue(at: end)
      recording.record(end - start, in: slots.transaction(ofOperation: runner.plan.firstOperation.index))
      recording.recordDisturbance(due: start, start: start, end: end)
      try finish(from: start, to: end)
      if let think = thinkTimes?.draw(), think > 0 { guard try wait(until: end + think) else { return } }
    }
  }

  /// Runs a transaction of a closed load in a recorded phase. Tools that count instructions find this function by name.
  @inline(never)
  private mutating func recordedTransaction() throws -> UInt64 { try transaction() }

  /// - Returns: the time at which the transaction had ended, and a connection that was opened for it was closed.
  @inline(__always)
  private mutating func transaction() throws -> UInt64 {
    if actor.connections.count > 1 {
      connection = .passUnretained(bookmarks.connection(forTransaction: recording.tally.begunTransactions))
    }
    recording.tally.begunTransactions += 1
    guard actor.settings.connectionLifetime == .perTransaction else { return try perform(on: connection) }
    // The opened connection has no other reference, so the end of the call closes it.
    try performOnOpenedConnection()
    return MonotonicClock.now
  }

  @inline(never)
  private mutating func performOnOpenedConnection() throws {
    let opened = try connection._withUnsafeGuaranteedRef { try actor.context.open(like: $0) }
    _ = try withExtendedLifetime(opened) { try perform(on: .passUnretained(opened)) }
  }

  // MARK: Turns

  /// Works in turns with the other workers of the phase.
  private mutating func run(in turns: Turns) throws {
    let (actor, phase) = (actor, actor.phase)
    let makesCheckpoints = phase.settings.records && actor.context.scenario.engine.driver == .yap
    var now = turns.next(of: number, at: phase.startedAt)
    try enter()
    var due = turn(after: now)
    while true {
      // Bookmarks may have a commit to move to.
      let next = bookmarks.hasMoves ? min(due, now + ActorSettings.stepNanoseconds) : due
      guard next < .max else { return }
      now = turns.next(of: number, at: next)
      guard !phase.isOver(at: now) else { return }
      if makesCheckpoints, turns.takeCheckpoint() { _ = try actor.context.database.checkpoint(.passive) }
      if bookmarks.hasMoves { try bookmarks.moveIfDue(inTurnAt: now, &recording) }
      guard now >= due else { continue }
      runner.draw()
      guard mayBegin else {
        due = .max
        continue
      }
      let start = MonotonicClock.now
      if !phase.settings.records {
        _ = try transaction()
      } else if actor.settings.writes {
        try recordedCommit()
      } else {
        _ = try recordedTransaction()
      }
      let end = MonotonicClock.now
      let (slots, operation) = (recording.slots, runner.plan.firstOperation.index)
      let slot =
        actor.schedule == nil
        ? slots.transaction(ofOperation: operation) : slots.openTransaction(ofOperation: operation).service
      recording.record(end - start, in: slot)
      try finish(from: start, to: end)
      due = turn(after: due)
    }
  }

  /// Returns the time of the worker's next transaction after one at a time; `.max` if there is none.
  private mutating func turn(after last: UInt64) -> UInt64 {
    if let think = thinkTimes?.draw() { return last + ActorSettings.stepNanoseconds + think }
    return actor.schedule?.next().map { actor.phase.startedAt + $0 } ?? .max
  }

  /// Runs a read-write transaction in a recorded phase whose workers take turns. Tools that count instructions find
  /// this function by name. It returns nothing, because the compiler may merge functions of the same type.
  @inline(never)
  private mutating func recordedCommit() throws { _ = try transaction() }

  @inline(__always)
  private mutating func perform(on connection: Unmanaged<MeasuredConnection>) throws -> UInt64 {
    liveness?.begin(at: MonotonicClock.now)
    defer { liveness?.end() }
    return try connection._withUnsafeGuaranteedRef {
      try runner.run(on: $0, isChecked: checkBudget.isOpen, &recording)
    }
  }

  private mutating func finish(from start: UInt64, to end: UInt64) throws {
    recording.tally.lastTransactionEnd = end
    actor.finishTransaction(ofThread: thread)
    recording.recordReportedTimes(service: end - start)
    guard !actor.context.invariants.isEmpty else { return }
    let wasOpen = checkBudget.isOpen
    checkBudget.addService(end - start)
    guard wasOpen else { return }
    // Contains the recording of the transaction: another reading of the clock would take as long.
    defer { checkBudget.addCheck(MonotonicClock.now - end) }
    runner.checkAnswers()
    let connection = connection.takeUnretainedValue()
    guard connection.permitsChecks else { return }
    try use { worker in
      if let (row, index) = worker.runner.plan.lastRow {
        let collection = worker.actor.collections[index]
        try worker.cacheCheck?.runIfDue(
          at: end,
          on: connection,
          row: row,
          of: collection,
          &worker.recording.tally.checks
        )
      }
      for index in worker.commitChecks.indices {
        try worker.commitChecks[index].runIfDue(at: end, on: connection, &worker.recording.tally.checks)
      }
      for index in worker.rowSetChecks.indices {
        try worker.rowSetChecks[index].runIfDue(at: end, on: connection, &worker.recording.tally.checks)
      }
    }
  }

  // MARK: Outages

  /// Runs work that uses the engine. While the engine is away, the worker waits. Work that an outage cut off is not
  /// repeated, because its client would have received an error.
  /// - Returns: nil for work that was cut off, or that did not begin because the phase was over.
  @discardableResult
  private mutating func use<Result>(_ body: (inout Worker) throws -> Result) throws -> Result? {
    guard let outage = actor.context.outage else { return try body(&self) }
    let phase = actor.phase
    let isOver = { phase.isOver(at: MonotonicClock.now) }
    let begun = outage.isAway ? MonotonicClock.now : nil
    let isIn = outage.enter(unless: isOver)
    // Not as a hold, which would begin a new lag: a worker that was kept out for long comes here again for its checks.
    if let begun { recording.pace.addEngineTime(from: begun, to: MonotonicClock.now) }
    guard isIn else { return nil }
    do {
      defer { outage.leave() }
      try noticeRestart(outage)
      return try body(&self)
    } catch is EngineProcessGone where outage.isAway || outage.restarts != noticedRestarts {
      let cutOff = MonotonicClock.now
      runner.dropAnswers()
      outage.waitForReturn(unless: isOver)
      recording.pace.addHold(from: cutOff, to: MonotonicClock.now)
      return nil
    }
  }

  /// Takes the bookmarks again after the engine has come back, because they were lost with its process. The actor's
  /// first worker does this.
  private mutating func noticeRestart(_ outage: Outage) throws {
    let restarts = outage.restarts
    guard restarts != noticedRestarts else { return }
    noticedRestarts = restarts
    if thread == 0 { try bookmarks.begin(&recording) }
  }

  /// Whether the planned transaction may begin, by the numbers of operations, commits and rows.
  @inline(__always) private var mayBegin: Bool { !actor.countsWork || actor.take(runner.plan) }

  // MARK: Waiting

  /// Waits for the end of the phase: the worker has no more transactions, but bookmarks move.
  private mutating func rest() throws {
    if !actor.phase.isOver(at: MonotonicClock.now) { _ = try wait(until: .max) }
  }

  /// Moves or ends the bookmarks as the phase demands. The actor's first worker does this, and the others wait for it.
  private mutating func enter() throws {
    guard thread == 0 else {
      let begun = MonotonicClock.now
      if actor.hasEntered.wait() { recording.pace.addHold(from: begun, to: MonotonicClock.now) }
      return
    }
    try use { try $0.bookmarks.begin(&$0.recording) }
    actor.hasEntered.open()
  }

  @inline(__always)
  private mutating func moveBookmarkIfDue() throws {
    guard bookmarks.hasMoves else { return }
    try use { try $0.bookmarks.moveIfDue(&$0.recording) }
  }

  /// Waits until `deadline`, and makes the moves of bookmarks that become due. Returns false if the phase ended first.
  private mutating func wait(until deadline: UInt64) throws -> Bool {
    // The worker spins for the last 60 µs, because a sleep would overshoot.
    let spinFrom = deadline - min(deadline, Self.spinNanoseconds)
    while true {
      pauseIfStalled()
      let looked = MonotonicClock.now
      if looked < deadline { recording.pace.resetLag(at: looked) }
      try moveBookmarkIfDue()
      let now = MonotonicClock.now
      if actor.phase.isOver(at: now) { return false }
      recording.handOverIfDue(at: now)
      if now >= spinFrom { break }
      bookmarks.sleep(until: spinFrom, from: now)
      recording.endIdleTime()
    }
    while MonotonicClock.now < deadline {}
    return !actor.phase.isOver(at: deadline)
  }

  /// Pauses while an event stalls the actor; connection and bookmark stay as they are. The delay is not counted as lag
  /// of the harness.
  @inline(__always)
  private mutating func pauseIfStalled() {
    if actor.stalledUntil > 0 { pauseUntilStallEnds() }
  }

  @inline(never)
  private mutating func pauseUntilStallEnds() {
    let begun = MonotonicClock.now
    var now = begun
    while now < actor.stalledUntil, !actor.phase.isOver(at: now) {
      recording.handOverIfDue(at: now)
      bookmarks.sleep(until: actor.stalledUntil, from: now, endsAtMove: false)
      now = MonotonicClock.now
    }
    guard now > begun else { return }
    recording.endIdleTime()
    recording.pace.addHold(from: begun, to: now)
    recording.tally.stalledNanoseconds += now - begun
  }
}
