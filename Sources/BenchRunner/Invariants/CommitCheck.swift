internal import BenchDrivers
internal import BenchScenario
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// A worker's checks of atomic commits and of sums. They are scheduled by time, so that they take a small share of any
/// load.
struct CommitCheck {
  /// The interval between checks of groups. A check takes some 10 µs.
  private static let groupNanoseconds: UInt64 = 10_000_000
  /// Adding up all balances takes at most a hundredth of a worker's time: after a sum, 99 times its duration passes.
  private static let restOfSums: UInt64 = 99

  private let actor: RunningActor
  private let collection: CheckedCollection
  private let checksGroups: Bool
  private let checksSums: Bool
  private var nextGroup: UInt64 = 0
  private var nextSum: UInt64 = 0
  private var random: RandomStream

  /// - Parameter collection: one of the actor's collections.
  init(_ actor: RunningActor, _ collection: CheckedCollection, thread: Int) {
    self.actor = actor
    self.collection = collection
    checksGroups = Self.checksGroups(actor)
    checksSums = actor.context.invariants.contains(.conservation) && collection.firstBalance != nil
    let (phase, name) = (actor.phase.settings.name, actor.settings.name)
    random = RandomStream(seed: actor.context.seed, phase, name, "\(thread)", "checks", collection.name)
  }

  /// Whether the rows that the actor writes together are recorded and checked.
  static func checksGroups(_ actor: RunningActor) -> Bool {
    actor.context.invariants.contains(.atomicCommits)
  }

  /// Makes the checks that are due, each in a transaction of its own.
  mutating func runIfDue(at now: UInt64, on connection: MeasuredConnection, _ checks: inout CheckCounts) throws {
    if checksGroups, now >= nextGroup {
      nextGroup = now + Self.groupNanoseconds
      try checkGroup(on: connection, &checks)
    }
    if checksSums, now >= nextSum { try checkSum(on: connection, &checks) }
  }

  /// Reads rows that one recent commit wrote together, and checks that the snapshot shows all of the commit or nothing.
  private mutating func checkGroup(on connection: MeasuredConnection, _ checks: inout CheckCounts) throws {
    guard let group = collection.groups.draw(&random) else { return }
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
      actor.report(
        .atomicCommits,
        "in \"\(collection.name)\" on connection \"\(connection.name)\" at snapshot \(snapshot) \(objection)"
      )
    }
  }

  /// Checks the sum of all balances.
  private mutating func checkSum(on connection: MeasuredConnection, _ checks: inout CheckCounts) throws {
    let start = MonotonicClock.now
    try connection.connection.read { transaction in
      checks.conservation += 1
      if let objection = try collection.objectionToSum(in: transaction) {
        actor.report(
          .conservation,
          "on connection \"\(connection.name)\" at snapshot \(transaction.snapshot) \(objection)"
        )
      }
    }
    let end = MonotonicClock.now
    nextSum = end + (end - start) * Self.restOfSums
  }
}

/// Rows of a collection that were written together, for the last 64 commits that wrote several.
final class CommitGroups: Sendable {
  struct Group: Sendable, Equatable {
    var commit: UInt64
    var rows: [Int]
  }

  static let kept = 64

  private let groups = Guarded<[Group]>([])

  /// Adds a group. A writer calls this inside its transaction, so a reader may look for a commit that is not there yet.
  func add(_ group: Group) {
    groups.withLock { groups in
      if groups.count == Self.kept { groups.removeFirst() }
      groups.append(group)
    }
  }

  /// Removes the groups of commits after `commit`, which are lost.
  func forget(after commit: UInt64) {
    groups.withLock { groups in groups.removeAll { $0.commit > commit } }
  }

  func draw(_ random: inout RandomStream) -> Group? {
    groups.withLock { groups in groups.isEmpty ? nil : groups[random.below(groups.count)] }
  }

  /// Returns the error in the rows of one commit, as a snapshot shows them; nil if there is none.
  ///
  /// Either all rows are as of that commit or a later one, or none is. A missing row proves nothing: it may have been
  /// removed later, or may not have been there before.
  /// - Parameter found: the commits that the rows carry; nil for a row that is missing or has a damaged value.
  static func objection(to found: [UInt64?], of group: Group) -> String? {
    let shown = zip(group.rows, found).compactMap { row, commit in commit.map { (row: row, commit: $0) } }
    guard let seen = shown.first(where: { $0.commit >= group.commit }),
      let unseen = shown.first(where: { $0.commit < group.commit })
    else { return nil }
    return "commit \(group.commit) wrote the rows \(group.rows.map(String.init).joined(separator: ", ")); row "
      + "\(seen.row) carries commit \(seen.commit), but row \(unseen.row) carries commit \(unseen.commit)"
  }
}
