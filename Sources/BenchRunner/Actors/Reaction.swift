internal import BenchDrivers
internal import BenchScenario
internal import ThreadingPrimitives

/// One worker's reads of rows that have changed, after it has moved a bookmark past the commits that changed them.
struct Reaction {
  /// A row to read.
  struct Row: Equatable {
    var key: String
    /// The time when the first commit that changed the row had been written.
    var changedAt: UInt64
  }

  private let actor: RunningActor
  private let collection: CheckedCollection
  /// The index of the collection in the actor's list.
  private let index: Int
  private let mostRows: Int
  private var answers: AnswerCheck
  private var budget = CheckBudget()

  /// Returns nil for an actor that does not react to changes.
  init?(_ actor: RunningActor, thread: Int) {
    guard let mostRows = actor.settings.reactingRows, let index = actor.ownCollection else { return nil }
    self.actor = actor
    self.index = index
    collection = actor.collections[index]
    self.mostRows = mostRows
    answers = AnswerCheck(actor, memory: "\(actor.settings.name)/\(thread)/reaction")
  }

  /// Reads the objects of the changed rows, records the time since each row's first change, and checks the answers.
  mutating func read(
    _ changes: [DriverAdvance.Changes],
    on connection: MeasuredConnection,
    _ recording: inout WorkerRecording
  ) throws {
    let rows = Self.rows(of: changes, most: mostRows)
    guard !rows.isEmpty else { return }
    answers.drop()  // an outage may have cut the last reads off
    answers.isChosen = budget.isOpen
    let floor = actor.context.acknowledged
    let begun = MonotonicClock.now
    _ = try connection.read(by: actor.settings.transactionCall) { transaction in
      let snapshot = transaction.snapshot
      connection.check(snapshot, atLeast: floor, &answers.checks)
      answers.begin(at: snapshot, on: connection, isWriting: false)
      for row in rows {
        let object = try transaction.object(row.key, in: collection.name)
        let now = MonotonicClock.now
        recording.record(now - min(row.changedAt, now), in: recording.slots.notificationToRead)
        // Without the value the row's number is not known, so a missing row is not checked.
        guard answers.isNeeded, let object else { continue }
        guard let number = collection.row(ofKey: row.key, with: object) else {
          answers.report(
            "the key \"\(row.key)\" of \"\(collection.name)\", which a commit has changed, was read on connection "
              + "\"\(connection.name)\" with a value of another row, or a damaged one"
          )
          continue
        }
        answers.add(object, of: .object, row: number, in: index)
      }
    }
    let end = MonotonicClock.now
    recording.pace.addEngineTime(from: begun, to: end)
    budget.addService(end - begun)
    guard answers.isChosen else { return }
    answers.check()
    budget.addCheck(MonotonicClock.now - end)
  }

  /// Ends the phase: adds the checks and their time.
  func end(_ tally: inout WorkerTally) {
    answers.end(&tally.checks)
    tally.checkingNanoseconds += budget.checkingNanoseconds
  }

  /// Returns the first changed rows, each once, with the time of its first change.
  static func rows(of changes: [DriverAdvance.Changes], most: Int) -> [Row] {
    var rows: [Row] = []
    var seen: Set<String> = []
    for change in changes {
      for key in change.keys {
        guard rows.count < most else { return rows }
        if seen.insert(key).inserted { rows.append(Row(key: key, changedAt: change.writtenAt)) }
      }
    }
    return rows
  }
}
