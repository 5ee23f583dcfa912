import HarnessPrimitives
import TestSupport

@testable import YapEngine

/// The changes of transactions in a joint commit. The write lane orders its users.
private final class JointHistory: @unchecked Sendable {
  /// By number, the state that waits for COMMIT, and the commit that leads to it, which is nil for a committed state.
  var candidates: [UInt64: (state: ModelState, commit: ModelCommit?)]
  /// The changes by connection.
  var made: [Int: ModelWrites] = [:]
  /// The snapshot that a connection's block saw before its own changes.
  var bases: [Int: UInt64] = [:]

  init(after number: UInt64, _ state: ModelState) {
    candidates = [number: (state, nil)]
  }
}

extension ModelTrial {
  /// Lets several connections write in turn, and commits them together. Sometimes COMMIT fails, and all waiting
  /// transactions are lost.
  ///
  /// If the checkpointer runs in between, there are two joint commits, so only the number of a transaction shows on
  /// which state it is based.
  func writeTogether() throws {
    let able = followers.indices.filter {
      followers[$0].bookmark == nil || !followers[$0].connection.refusesToEndLongLivedReadImplicitly
    }
    let places = able.shuffled(using: &random).prefix(2 + random.below(3))
    guard places.count > 1 else { return }
    let before = newest
    let endings = places.map { _ in randomEnding() }
    let history = JointHistory(after: before, state)
    let fails = TestHooks.areBuiltIn && random.chance(oneIn: 4)
    if fails { fault.failNext() }
    let outcomes = YapEngineTests.writeTogether(
      zip(places, endings).map { writing($0, $1, history) }
    )
    let mayHaveFailed = fails && !fault.clear()
    for (index, place) in places.enumerated() {
      try check(outcomes[index], endings[index], history.made[place], mayHaveFailed: mayHaveFailed)
      followers[place].bookmark = nil
      // A block whose base was lost with other transactions has seen the state before, or a later commit.
      let isLost = mayHaveFailed && outcomes[index].number == nil
      let base = isLost ? followers[place].connection.follower.shown.snapshot : history.bases[place]
      followers[place].told = outcomes[index].number ?? base ?? before
    }
    if mayHaveFailed { activity.lost += 1 }
    try take(outcomes.compactMap(\.number).sorted(), history)
    for place in places {
      let found = followers[place].connection.snapshot
      guard found >= followers[place].told, found <= newest else {
        throw Discrepancy("a connection is at \(found) after its write of \(followers[place].told), of \(newest)")
      }
    }
  }

  private func writing(_ place: Int, _ ending: Ending, _ history: JointHistory) -> Writing {
    let origin = followers[place].connection.id.number
    // The blocks run one after the other, and all have ended before the trial continues.
    nonisolated(unsafe) let trial = self
    return Writing(followers[place].connection) { transaction in
      guard let base = history.candidates[transaction.snapshot - 1] else {
        throw Discrepancy("commit \(transaction.snapshot) is to follow one that nobody made")
      }
      history.bases[place] = transaction.snapshot - 1
      let writes = try trial.change(transaction, base.state, ending)
      history.made[place] = writes
      guard ending == .commit, writes.isCommit else { return }
      let commit = ModelCommit(origin: origin, changes: writes.changes)
      history.candidates[transaction.snapshot] = (writes.state, commit)
    }
  }

  /// - Parameter made: The changes; nil if the block threw.
  private func check(
    _ outcome: YapDatabaseOutcome,
    _ ending: Ending,
    _ made: ModelWrites?,
    mayHaveFailed: Bool
  ) throws {
    switch (outcome, ending) {
    case (.committed, .commit) where made?.isCommit == true: break
    case (.noChanges, .commit) where made?.isCommit == false: break
    case (.rolledBack, .rollback): break
    case (.failed(let error as Discrepancy), _): throw error
    case (.failed(let error), .error) where error is Deliberate: break
    case (.failed(let error as YapDatabaseError), _) where mayHaveFailed && error.code == CommitFault.error.code: break
    default: throw Discrepancy("a transaction that was to end with \(ending) ended with \(outcome)")
    }
  }

  /// Adds the commits of these numbers, which must follow the newest one, to the history.
  private func take(_ numbers: [UInt64], _ history: JointHistory) throws {
    try Discrepancy.check(database.snapshot, newest + UInt64(numbers.count), "number of the newest commit")
    for number in numbers {
      guard number == newest + 1, let made = history.candidates[number], let commit = made.commit else {
        throw Discrepancy("commits \(numbers) were told to follow commit \(newest)")
      }
      state = made.state
      commits.append(commit)
    }
  }
}
