internal import SQLiteBinding
internal import Synchronization
internal import ThreadingPrimitives

/// A connection's read transaction in SQLite, and its pin in the registry.
///
/// After a read, a connection keeps SQLite's read transaction open if the snapshot is still the newest. Unless there is
/// a commit, the next read begins without a call to SQLite, and makes no system call if the caches answer it.
///
/// A kept snapshot must be neither stale nor an obstacle to the checkpointer. Therefore:
///
/// - it is used only as long as its commit is the newest;
/// - a connection releases it before it writes, follows commits, moves a bookmark or frees memory;
/// - the checkpointer releases the kept snapshots of idle connections, before it determines the connection that blocks
///   it;
/// - while the WAL is being reset, no read keeps its snapshot, so that even a connection that reads without a pause
///   stops reading from the WAL.
// Used only with the connection's lane held, except `isKept` and `isBookmark`, which are atomic.
final class SnapshotPin: @unchecked Sendable {
  /// The reason for which SQLite's transaction stays open after a read.
  private enum Hold: UInt8, AtomicRepresentable {
    case none, kept, bookmark
  }

  /// The connection's own handle.
  let handle: EngineHandle
  private let connection: ConnectionID
  private let name: String
  private let database: YapDatabase
  private let isReadOnly: Bool
  /// The number of the last snapshot that was pinned.
  private var snapshot: UInt64 = 0
  private let hold = Atomic(Hold.none)

  init(handle: EngineHandle, connection: ConnectionID, name: String, database: YapDatabase) {
    self.handle = handle
    self.connection = connection
    self.name = name
    self.database = database
    isReadOnly = database.options.isReadOnly
  }

  /// Whether a snapshot that is not a bookmark stays pinned from one read to the next. Any thread may read it.
  @inline(__always)
  var isKept: Bool { hold.load(ordering: .acquiring) == .kept }

  /// Whether the snapshot is the bookmark of a long-lived read. Any thread may read it.
  @inline(__always)
  var isBookmark: Bool { hold.load(ordering: .acquiring) == .bookmark }

  // MARK: Taking a snapshot

  /// Begins a read transaction in SQLite and pins its snapshot immediately.
  ///
  /// BEGIN alone takes no snapshot; the first statement that may read does. The number of the snapshot determines the
  /// commits that the caches have to follow. It is read from the file only if it cannot be proven otherwise, because
  /// that takes a page. Pinning makes no writer wait.
  ///
  /// The steps, and the effect of concurrent commits:
  ///
  ///     registry.proof               begins the proof
  ///     BEGIN                        any number of commits may still precede the snapshot
  ///     SELECT                       takes the snapshot; further commits are newer
  ///     file's revision              completes the proof, or the number is read
  ///     registry.pin                 finds the snapshot's commit, which was announced before it was on disk
  ///     follow the commits           further commits do not matter
  /// - Parameter commit: the commit that the caches reflect, which is not newer than the snapshot.
  /// - Returns: the commit whose state is pinned.
  func begin(from commit: Commit, asBookmark isLongLived: Bool) throws -> Commit {
    let hooks = database.options.testHooks
    // Read before SQLite takes its snapshot: if the snapshot was copied only afterwards, SQLite still reads it from the
    // WAL.
    let copied = database.checkpointer.state.copiedSnapshot
    do {
      let proof = database.registry.withLock { $0.proof }
      try handle.run(.begin)
      hooks.reach(.readBegun, name)
      try handle.run(.takeSnapshot)
      hooks.reach(.readPinned, name)
      let pinned = try register(number(proof), from: commit, copied: copied, isLongLived: isLongLived)
      hooks.reach(.readRegistered, name)
      return pinned
    } catch {
      release()
      throw error
    }
  }

  /// Begins a read transaction of a database that is only read, and pins its snapshot.
  /// - Parameter commit: the commit that the caches reflect.
  /// - Returns: `commit`, or a new commit if another process has committed. The new one is not linked to `commit`.
  func beginReadingOnly(from commit: Commit, asBookmark isLongLived: Bool) throws -> Commit {
    do {
      try database.checkFileAtRest()
      let number = try database.beginReading(handle)
      guard number >= commit.snapshot else {
        throw YapDatabaseError(
          .snapshotLost,
          "\(database.path) contains commit \(number) after commit \(commit.snapshot), so an older file has replaced "
            + "it: open the database again"
        )
      }
      let pinned = number == commit.snapshot ? commit : Commit(external: number, after: commit)
      let now = MonotonicClock.now
      let last = database.registry.withLock {
        $0.pinForReadingOnly(pinned, by: connection, at: now, isLongLived: isLongLived)
      }
      withExtendedLifetime(last) {}
      snapshot = number
      return pinned
    } catch {
      release()
      throw error
    }
  }

  /// Returns the number of the snapshot that SQLite has taken.
  private func number(_ proof: SnapshotProof) throws -> UInt64 {
    let isProven = handle.sqlite.hasSnapshot && proof.holds(at: handle.sqlite.walRevision)
    return isProven ? proof.commit.snapshot : try handle.storedSnapshot()
  }

  /// Makes the snapshot that was just pinned the bookmark of a long-lived read.
  func becomeBookmark() {
    hold.store(.bookmark, ordering: .releasing)
    database.checkpointer.signals.oldestPinMoved()
  }

  /// Releases the bookmark's snapshot and takes it again. Nothing may be committed in between, so the write lane must
  /// be held.
  /// - Parameter commit: the bookmarked commit.
  /// - Returns: the commit whose state is pinned.
  /// - Throws: the errors of SQLite. No transaction is then open, so the next check of the bookmark throws
  ///   `snapshotLost`.
  func renewBookmark(from commit: Commit) throws -> Commit {
    handle.rollbackIfNeeded()
    do {
      let copied = database.checkpointer.state.copiedSnapshot
      try handle.run(.begin)
      return try register(try handle.storedSnapshot(), from: commit, copied: copied, isLongLived: true)
    } catch {
      handle.rollbackIfNeeded()
      throw error
    }
  }

  private func register(_ number: UInt64, from commit: Commit, copied: UInt64?, isLongLived: Bool) throws -> Commit {
    let now = MonotonicClock.now
    let pinned = database.registry.withLock {
      $0.pin(number, by: connection, from: commit, at: now, isLongLived: isLongLived, copied: copied)
    }
    guard let pinned else {
      throw YapDatabaseError(
        .snapshotLost,
        "\(database.path) contains commit \(number), which this process did not write: another program writes to the "
          + "file. Close it in that program, and open the database again."
      )
    }
    snapshot = number
    return pinned
  }

  /// Replaces the pinned commit by its copy from a folded list. The pin would otherwise keep every unfolded commit
  /// alive.
  func replaceCommit(with copy: Commit) {
    database.registry.withLock { $0.replacePin(of: connection, with: copy) }
  }

  // MARK: Keeping and releasing it

  /// Ends a read: its snapshot stays pinned for the next read, or is released.
  /// - Parameter isNewest: whether nothing was committed after the snapshot.
  /// - Throws: `snapshotLost` if SQLite has already ended the transaction, because reads after that end were of other
  ///   snapshots; the error of a failed COMMIT.
  @inline(__always)
  func endRead(isNewest: Bool) throws {
    guard mayKeep(isNewest: isNewest), handle.sqlite.isInTransaction else { return try commitRead() }
    if !isKept { hold.store(.kept, ordering: .releasing) }
  }

  @inline(never)
  private func commitRead() throws {
    hold.store(.none, ordering: .releasing)
    defer { database.unpin(connection) }
    guard handle.sqlite.isInTransaction else { throw lost() }
    do {
      if isReadOnly { try database.checkFileAtRest() }
      try handle.run(.commit)
    } catch {
      handle.rollbackIfNeeded()
      throw error
    }
  }

  /// Releases the kept snapshot, if there is one, unless the next read may use it.
  /// - Returns: whether there is a kept snapshot that the next read may use.
  @inline(__always)
  func reuseKept(isNewest: Bool) -> Bool {
    guard isKept else { return false }
    assert(handle.sqlite.isInTransaction, "connection \"\(name)\" keeps a snapshot that SQLite has released")
    if mayKeep(isNewest: isNewest) { return true }
    release()
    return false
  }

  private func mayKeep(isNewest: Bool) -> Bool {
    isNewest && !database.isResettingWAL
  }

  /// Releases the snapshot if it is only kept for the next read.
  func releaseKept() {
    if isKept { release() }
  }

  /// Releases the snapshot, and ends the long-lived read, if there is one.
  func release() {
    hold.store(.none, ordering: .releasing)
    handle.rollbackIfNeeded()
    database.unpin(connection)
  }

  /// Releases a kept snapshot, or ends SQLite's transaction of a bookmark that is about to move. If the move fails,
  /// there is no bookmark. The registry keeps the bookmark's pin until the new pin replaces it.
  func prepareMove() {
    releaseKept()
    guard isBookmark else { return }
    hold.store(.none, ordering: .releasing)
    // SQLite may have ended the transaction already. The move then repairs the bookmark.
    handle.rollbackIfNeeded()
  }

  /// Checks that SQLite still holds the bookmark's transaction, which an error inside it may have ended, and that the
  /// file has not been changed, if it is only read.
  /// - Throws: `snapshotLost`; the long-lived read has then ended.
  func checkBookmark() throws {
    guard handle.sqlite.isInTransaction else {
      release()
      throw lost()
    }
    guard isReadOnly else { return }
    do { try database.checkFileAtRest() } catch {
      release()
      throw error
    }
  }

  private func lost() -> YapDatabaseError {
    YapDatabaseError(
      .snapshotLost,
      "connection \"\(name)\" has lost its snapshot \(snapshot), because SQLite ended the transaction after an "
        + "error: read again, or begin a new long-lived read transaction"
    )
  }
}
