internal import CommitLedger
internal import Dispatch
internal import Foundation
internal import HarnessPrimitives
internal import ThreadingPrimitives
internal import YapEngine

/// A database in use while calls of its VFS fail: the acknowledged commits, the errors, and everything wrong.
// `commitConcurrently` uses it on several threads, which lock `state`; everything else happens on one thread.
final class FaultSession: @unchecked Sendable {
  struct State {
    /// The newest acknowledged commit, with or without a ledger entry.
    var newest: UInt64 = 0
    /// The digests of the ledger entries of acknowledged commits.
    var entries: [UInt64: UInt64] = [:]
    /// The number of acknowledged commits without an entry after the last with one.
    var unrecorded: UInt64 = 0
    /// The number of calls after the newest acknowledged commit that have thrown and would have made a commit.
    var failedCommits: UInt64 = 0
    var errorCount = 0
    var failures: [String] = []
    var notified: [UInt64] = []
  }

  let path: String
  /// The form of the path by which the session opens the database.
  private let form: PathForm
  let options: YapDatabaseOptions
  let state: Guarded<State>
  private(set) var database: YapDatabase?
  private(set) var connections: [YapDatabaseConnection] = []
  private(set) var hasView = false
  /// Whether faults may have concerned the files of a backup, whose failures are no damage of the database.
  private(set) var hasBackedUp = false
  /// The backup that was made, and the number of the commit whose state it contains; nil for none.
  private(set) var backup: (path: String, commit: UInt64)?
  private var writers: [LedgeredWriter] = []
  private var random: RandomStream
  private let queue = DispatchQueue(label: "fault notifications")
  private var observer: (any NSObjectProtocol)?
  private var nextWriter: UInt32 = 10

  init(path: String, form: PathForm, options: YapDatabaseOptions, newest: UInt64, random: RandomStream) {
    self.path = path
    self.form = form
    var options = options
    options.notificationQueue = queue
    self.options = options
    self.random = random
    state = Guarded(State(newest: newest))
  }

  func fail(_ text: String) { state.withLock { $0.failures.append(text) } }

  /// Makes a call that may throw only errors of the engine.
  /// - Returns: Whether it succeeded.
  @discardableResult
  func typed(_ call: String, _ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch is YapDatabaseError {
      state.withLock { $0.errorCount += 1 }
    } catch {
      fail("\(call): expected a YapDatabaseError, found \(type(of: error)): \(error)")
    }
    return false
  }

  func open() {
    typed("open") {
      let opened = try YapDatabase(path: form.path(to: path), options: options)
      database = opened
      observer = NotificationCenter.default.addObserver(
        forName: .YapDatabaseModified,
        object: opened,
        queue: nil
      ) { [weak self] notification in
        guard let modification = YapDatabaseModification(notification) else { return }
        self?.state.withLock { $0.notified.append(modification.snapshot) }
      }
      for _ in 0..<3 { connect() }
    }
  }

  func connect() {
    typed("newConnection") {
      guard let database else { return }
      let connection = try database.newConnection()
      connections.append(connection)
      nextWriter += 1
      let shape = LedgeredWriter.Shape(keys: DamageStore.keyCount, objectSize: 32...3_000)
      writers.append(LedgeredWriter(connection, number: nextWriter, shape: shape))
    }
  }

  /// Fills the caches of all connections.
  func read() {
    let unrecorded = state.withLock { $0.unrecorded }
    for connection in connections {
      typed("read") {
        let report = try connection.read { try LedgerCheck().check($0, unrecorded: unrecorded) }
        if let error = report.errors.first { fail("a read without an error: \(error)") }
      }
    }
  }

  /// Commits on the connections in turn.
  func commit(_ count: Int) {
    guard !writers.isEmpty else { return }
    for index in 0..<count { commit(on: writers[index % writers.count], &random) }
  }

  @discardableResult
  private func commit(on writer: LedgeredWriter, _ random: inout RandomStream) -> Bool {
    let unrecorded = state.withLock { $0.unrecorded }
    let isMade = typed("readWrite") {
      var entry: UInt64 = 0
      let commit = try writer.commit(&random, unrecorded: unrecorded) { transaction in
        entry = try transaction.ledgerEntry(of: transaction.snapshot)?.digest ?? 0
      }
      state.withLock { [entry] state in
        state.newest = max(state.newest, commit)
        state.entries[commit] = entry
        state.unrecorded = 0
        state.failedCommits = 0
      }
    }
    if !isMade { state.withLock { $0.failedCommits += 1 } }
    return isMade
  }

  /// Writes, and throws in the block.
  func rollBack() {
    guard let writer = writers.first else { return }
    typed("readWrite") { try writer.rollBack(&random) }
  }

  func commitConcurrently() {
    var threads: [WorkerThread] = []
    for (index, writer) in writers.enumerated() {
      do {
        let thread = try WorkerThread(name: "fault writer") { [self] in
          var random = RandomStream(seed: UInt64(index), "concurrent")
          for _ in 0..<3 { commit(on: writer, &random) }
        }
        threads.append(thread)
      } catch { fail("\(error)") }
    }
    for thread in threads { thread.join() }
  }

  func moveBookmark() {
    guard let connection = connections.last else { return }
    typed("beginLongLivedReadTransaction") { _ = try connection.beginLongLivedReadTransaction() }
  }

  func checkpoint(_ mode: YapDatabaseCheckpoint.Mode) {
    for _ in 0..<2 {
      typed("checkpoint") { _ = try database?.checkpoint(mode, timeout: .milliseconds(50)) }
      commit(1)
    }
  }

  func vacuum(_ body: (YapDatabaseConnection) throws -> Void) {
    guard let connection = connections.first else { return }
    noteUnrecorded(isMade: typed("vacuum") { try body(connection) })
    commit(1)
  }

  func register() {
    guard let database else { return }
    hasView = typed("register") { try DamageStore.register(in: database) }
    noteUnrecorded(isMade: hasView)
  }

  /// Records the end of a call that makes a commit without an entry.
  private func noteUnrecorded(isMade: Bool) {
    state.withLock { state in
      guard isMade else {
        state.failedCommits += 1
        return
      }
      state.newest += 1
      state.unrecorded += 1
      state.failedCommits = 0
    }
  }

  /// Makes a backup. One that fails leaves no file; `FaultVerification` opens one that succeeds.
  func backUp() {
    guard let connection = connections.first else { return }
    hasBackedUp = true
    let copy = path + ".backup"
    let isMade = typed("backup") { backup = (copy, try connection.backup(to: copy, pagesPerStep: 4)) }
    let newest = state.withLock { $0.newest }
    if let backup, backup.commit != newest { fail("expected commit \(newest) in a backup, found \(backup.commit)") }
    for suffix in isMade ? [] : ["", ".partial"] where FileManager.default.fileExists(atPath: copy + suffix) {
      fail("a failed backup has left \(copy)\(suffix)")
    }
  }

  func close() {
    guard let database else { return }
    if typed("close", { try database.close() }) { release() }
  }

  /// Waits for the notifications of a closed database, and releases it.
  func release() {
    queue.sync {}
    if let observer { NotificationCenter.default.removeObserver(observer) }
    writers = []
    connections = []
    database = nil
  }
}
