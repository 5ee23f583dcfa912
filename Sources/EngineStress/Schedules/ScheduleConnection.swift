internal import HarnessPrimitives
internal import ThreadingPrimitives
internal import YapEngine

/// A connection that one thread uses, and what the thread knows about it.
// Used only by its thread.
final class ScheduleConnection: @unchecked Sendable {
  let connection: YapDatabaseConnection
  private let writer: LedgeredWriter
  private let world: ScheduleWorld
  /// The last commit that the connection has shown; the next jump returns the commits after it. Of a new connection,
  /// the first and the last commit at which it may have been placed.
  private var shown: ClosedRange<UInt64>
  /// The bookmarked commit; nil without a bookmark.
  private var bookmark: UInt64?
  /// The commits of this connection.
  private var own: Set<UInt64> = []

  /// Opens a connection.
  /// - Parameter number: The number of the connection's entries in the ledger.
  init(named name: String, number: UInt32, _ world: ScheduleWorld) throws {
    let before = world.acknowledged
    connection = try world.database.newConnection(name: name)
    shown = before...max(world.database.snapshot, before)
    self.world = world
    writer = LedgeredWriter(connection, number: number, shape: ScheduleWorld.shape)
  }

  // MARK: Writing

  func commit(_ random: inout RandomStream, whileOpen: () throws -> Void = {}) throws {
    let least = world.acknowledged
    var (hasBegun, base): (Bool, UInt64) = (false, 0)
    do {
      let commit = try writer.commit(&random) { transaction in
        // The beginning of the transaction has ended the bookmark, and has shown the commit before.
        (hasBegun, base) = (true, transaction.snapshot - 1)
        ScheduledThread.reach("written")
        try world.check(transaction, notBefore: least)
        try whileOpen()
      }
      guard commit > least else { throw WrongResult("commit \(commit) was made after commit \(least) had returned") }
      own.insert(commit)
      bookmark = nil
      shown = commit...commit
      world.acknowledge(commit)
    } catch {
      if hasBegun {
        bookmark = nil
        shown = base...base
      }
      throw error
    }
  }

  // MARK: Reading

  /// Reads, and checks that the whole transaction sees one snapshot.
  func read(notBefore least: UInt64) throws {
    let seen = try connection.read { transaction in
      let seen = transaction.snapshot
      if let bookmark, seen != bookmark { throw WrongResult("a read at bookmark \(bookmark) sees commit \(seen)") }
      guard seen >= shown.lowerBound else {
        throw WrongResult("a read after commit \(shown.lowerBound) sees commit \(seen)")
      }
      try world.check(transaction, notBefore: bookmark == nil ? least : 0)
      ScheduledThread.reach("reading")
      try world.check(transaction, notBefore: bookmark == nil ? least : 0)
      return seen
    }
    shown = seen...seen
  }

  // MARK: Long-lived reads

  /// Begins a long-lived read, or moves its bookmark, and checks the commits that the call returns.
  func moveBookmark() throws {
    let least = world.acknowledged
    let jumped = try connection.beginLongLivedReadTransaction()
    // A closing of the database may end the bookmark after the jump. This read then fails.
    let now = try connection.read { $0.snapshot }
    guard now >= least else { throw WrongResult("a jump leads to commit \(now), after commit \(least) had returned") }
    bookmark = now
    try check(jumped, upTo: now)
    world.count("jumps")
  }

  func endBookmark() throws {
    guard let jumped = try connection.endLongLivedReadTransaction() else {
      if let bookmark { throw WrongResult("the bookmark at commit \(bookmark) does not exist") }
      return
    }
    guard bookmark != nil else { throw WrongResult("a bookmark exists that was not begun") }
    bookmark = nil
    // The newest commit at the end of the bookmark is not known, because a sweep may move the connection afterwards.
    try check(jumped, upTo: jumped.last?.snapshot ?? shown.upperBound)
  }

  /// Checks that the jumped commits are all commits of other connections after the last shown one, and checks their
  /// changes.
  private func check(_ jumped: [YapDatabaseModification], upTo now: UInt64) throws {
    let found = jumped.map(\.snapshot)
    // The commit at which a new connection was placed is known only from its first jump.
    let last = shown.count == 1 ? shown.lowerBound : found.first.map { $0 - 1 } ?? now
    let expected = now > last ? ((last + 1)...now).filter { !own.contains($0) } : []
    guard shown.contains(last), found == expected, !jumped.contains(where: \.isFolded) else {
      throw WrongResult(
        "a jump to commit \(now) of a connection that has shown commit \(shown) returns the commits \(found); "
          + "expected \(expected)"
      )
    }
    shown = now...now
    let seen = try connection.read { transaction in
      for modification in jumped { try ChangeSetCheck.check(modification, of: connection, in: transaction) }
      return transaction.snapshot
    }
    shown = seen...seen
    world.count("change sets checked", jumped.count)
  }
}
