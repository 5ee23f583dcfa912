internal import BenchDrivers
internal import BenchModel
internal import LatencyMetrics
internal import SeededRandom
internal import ThreadingPrimitives

/// One thread of an actor in one phase. It draws transactions and the values that they write, waits until they are due,
/// runs them, and records their durations. Answers are checked after the transaction's time was taken, so that the
/// check is not measured; those of enumerations and nested reads are checked inside of it.
///
/// A worker is a value on its thread's stack, so nothing in it is shared or locked.
struct Worker {
  /// The longest sleep after which a worker asks again whether the phase is over.
  static let longestSleepNanoseconds: UInt64 = 10_000_000
  private static let spinNanoseconds: UInt64 = 60_000

  let actor: RunningActor
  let thread: Int
  let slots: TimingSlots
  var generator: WorkGenerator
  var plan = TransactionPlan()
  var recorder: LatencyRecorder
  /// Bytes of keys, objects and metadata that the current transaction has stored.
  var storedBytes = 0
  var reported = ReportedTimes()
  private var commitTimes = CommitTimesSum()
  var checks = CheckCounts()
  var answers: AnswerCheck
  var cacheCheck: CacheCheck
  var commitCheck: CommitCheck
  /// nil for an actor that begins no nested transactions.
  var nested: NestedWork?
  /// The connection of the current transaction.
  var connection: MeasuredConnection
  /// The index of the connection in a pool that is read, while the others move in their turn.
  private var readPlace = 0
  private var interval = 0
  private var intervalEnd: UInt64 = 0
  /// The time of the next move of a bookmark that moves by the clock; `.max` for any other.
  private var nextMove: UInt64 = .max
  private let woken = Parker()
  /// The number of times that the engine has come back after an outage, as far as the worker has noticed.
  private var noticedReturns: Int
  /// The time at which the worker became free for its next arrival.
  private var freeSince: UInt64 = 0
  private var lag = LagAccount()
  /// The lag at the end of the phase of arrivals that were due and did not begin.
  private var lagAtEnd = Lag()
  private var begun = 0
  private(set) var checkBudget = CheckBudget()
  private var lastTransactionEnd: UInt64 = 0

  init(_ actor: RunningActor, thread: Int) {
    let context = actor.context
    let phase = actor.phase.settings.name
    self.actor = actor
    self.thread = thread
    slots = actor.timings.slots
    generator = WorkGenerator(actor.settings, actor.collection, seed: context.seed, phase: phase, thread: thread)
    recorder = actor.timings.newRecorder()
    noticedReturns = context.outage?.returns ?? 0
    cacheCheck = CacheCheck(context.invariants)
    commitCheck = CommitCheck(
      actor,
      random: RandomStream(seed: context.seed, phase, actor.settings.name, "\(thread)", "checks")
    )
    connection = actor.connections[thread % actor.connections.count]
    answers = AnswerCheck(context, memory: context.takeMemory("\(actor.settings.name)/\(thread)"))
    nested = NestedWork(actor, thread: thread)
  }

  /// Works until the phase is over. An error of the engine ends the run.
  mutating func run() {
    let allocations = AllocationCount.begin()
    actor.phase.gate.wait()
    freeSince = actor.phase.startedAt
    lag.isFree(at: freeSince)
    intervalEnd = freeSince + ActorTimings.intervalNanoseconds
    do {
      try enter()
      if let schedule = actor.schedule { try runOpen(schedule) } else { try runClosed() }
    } catch {
      let place = "actor \"\(actor.settings.name)\" in phase \"\(actor.phase.settings.name)\""
      actor.context.report(error, place)
    }
    if let allocations { actor.allocated(allocations.end()) }
    for connection in actor.connections { connection.wakeNoMore(woken) }
    actor.hasEntered.open()
    _ = actor.timings.handOver(recorder, thread: thread, interval: interval)
    actor.context.add(checks)
    actor.drew(generator.digest, thread: thread)
    actor.add(commitTimes)
    actor.context.keep(answers.memory, of: "\(actor.settings.name)/\(thread)")
    nested?.keepMemory(actor, thread: thread)
    actor.workerFinished(
      begunTransactions: begun,
      lastEnd: lastTransactionEnd,
      lag: lagAtEnd,
      checkingNanoseconds: checkBudget.checkingNanoseconds
    )
  }

  /// Begins each transaction at its scheduled time, independent of the duration of earlier ones.
  private mutating func runOpen(_ schedule: ArrivalSchedule) throws {
    while let offset = schedule.next() {
      generator.draw(&plan)
      let intended = actor.phase.startedAt + offset
      guard try wait(until: intended) else { return leave(offset, in: schedule) }
      let start = MonotonicClock.now
      lag.begin(intended, freeSince: freeSince)
      if let deadline = actor.settings.deadlineNanoseconds, start > intended + deadline {
        actor.arrivalDropped(byHarness: lag.lag(at: start).isOfHarness)
        continue
      }
      guard actor.phase.take(operations: plan.operations.count) else { return leave(offset, in: schedule) }
      recorder.record(start - min(start, max(intended, freeSince)), in: slots.lateness)
      let end = try use { try $0.transaction() } ?? MonotonicClock.now
      // An outage that the worker has waited for is counted already.
      lag.served(end - min(end, max(start, freeSince)))
      handOverIfDue(at: end)
      let slot = slots.transaction(ofOperation: plan.operations[0].index)
      recorder.record(start - min(start, intended), in: slot)
      recorder.record(end - start, in: slot + 1)
      recorder.record(end - min(end, intended), in: slot + 2)
      try finish(from: start, to: end)
    }
    // There are no more arrivals, but the bookmark still has to follow.
    _ = try wait(until: .max)
  }

  /// Returns an arrival that was taken to the schedule, because the phase is over and it will not begin.
  private mutating func leave(_ offset: UInt64, in schedule: ArrivalSchedule) {
    schedule.giveBack(offset)
    let intended = actor.phase.startedAt + offset
    let now = MonotonicClock.now
    guard intended < now else { return }
    lag.begin(intended, freeSince: freeSince)
    lagAtEnd = lag.lag(at: now)
  }

  /// Begins each transaction when the previous one has ended.
  private mutating func runClosed() throws {
    guard case .closed(let think) = actor.settings.load else { return }
    let isRecorded = actor.phase.settings.records && actor.context.scenario.engine.driver != .null
    while true {
      generator.draw(&plan)
      pauseIfStalled()
      try use { try $0.moveBookmarkIfDue() }
      let start = MonotonicClock.now
      guard !actor.phase.isOver(at: start), actor.phase.take(operations: plan.operations.count) else { return }
      let end = try use { try isRecorded ? $0.recordedTransaction() : $0.transaction() } ?? MonotonicClock.now
      handOverIfDue(at: end)
      recorder.record(end - start, in: slots.transaction(ofOperation: plan.operations[0].index))
      try finish(from: start, to: end)
      if think > 0 { guard try wait(until: end + think) else { return } }
    }
  }

  /// A transaction of a recorded phase. Tools that count instructions find it by its name.
  @inline(never)
  private mutating func recordedTransaction() throws -> UInt64 { try transaction() }

  private mutating func transaction() throws -> UInt64 {
    takeConnection()
    begun += 1
    guard actor.settings.connectionLifetime == .perTransaction else { return try perform() }
    let kept = connection
    defer { connection = kept }
    connection = try actor.context.open(like: kept)
    _ = try perform()
    // The other connection has no further reference, so this closes it.
    connection = kept
    return MonotonicClock.now
  }

  private mutating func takeConnection() {
    guard actor.connections.count > 1 else { return }
    if case .longLived(.behind) = actor.settings.snapshot {
      connection = actor.connections[readPlace]
    } else {
      connection = actor.connections[(thread + begun) % actor.connections.count]
    }
  }

  private mutating func perform() throws -> UInt64 {
    if plan.operations[0].kind == .begin {
      try connection.advance(&checks, atLeast: actor.context.acknowledged)
      return MonotonicClock.now
    }
    return try actor.settings.transactionKind == .read ? read() : readWrite()
  }

  private mutating func finish(from start: UInt64, to end: UInt64) throws {
    freeSince = end
    lastTransactionEnd = end
    actor.transactionFinished()
    recordReportedTimes(service: end - start)
    guard !actor.context.invariants.isEmpty else { return }
    let wasOpen = checkBudget.isOpen
    checkBudget.served(end - start)
    guard wasOpen else { return }
    let begun = MonotonicClock.now
    defer { checkBudget.checked(MonotonicClock.now - begun) }
    answers.check(&checks, actor)
    guard connection.permitsChecks else { return }
    try use { try $0.checkMore(end) }
  }

  /// Records the waits and the commit times that the engine has reported for the transaction.
  private mutating func recordReportedTimes(service: UInt64) {
    guard let laneWait = reported.laneWait else { return }
    recorder.record(laneWait, in: slots.laneWait)
    if let waited = reported.writeLaneWait { recorder.record(waited, in: slots.writeLaneWait) }
    if let times = reported.commit { commitTimes.add(times, service: service) }
    reported = ReportedTimes()
  }

  private mutating func checkMore(_ end: UInt64) throws {
    if cacheCheck.isDue(at: end) { try checkCaches() }
    if commitCheck.isGroupDue(at: end) { try checkGroup() }
    if commitCheck.isSumDue(at: end) { try checkSum() }
  }

  /// Hands over the recorded times when their second is over. A transaction belongs to the second in which it ends.
  private mutating func handOverIfDue(at now: UInt64) {
    guard now >= intervalEnd else { return }
    recorder = actor.timings.handOver(recorder, thread: thread, interval: interval)
    interval = Int((now - actor.phase.startedAt) / ActorTimings.intervalNanoseconds)
    intervalEnd = actor.phase.startedAt + UInt64(interval + 1) * ActorTimings.intervalNanoseconds
  }
}

extension Worker {
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
    if let begun { wasHeld(from: begun, to: MonotonicClock.now) }
    guard isIn else { return nil }
    do {
      defer { outage.leave() }
      try noticeReturn(outage)
      return try body(&self)
    } catch is EngineProcessGone where outage.isAway || outage.returns != noticedReturns {
      let cutOff = MonotonicClock.now
      answers.forget()
      outage.waitForReturn(unless: isOver)
      wasHeld(from: cutOff, to: MonotonicClock.now)
      return nil
    }
  }

  /// Takes the bookmarks again after the engine has come back, because it loses them. The actor's first worker does
  /// this.
  private mutating func noticeReturn(_ outage: Outage) throws {
    let returns = outage.returns
    guard returns != noticedReturns else { return }
    noticedReturns = returns
    if thread == 0 { try placeBookmark() }
  }
}

/// Waiting, and the bookmarks that move meanwhile.
extension Worker {
  /// Moves or ends the bookmarks as the phase demands. The actor's first worker does this, and the others wait for it.
  private mutating func enter() throws {
    guard thread == 0 else {
      let begun = MonotonicClock.now
      if actor.hasEntered.wait() { wasHeld(from: begun, to: MonotonicClock.now) }
      return
    }
    try use { try $0.placeBookmark() }
    actor.hasEntered.open()
  }

  private mutating func placeBookmark() throws {
    // The first write would end a bookmark of an earlier phase, and `MeasuredConnection` would still count it as held.
    for connection in actor.connectionsWrittenInside { try connection.endLongLivedRead() }
    switch actor.settings.snapshot {
    case .latest: for connection in actor.connections { try connection.endLongLivedRead() }
    case .longLived(.never):
      for connection in actor.connections where !connection.holdsBookmark { try follow(connection) }
    case .longLived(.onNotification), .longLived(.behind):
      for connection in actor.connections { connection.wake(woken) }
      try moveAll()
    case .longLived(.every(let nanoseconds)):
      try moveAll()
      nextMove = MonotonicClock.now + nanoseconds
    case .longLived(.after(let nanoseconds)):
      try moveAll()
      nextMove = actor.phase.startedAt + nanoseconds
    }
  }

  /// - Returns: false if the phase ended first.
  private mutating func wait(until deadline: UInt64) throws -> Bool {
    // The worker spins for the last 60 µs, because a sleep would overshoot.
    let spinFrom = deadline - min(deadline, Self.spinNanoseconds)
    while true {
      pauseIfStalled()
      let looked = MonotonicClock.now
      if looked < deadline { lag.isFree(at: looked) }
      try use { try $0.moveBookmarkIfDue() }
      let now = MonotonicClock.now
      if actor.phase.isOver(at: now) { return false }
      handOverIfDue(at: now)
      if now >= spinFrom { break }
      // A commit that the bookmark has to follow wakes the worker.
      woken.park(deadline: min(spinFrom, now + Self.longestSleepNanoseconds, max(nextMove, now + 1_000)))
    }
    while MonotonicClock.now < deadline {}
    return !actor.phase.isOver(at: deadline)
  }

  /// Pauses while an event stalls the actor; connection and bookmark stay as they are. The delay is not counted as lag
  /// of the harness.
  private mutating func pauseIfStalled() {
    guard actor.stalledUntil > 0 else { return }
    let begun = MonotonicClock.now
    var now = begun
    while now < actor.stalledUntil, !actor.phase.isOver(at: now) {
      handOverIfDue(at: now)
      woken.park(deadline: min(actor.stalledUntil, now + Self.longestSleepNanoseconds))
      now = MonotonicClock.now
    }
    guard now > begun else { return }
    wasHeld(from: begun, to: now)
    actor.heldStill(for: now - begun)
  }

  /// Records a time in which the worker could not begin anything, through no fault of the harness.
  private mutating func wasHeld(from begun: UInt64, to now: UInt64) {
    freeSince = now
    lag.isFree(at: begun)
    lag.served(now - begun)
  }

  private mutating func moveBookmarkIfDue() throws {
    guard case .longLived(let move) = actor.settings.snapshot else { return }
    switch move {
    case .never: return
    case .onNotification: for connection in actor.connections where connection.mayMove { try follow(connection) }
    case .behind:
      let count = actor.connections.count
      let newest = actor.connections[(readPlace + count - 1) % count]
      // The signal of a commit may come late, when the newest bookmark of the pool already shows that commit.
      guard newest.mayMove, actor.context.database.commit > newest.bookmarkedSnapshot else { return }
      try follow(actor.connections[readPlace])
      readPlace = (readPlace + 1) % count
    case .after:
      guard thread == 0, MonotonicClock.now >= nextMove else { return }
      nextMove = .max
      try moveAll()
    case .every(let nanoseconds):
      guard thread == 0 else { return }
      let now = MonotonicClock.now
      guard now >= nextMove else { return }
      // Missed moves are skipped.
      nextMove += (1 + (now - nextMove) / nanoseconds) * nanoseconds
      try moveAll()
    }
  }

  private mutating func moveAll() throws {
    for connection in actor.connections { try follow(connection) }
  }

  private mutating func follow(_ connection: MeasuredConnection) throws {
    let start = MonotonicClock.now
    try connection.advance(&checks, atLeast: actor.context.acknowledged)
    freeSince = MonotonicClock.now
    lag.served(freeSince - start)
    recorder.record(freeSince - start, in: slots.advance)
  }
}
