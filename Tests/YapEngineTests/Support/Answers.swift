import ThreadingPrimitives

@testable import YapEngine

/// An answer of the engine, or an input, that a test falsifies to prove that a check finds it.
enum Falsification: CaseIterable, Sendable {
  /// Some gets return the value of another key.
  case answersWithAnotherKey
  /// Collections of five rows are counted as four.
  case miscounts
  /// Some reads report an older snapshot than the connection's last.
  case goesBackInTime
  /// A jump over several commits omits one.
  case skipsANotification
  /// A jump returns a commit twice.
  case repeatsANotification
  /// After a reset of the WAL, a bookmark returns its last commit again.
  case repeatsAfterReset
  /// The end of a long-lived read does not return the commits that it missed.
  case endsWithoutTelling
  /// Folded commits lose a key.
  case losesAKeyWhenFolding
  /// The policy copy gets an instance that returns itself as its copy.
  case copyHandsOutTheOriginal
  /// A commit during a rest of the job that posts notifications is not recorded.
  case forgetsCommitsDuringARest
  /// The ledger omits commits made during a checkpoint.
  case forgetsOverlappingCommits
  /// The ledger omits writers that waited for a checkpoint.
  case forgetsStalledWriters
  /// A checkpoint under the write lane is reported as one beside commits.
  case forgetsTheHeldLane
  /// A checkpoint beside commits is reported as one under the write lane.
  case tellsAFreeLaneAsHeld
}

/// The engine's answers on their way to a check. They stay as they are unless falsifications are planted.
final class Answers: Sendable {
  private let planted: Set<Falsification>
  private let objects = Guarded((count: 0, last: [UInt8]()))

  init(_ planted: Set<Falsification> = []) {
    self.planted = planted
  }

  private func has(_ falsification: Falsification) -> Bool { planted.contains(falsification) }

  /// Every 40th object is replaced by the object of the previous call.
  func object(_ found: [UInt8]?) -> [UInt8]? {
    guard has(.answersWithAnotherKey), let found else { return found }
    return objects.withLock { objects in
      objects.count += 1
      let last = objects.last
      objects.last = found
      return objects.count % 40 == 0 ? last : found
    }
  }

  func count(_ found: Int) -> Int { has(.miscounts) && found == 5 ? 4 : found }

  func snapshot(_ found: UInt64) -> UInt64 { has(.goesBackInTime) && found > 2 && found % 5 == 0 ? found - 2 : found }

  /// - Parameter found: The commits that the beginning of a long-lived read returned.
  func jumped(_ found: [YapDatabaseModification]) -> [YapDatabaseModification] {
    var told = found
    if has(.skipsANotification), told.count > 1 { told.removeFirst() }
    if has(.repeatsANotification), let last = told.last { told.append(last) }
    if has(.losesAKeyWhenFolding) { told = told.map(\.withoutLastKeys) }
    return told
  }

  /// - Parameter found: The commits that the end of a long-lived read returned; nil if there was none.
  func missed(_ found: [YapDatabaseModification]?) -> [YapDatabaseModification]? {
    found.map { has(.endsWithoutTelling) ? [] : jumped($0) }
  }

  func checkpoint(_ checkpoint: YapDatabaseCheckpoint) -> YapDatabaseCheckpoint {
    var checkpoint = checkpoint
    if has(.forgetsTheHeldLane) { checkpoint.laneNanoseconds = 0 }
    if has(.tellsAFreeLaneAsHeld) { checkpoint.laneNanoseconds = max(checkpoint.durationNanoseconds, 1) }
    if has(.forgetsOverlappingCommits) { checkpoint.overlappingCommits = 0 }
    if has(.forgetsStalledWriters) { checkpoint.stalledWriters = 0 }
    return checkpoint
  }
}

extension YapDatabaseModification {
  /// The modification without the last key of each collection of several, if it stands for several commits.
  fileprivate var withoutLastKeys: YapDatabaseModification {
    guard isFolded, case .set(let set) = changes else { return self }
    var short = set.changes
    for collection in set.changes.collections.entries where collection.value.keys.count > 1 {
      var fewer = CollectionChanges(number: collection.value.number, isCleared: collection.value.isCleared)
      for entry in collection.value.keys.entries.dropLast() { fewer.fold(entry.value, of: entry.key) }
      short.collections[collection.key, default: fewer] = fewer
    }
    let last = Commit(snapshot: snapshot, origin: nil, previous: nil)
    return YapDatabaseModification(
      commit: Commit(
        last,
        standingFor: SharedChangeSet(short, foldedFrom: snapshots.lowerBound),
        committedAt: committedAtNanoseconds
      )
    )
  }
}
