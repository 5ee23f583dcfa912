internal import BenchDrivers
internal import BenchModel
internal import SeededRandom
internal import ThreadingPrimitives

/// The schedule of a worker's checks of atomic commits and of sums. It goes by time, so that the checks take a small
/// share of any load.
struct CommitCheck {
  /// The interval between checks of groups. A check takes some 10 µs.
  private static let groupNanoseconds: UInt64 = 10_000_000
  /// Adding up all balances takes a hundredth of the time: the next sum waits for 99 times the duration of the last
  /// one.
  private static let restOfSums: UInt64 = 99

  private let checksGroups: Bool
  private let checksSums: Bool
  private var nextGroup: UInt64 = 0
  private var nextSum: UInt64 = 0
  var random: RandomStream

  init(_ actor: RunningActor, random: RandomStream) {
    let invariants = actor.context.invariants
    checksGroups = invariants.contains(.atomicCommits) && actor.collection != nil
    checksSums = invariants.contains(.conservation) && actor.collection?.firstBalance != nil
    self.random = random
  }

  /// Whether writers record the rows that they write together.
  var notesGroups: Bool { checksGroups }

  @inline(__always)
  mutating func isGroupDue(at now: UInt64) -> Bool {
    guard checksGroups, now >= nextGroup else { return false }
    nextGroup = now + Self.groupNanoseconds
    return true
  }

  @inline(__always)
  func isSumDue(at now: UInt64) -> Bool { checksSums && now >= nextSum }

  /// Schedules the next sum after one that was taken from `start` to `end`.
  mutating func summed(from start: UInt64, to end: UInt64) { nextSum = end + (end - start) * Self.restOfSums }
}

extension Worker {
  /// Reads the rows that one commit has written together, in a transaction of its own, and checks that it sees either
  /// all or none of the commit.
  mutating func checkGroup() throws {
    guard let collection = actor.collection, let group = collection.groups.draw(&commitCheck.random) else { return }
    var found: [UInt64?] = []
    var snapshot: UInt64 = 0
    try connection.connection.read { transaction in
      snapshot = transaction.snapshot
      try transaction.objects(group.rows.map(collection.keys.key), in: collection.name) { _, object in
        found.append(object.flatMap(Payload.read)?.commit)
      }
    }
    checks.atomicCommits += 1
    if let objection = CommitGroups.objection(to: found, of: group) {
      report(
        .atomicCommits,
        "in \"\(collection.name)\" on connection \"\(connection.name)\" at snapshot \(snapshot) \(objection)"
      )
    }
  }

  /// Checks the sum of all balances in a transaction of its own.
  mutating func checkSum() throws {
    guard let collection = actor.collection else { return }
    let start = MonotonicClock.now
    try connection.connection.read { transaction in
      checks.conservation += 1
      if let objection = try collection.objectionToSum(in: transaction) {
        report(
          .conservation,
          "on connection \"\(connection.name)\" at snapshot \(transaction.snapshot) \(objection)"
        )
      }
    }
    commitCheck.summed(from: start, to: MonotonicClock.now)
  }
}
