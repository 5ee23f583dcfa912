import HarnessPrimitives
import TestSupport

@testable import YapEngine

/// The state of each number, committed or waiting for COMMIT. The write lane orders its users.
private final class JointWorlds: @unchecked Sendable {
  var candidates: [UInt64: ViewWorld]

  init(after number: UInt64, _ world: ViewWorld) {
    candidates = [number: world]
  }
}

extension ViewTrial {
  /// Lets several connections write in turn, and commits them together. Sometimes COMMIT fails.
  func writeTogether() throws {
    let free = followers.filter { $0.bookmark == nil }.shuffled(using: &random).prefix(3)
    guard free.count > 1 else { return }
    let worlds = JointWorlds(after: database.snapshot, world)
    let fails = TestHooks.areBuiltIn && random.chance(oneIn: 4)
    if fails { fault.failNext() }
    // The blocks run one after the other, and all have ended before the trial continues.
    nonisolated(unsafe) let trial = self
    let endings = free.map { _ in randomEnding() }
    let outcomes = YapEngineTests.writeTogether(
      zip(free, endings).map { follower, ending in
        Writing(follower.connection) { transaction in
          guard let base = worlds.candidates[transaction.snapshot - 1] else {
            throw Discrepancy("commit \(transaction.snapshot) is to follow one that nobody made")
          }
          let changed = try trial.change(transaction, base, ending)
          if ending == .commit { worlds.candidates[transaction.snapshot] = changed }
        }
      }
    )
    let mayHaveFailed = fails && !fault.clear()
    for outcome in outcomes {
      switch outcome.failure {
      case let found as Discrepancy: throw found
      case nil: continue
      case is Deliberate: continue
      case let error as YapDatabaseError where mayHaveFailed && error.code == CommitFault.error.code: continue
      case let error: throw Discrepancy("a transaction among several ended with \(String(describing: error))")
      }
    }
    guard let newest = worlds.candidates[database.snapshot] else {
      throw Discrepancy("nobody made commit \(database.snapshot)")
    }
    world = newest
  }
}
