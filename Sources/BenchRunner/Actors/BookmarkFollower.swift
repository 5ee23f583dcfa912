internal import BenchDrivers
internal import BenchScenario
internal import ThreadingPrimitives

/// One worker's part in moving the bookmarks of its actor: the time of the next move, the connection that is read until
/// then, and the wake-ups by commits.
struct BookmarkFollower {
  /// The longest sleep after which a worker asks again whether the phase is over.
  private static let longestSleepNanoseconds: UInt64 = 10_000_000

  /// Whether there may be moves after the phase has begun.
  let hasMoves: Bool
  private let actor: RunningActor
  private let thread: Int
  /// The index of the connection that `behind` reads: its bookmark is the oldest of the pool, and moves next.
  private var readIndex = 0
  /// The time at which the first worker makes the next move by the clock (`every`, `after`); otherwise `.max`.
  private var nextMove: UInt64 = .max
  private let woken = Parker()
  /// nil for an actor that does not react to changes.
  private var reaction: Reaction?
  private let takesTurns: Bool

  init(_ actor: RunningActor, thread: Int) {
    self.actor = actor
    self.thread = thread
    hasMoves = actor.settings.snapshot.movesByItself
    reaction = Reaction(actor, thread: thread)
    takesTurns = actor.phase.turns != nil
  }

  /// The connection for the worker's next transaction.
  /// - Parameter number: the number of earlier transactions of the worker.
  func connection(forTransaction number: Int) -> MeasuredConnection {
    if case .longLived(.behind) = actor.settings.snapshot { return actor.connections[readIndex] }
    return actor.connections[(thread + number) % actor.connections.count]
  }

  /// Sleeps until a deadline, a move by the clock, or, in the first worker, a commit to move to, but at most 10 ms.
  /// - Parameter endsAtMove: Whether a move by the clock ends the sleep.
  func sleep(until deadline: UInt64, from now: UInt64, endsAtMove: Bool = true) {
    let move = endsAtMove ? max(nextMove, now + 1_000) : .max
    woken.park(deadline: min(deadline, now + Self.longestSleepNanoseconds, move))
  }

  /// Ends the wake-ups by commits, and adds the checks of the rows that were read in reaction to moves.
  func end(_ tally: inout WorkerTally) {
    for connection in actor.connections { connection.stopWaking(woken) }
    reaction?.end(&tally)
  }

  /// Takes, moves or ends the bookmarks as the phase demands. Must be called by the actor's first worker.
  mutating func begin(_ recording: inout WorkerRecording) throws {
    // The first write would end a bookmark of an earlier phase, and `MeasuredConnection` would still count it as held.
    for connection in actor.connectionsWrittenInside { try connection.endLongLivedRead() }
    switch actor.settings.snapshot {
    case .latest: for connection in actor.connections { try connection.endLongLivedRead() }
    case .longLived(.never):
      for connection in actor.connections where !connection.holdsBookmark { try move(connection, &recording) }
    case .longLived(.onNotification), .longLived(.behind):
      for connection in actor.connections { connection.wake(woken) }
      try moveAll(&recording)
    case .longLived(.every(let nanoseconds)):
      try moveAll(&recording)
      nextMove = (takesTurns ? actor.phase.startedAt : MonotonicClock.now) + nanoseconds
    case .longLived(.after(let nanoseconds)):
      try moveAll(&recording)
      nextMove = actor.phase.startedAt + nanoseconds
    }
  }

  /// Makes the move that is due, if there is one.
  /// - Parameter turn: the time of the worker's turn; nil without turns.
  mutating func moveIfDue(inTurnAt turn: UInt64? = nil, _ recording: inout WorkerRecording) throws {
    guard case .longLived(let rule) = actor.settings.snapshot else { return }
    switch rule {
    case .never: return
    case .onNotification:
      for connection in actor.connections where mayMove(connection) { try makeMove(of: connection, &recording) }
    case .behind:
      let count = actor.connections.count
      let newest = actor.connections[(readIndex + count - 1) % count]
      // The signal of a commit may come late, when the newest bookmark of the pool already shows that commit.
      guard mayMove(newest), isBehind(newest) else { return }
      try makeMove(of: actor.connections[readIndex], &recording)
      readIndex = (readIndex + 1) % count
    case .after:
      guard thread == 0, turn ?? MonotonicClock.now >= nextMove else { return }
      nextMove = .max
      for connection in actor.connections { try makeMove(of: connection, &recording) }
    case .every(let nanoseconds):
      guard thread == 0 else { return }
      let now = turn ?? MonotonicClock.now
      guard now >= nextMove else { return }
      // Missed moves are skipped.
      nextMove += (1 + (now - nextMove) / nanoseconds) * nanoseconds
      for connection in actor.connections { try makeMove(of: connection, &recording) }
    }
  }

  /// Whether there may be a commit to which the connection's bookmark has not moved. In turns, it is known without a
  /// signal, which comes from another thread.
  private func mayMove(_ connection: MeasuredConnection) -> Bool {
    takesTurns ? isBehind(connection) : connection.mayMove
  }

  private func isBehind(_ connection: MeasuredConnection) -> Bool {
    actor.context.database.commit > connection.bookmarkedSnapshot
  }

  private mutating func makeMove(of connection: MeasuredConnection, _ recording: inout WorkerRecording) throws {
    if takesTurns, actor.phase.settings.records {
      try recordedMove(of: connection, &recording)
    } else {
      try moveAndReact(connection, &recording)
    }
  }

  /// Makes a move in a recorded phase whose workers take turns. Tools that count instructions find this function by
  /// name.
  @inline(never)
  private mutating func recordedMove(of connection: MeasuredConnection, _ recording: inout WorkerRecording) throws {
    try moveAndReact(connection, &recording)
  }

  /// Moves a bookmark, and reads the rows that the commits in between have changed, if the actor reacts to changes.
  private mutating func moveAndReact(_ connection: MeasuredConnection, _ recording: inout WorkerRecording) throws {
    let collection = reaction == nil ? nil : actor.settings.collection
    let changes = try move(connection, changesIn: collection, &recording)
    try reaction?.read(changes, on: connection, &recording)
  }

  private func moveAll(_ recording: inout WorkerRecording) throws {
    for connection in actor.connections { try move(connection, &recording) }
  }

  /// - Returns: the changes of the commits in between, in the collection; none without a collection.
  @discardableResult
  private func move(
    _ connection: MeasuredConnection,
    changesIn collection: String? = nil,
    _ recording: inout WorkerRecording
  ) throws -> [DriverAdvance.Changes] {
    let start = MonotonicClock.now
    let changes = try connection.advance(
      &recording.tally.checks,
      atLeast: actor.context.acknowledged,
      changesIn: collection
    )
    let end = MonotonicClock.now
    recording.pace.addEngineTime(from: start, to: end)
    recording.record(end - start, in: recording.slots.advance)
    return changes
  }
}
