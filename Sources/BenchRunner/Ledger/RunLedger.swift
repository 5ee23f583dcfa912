internal import BenchDrivers
internal import BenchScenario
internal import CommitLedger
internal import ThreadingPrimitives

/// The ledger of a run: each commit contains an entry that states what it has written and follows the previous entry.
///
/// The state is changed only inside read-write transactions, which take turns, and while no worker uses the engine.
final class RunLedger: Sendable {
  /// An entry that was stored.
  struct Stored {
    var entry: LedgerEntry
    var digest: UInt64
    var changes: CommitChanges
  }

  private struct State {
    /// The newest entries, oldest first.
    var entries: [Stored] = []
    /// The newest entry; zeros before the first.
    var newest: (commit: UInt64, digest: UInt64) = (0, 0)
    /// The number of entries of each connection.
    var sequences: [UInt32: UInt64] = [:]
    var lastConnection: UInt32 = 0
    /// The number of commits that may follow the newest entry without an entry: registrations of views.
    var permittedGap: UInt64
  }

  /// The number of entries that are kept in memory.
  static let keptEntries = 8_192

  private let state: Guarded<State>
  private let violations: ViolationLog

  /// - Parameter commit: the newest commit before the run, none of which has an entry.
  init(after commit: UInt64, _ violations: ViolationLog) {
    state = Guarded(State(permittedGap: commit))
    self.violations = violations
  }

  /// Returns a number for a writer's connection, which no other writer has.
  func newConnection() -> UInt32 {
    state.withLock { state in
      state.lastConnection += 1
      return state.lastConnection
    }
  }

  /// The newest entry's commit; 0 before the first.
  var newestCommit: UInt64 { state.withLock { $0.newest.commit } }

  /// Permits commits without an entry, such as registrations of views.
  func permitCommits(withoutEntry count: Int) { state.withLock { $0.permittedGap += UInt64(count) } }

  /// Permits a commit without an entry, which `body` makes unless it throws.
  func permitCommit<Result>(of body: () throws -> Result) rethrows -> Result {
    permitCommits(withoutEntry: 1)
    do { return try body() } catch {
      state.withLock { $0.permittedGap -= min(1, $0.permittedGap) }
      throw error
    }
  }

  // MARK: Writing

  /// Checks at the beginning of a read-write transaction that it reads the snapshot of the previous commit.
  /// - Parameter readsEntry: whether the entry of that commit is read and compared, too.
  func checkBegin(of transaction: any DriverTransaction, readsEntry: Bool, _ checks: inout CheckCounts) throws {
    let number = transaction.snapshot
    let (newest, gap) = state.withLock { ($0.newest, $0.permittedGap) }
    checks.serializedWriters += 1
    guard number > newest.commit, number - 1 - newest.commit <= gap else {
      return violations.report(
        .serializedWriters,
        "a read-write transaction has the number \(number), but the newest commit is \(newest.commit)"
          + (gap > 0 ? " or one of up to \(gap) without an entry" : "")
      )
    }
    guard readsEntry, newest.commit > 0 else { return }
    checks.serializedWriters += 1
    let key = LedgerEntry.key(of: newest.commit)
    let found = try transaction.storedObject(key, in: LedgerEntry.collection).flatMap(LedgerEntry.decode)
    guard found?.digest == newest.digest else {
      let what = found.map { "with another digest, of commit \($0.entry.commit)" } ?? "missing or damaged"
      return violations.report(
        .serializedWriters,
        "read-write transaction \(number) does not read the snapshot of commit \(newest.commit): the entry of that "
          + "commit is \(what)"
      )
    }
  }

  /// Stores the entry of a transaction. Must be called inside the transaction, after its last write.
  func append(
    _ changes: CommitChanges,
    connection: UInt32,
    in transaction: any DriverTransaction,
    _ checks: inout CheckCounts
  ) throws {
    let commit = transaction.snapshot
    let (entry, gap) = state.withLock { state in
      let unrecorded = commit &- 1 &- state.newest.commit
      let entry = LedgerEntry(
        commit: commit,
        unrecorded: UInt32(truncatingIfNeeded: unrecorded),
        connection: connection,
        sequence: state.sequences[connection, default: 0] + 1,
        previous: state.newest.digest,
        writes: changes.writes
      )
      return (entry, state.permittedGap)
    }
    checks.ledger += 1
    if commit <= newestCommit || UInt64(entry.unrecorded) > gap {
      violations.report(
        .ledger,
        "commit \(commit) follows commit \(newestCommit): expected at most \(gap) commits in between, which "
          + "have no entry"
      )
    }
    let (bytes, digest) = entry.encoded()
    try transaction.set(bytes, metadata: nil, LedgerEntry.key(of: commit), in: LedgerEntry.collection)
    state.withLock { state in
      state.permittedGap -= min(UInt64(entry.unrecorded), state.permittedGap)
      state.newest = (commit, digest)
      state.sequences[connection] = entry.sequence
      if state.entries.count >= 2 * Self.keptEntries { state.entries.removeFirst(Self.keptEntries) }
      state.entries.append(Stored(entry: entry, digest: digest, changes: changes))
    }
  }

  // MARK: Restarts

  /// Drops the entries of commits after `recovered`, which were lost with the engine's process. The commits without an
  /// entry that preceded them are permitted again, because they may be in the file.
  func forget(after recovered: UInt64) {
    state.withLock { state in
      while let last = state.entries.last?.entry, last.commit > recovered {
        state.sequences[last.connection, default: 1] -= 1
        state.permittedGap += UInt64(last.unrecorded)
        state.entries.removeLast()
      }
    }
  }

  /// Continues after the newest entry in the file. Must be called after `forget`.
  /// - Parameters:
  ///   - found: that entry, as the file contains it.
  ///   - recovered: the newest commit in the file.
  ///   - newest: the newest commit, after views were registered again.
  func restart(after found: (commit: UInt64, digest: UInt64), recovered: UInt64, newest: UInt64) {
    let (known, gap) = state.withLock { state in
      let known = state.entries.last.map { ($0.entry.commit, $0.digest) } ?? (0, 0)
      defer {
        state.newest = found
        state.permittedGap = newest - min(found.commit, newest)
      }
      return (known, state.permittedGap)
    }
    if found != known {
      violations.report(
        .ledger,
        "after the end of the engine's process, the newest entry is that of commit \(found.commit), but the run has "
          + "stored that of commit \(known.0) last, or another one"
      )
    }
    if recovered - min(found.commit, recovered) > gap {
      violations.report(
        .ledger,
        "after the end of the engine's process, the newest commit is \(recovered), but the newest entry is that of "
          + "commit \(found.commit)"
      )
    }
  }

  // MARK: Comparing

  /// Compares the whole file with its ledger.
  /// - Parameters:
  ///   - acknowledged: the newest commit that was acknowledged.
  ///   - location: the moment, for the reports, such as "at the end".
  /// - Returns: the newest entry in the file.
  func compare(
    _ collections: [String],
    in transaction: any DriverTransaction,
    acknowledged: UInt64,
    at location: String,
    _ checks: inout CheckCounts
  ) throws -> (commit: UInt64, digest: UInt64) {
    var comparison = LedgerComparison()
    try transaction.enumerate(LedgerEntry.collection) { comparison.addEntry($1, storedUnder: $0) }
    let newest = (comparison.newestEntry, comparison.digest)
    let permitted = state.withLock { $0.permittedGap }
    // A read transaction's snapshot is the newest commit that it sees.
    let unrecorded = transaction.snapshot - min(newest.0, transaction.snapshot)
    comparison.endEntries(
      at: transaction.snapshot,
      unrecorded: unrecorded <= permitted ? unrecorded : 0,
      acknowledged: acknowledged
    )
    for collection in collections {
      try transaction.enumerateRows(collection) { key, object, metadata in
        comparison.addRow(key, in: collection, object: object, metadata: metadata)
      }
    }
    let report = comparison.finish()
    checks.ledger += report.entries + report.rows
    for error in report.errors { violations.report(.ledger, "\(location): \(error)") }
    return newest
  }

  // MARK: Notifications

  /// Compares the changes that an engine reports for commits with their entries. Commits whose entries are not kept in
  /// memory any more are left out.
  /// - Parameters:
  ///   - collection: the collection whose changes are reported.
  ///   - connection: the name of the connection, for the report.
  func check(
    _ advance: DriverAdvance,
    in collection: String,
    onConnection connection: String,
    _ checks: inout CheckCounts
  ) {
    guard let first = advance.jumped.first, let last = advance.jumped.last else { return }
    let stored = entries(from: first, through: last)
    let reported = Dictionary(advance.changes.map { ($0.commit, $0) }) { first, _ in first }
    for one in stored {
      checks.changedKeys += 1
      let expected = one.changes.keys(in: collection)
      let found = reported[one.entry.commit]
      let keys = Set(found?.keys ?? [])
      let isCleared = found?.isCleared ?? false
      guard keys != expected.keys || isCleared != expected.isCleared else { continue }
      let missing = expected.keys.subtracting(keys).sorted().first.map { ", without \($0)" } ?? ""
      let extra = keys.subtracting(expected.keys).sorted().first.map { ", with \($0)" } ?? ""
      violations.report(
        .changedKeys,
        "commit \(one.entry.commit) changed \(expected.keys.count) keys of \"\(collection)\""
          + (expected.isCleared ? " after clearing it" : "") + "; connection \"\(connection)\" was notified of "
          + "\(keys.count)" + (isCleared ? " after clearing it" : "") + missing + extra
      )
    }
  }

  private func entries(from first: UInt64, through last: UInt64) -> [Stored] {
    state.withLock { state in
      let begin = state.entries.partitioningIndex { $0.entry.commit >= first }
      let end = state.entries.partitioningIndex { $0.entry.commit > last }
      return state.entries[begin..<end].map { $0 }
    }
  }
}
