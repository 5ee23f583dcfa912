internal import CommitLedger
internal import Foundation
internal import HarnessPrimitives
internal import SQLiteBinding
internal import YapEngine

/// Uses one damaged database through the engine: opens it, reads everything, writes, closes, and opens it again.
// Used by one thread.
final class DamageTrial {
  /// The outcomes that are right for a damaged database.
  enum Expectation: Equatable {
    /// All commits, without an error of the ledger check.
    case everything
    /// All rows of one of the commits, in order, because SQLite checks every frame of the WAL.
    case prefix
    /// The error `foreignWAL`.
    case foreignWAL
    /// An error of the engine; or all commits; or rows in which the ledger check finds an error.
    case errorOrFinding
  }

  let path: String
  /// The form of the path by which the engine opens the database.
  let form: PathForm
  let store: DamageStore
  /// The store whose files may be among the damaged ones; nil if there is none.
  let other: DamageStore?
  /// The files at `path` before the trial; nil if one of them is no regular file.
  let files: DatabaseFiles?
  let expectation: Expectation
  let corruptAction: YapDatabaseCorruptAction
  private var random: RandomStream
  private(set) var outcome = CaseOutcome()
  /// The newest commit after the trial's own writes; nil if they failed, or if the rows are not known.
  private var acknowledged: UInt64?

  init(
    path: String,
    form: PathForm = .absolute,
    store: DamageStore,
    other: DamageStore? = nil,
    files: DatabaseFiles?,
    expectation: Expectation,
    corruptAction: YapDatabaseCorruptAction,
    random: RandomStream
  ) {
    self.path = path
    self.form = form
    self.store = store
    self.other = other
    self.files = files
    self.expectation = expectation
    self.corruptAction = corruptAction
    self.random = random
  }

  static func expectation(_ kind: DamageKind, of store: DamageStore, damagedTo files: DatabaseFiles) -> Expectation {
    if files == store.files { return .everything }
    switch kind {
    case .indexTruncated, .indexFlipped, .indexOverwritten, .indexOlder: return .everything
    case .walTruncated, .walFlipped, .walOverwritten, .walSwapped, .walRemoved:
      return store.shape.hasSeparateWAL ? .prefix : .errorOrFinding
    case .walOlder: return store.shape.isAllInWAL ? .prefix : .errorOrFinding
    case .walForeign: return files["-wal"]?.isEmpty == false ? .foreignWAL : .errorOrFinding
    default: return .errorOrFinding
    }
  }

  /// Runs the trial. Everything that is wrong becomes a failure of the outcome.
  func run() {
    typed("the first use") { try useFirst() }
    if outcome.failures.isEmpty, acknowledged != nil { typed("the use after reopening") { try useAgain() } }
  }

  /// Runs a part that may throw only errors of the engine.
  private func typed(_ part: String, _ body: () throws -> Void) {
    do { try body() } catch let error as YapDatabaseError {
      note(error, in: part)
    } catch {
      fail("\(part): expected a YapDatabaseError, found \(type(of: error)): \(error)")
    }
  }

  private func note(_ error: YapDatabaseError, in part: String) {
    outcome.count(DamageCount.refused)
    switch expectation {
    case .errorOrFinding: break
    case .foreignWAL:
      if error.code != .foreignWAL { fail("\(part): expected the error foreignWAL, found: \(error)") }
    case .everything, .prefix: fail("\(part): expected to open with rows of a commit, found: \(error)")
    }
    if corruptAction == .fail || error.code == .foreignWAL { checkUnchanged(part) }
  }

  private func fail(_ text: String) { outcome.failures.append("\(corruptAction): \(text)") }

  /// Checks that a refused database was left as it was.
  private func checkUnchanged(_ part: String) {
    guard let files, acknowledged == nil, outcome.counts[DamageCount.opened] == nil else { return }
    for suffix in ["", "-wal"] {
      let found = FileManager.default.contents(atPath: path + suffix)
      // SQLite may create an empty WAL.
      if found ?? Data() == Data(files[suffix] ?? []) { continue }
      fail("\(part): the refused database was changed: \(suffix.isEmpty ? "the database file" : suffix)")
    }
  }

  // MARK: The first use

  private func useFirst() throws {
    var options = DamageStore.options
    options.corruptAction = corruptAction
    try withDatabase(options) { database in
      outcome.count(DamageCount.opened)
      if let replaced = database.replacedFile { return try judge(replaced, in: database) }
      let connection = try database.newConnection()
      let (commit, rows, report) = try connection.read { transaction in
        let rows = try RowsDigest(of: transaction)
        try compareWithSQLite(transaction.allCollections(), count: rows.count)
        return (transaction.snapshot, rows, try LedgerCheck().check(transaction, acknowledged: store.commits))
      }
      judge(report, of: rows, at: commit)
      try readView(in: database)
      try write(in: database, after: commit, isKnown: store.contains(rows, at: commit))
    }
  }

  /// Opens the database, and closes it whether or not `body` throws.
  private func withDatabase(
    _ options: YapDatabaseOptions,
    _ body: (YapDatabase) throws -> Void
  ) throws {
    let database = try YapDatabase(path: form.path(to: path), options: options)
    let used = Result { try body(database) }
    let closed = Result { try database.close() }
    try used.get()
    try closed.get()
  }

  /// Checks that the engine has not taken damage that SQLite reports for the end of the rows. The engine reads a
  /// collection through the index of keys or without it, so it must have as many rows as one of the ways has.
  private func compareWithSQLite(_ collections: [String], count: Int) throws {
    let handle = try SQLiteHandle(path: path)
    try handle.setCheckpointOnClose(false)
    guard let numbers = Self.collectionNumbers(handle) else { return }
    var found: SQLiteError?
    for plan in ["WHERE collection = ?1 ORDER BY key", "NOT INDEXED WHERE collection = ?1"] {
      do throws(SQLiteError) {
        let rows = try handle.prepare("SELECT key, object, metadata FROM data \(plan)")
        if try rowCount(of: collections.compactMap { numbers[$0] }, rows) == count { return }
      } catch {
        guard error.primaryCode == SQLiteCode.corrupt else { throw error }
        found = error
      }
    }
    if let found { fail("SQLite finds \(found), but the engine has read \(count) rows without an error") }
  }

  /// Returns the numbers of collections by name; nil if the table is damaged, so that a name has no certain number.
  private static func collectionNumbers(_ handle: SQLiteHandle) -> [String: Int64]? {
    var numbers: [String: Int64] = [:]
    do throws(SQLiteError) {
      let listed = try handle.prepare("SELECT number, name FROM collections NOT INDEXED")
      while try listed.step() {
        guard numbers.updateValue(listed.integer(at: 0), forKey: listed.text(at: 1)) == nil else { return nil }
      }
    } catch { return nil }
    return numbers
  }

  private func rowCount(of collections: [Int64], _ rows: SQLiteStatement) throws(SQLiteError) -> Int {
    var count = 0
    for collection in collections {
      rows.reset()
      try rows.bind(collection, at: 1)
      while try rows.step() { count += 1 }
    }
    return count
  }

  private func judge(_ report: LedgerCheck.Report, of rows: RowsDigest, at commit: UInt64) {
    let isNewest = commit == store.commits && rows == store.newest
    let found = report.errors.first.map { ": \($0)" } ?? ""
    switch (isNewest, report.errorCount == 0) {
    case (true, true): outcome.count(DamageCount.complete)
    case (true, false) where expectation == .everything || expectation == .prefix:
      fail("the ledger check rejects right rows\(found)")
    // Damage of an index shows only in reads by keys.
    case (true, false): outcome.count(DamageCount.found)
    // If all that is left is the WAL of another database, the file is a database without damage.
    case (false, true) where expectation == .errorOrFinding && other?.contains(rows, at: commit) == true:
      outcome.count(DamageCount.other)
    case (false, true): fail("false ok: the ledger check accepts \(rows.count) wrong rows of commit \(commit)")
    case (false, false): outcome.count(store.contains(rows, at: commit) ? DamageCount.prefix : DamageCount.found)
    }
    switch expectation {
    case .everything where !isNewest:
      fail("expected all rows of commit \(store.commits), found others of commit \(commit)\(found)")
    case .prefix where !store.contains(rows, at: commit):
      fail("expected the rows of one of the commits, found others of commit \(commit)\(found)")
    case .foreignWAL: fail("expected the error foreignWAL, found an opened database of commit \(commit)")
    default: break
    }
  }

  private func judge(_ replaced: YapDatabaseReplacedFile, in database: YapDatabase) throws {
    outcome.count(DamageCount.replaced)
    if expectation != .errorOrFinding { fail("a readable database was replaced: \(replaced.cause)") }
    if corruptAction == .fail { fail("the option `fail` has replaced the database") }
    if replaced.action != corruptAction { fail("expected the action \(corruptAction), found \(replaced.action)") }
    if corruptAction == .rename, let files, let moved = replaced.files.first,
      FileManager.default.contents(atPath: moved) != files[""].map({ Data($0) })
    {
      fail("the renamed file \(moved) is not the damaged one")
    }
    let rows = try database.newConnection().read { try RowsDigest(of: $0) }
    if rows != RowsDigest() { fail("expected no row in the new database, found \(rows.count)") }
    try write(in: database, after: 0, isKnown: true)
  }

  /// Reads every row of the view, which must have the rows of the table if those are known.
  private func readView(in database: YapDatabase) throws {
    guard store.shape == .smallPages else { return }
    try DamageStore.register(in: database)
    let (viewed, stored) = try database.newConnection().read { transaction in
      var viewed: [String] = []
      var stored: [String] = []
      let view = try transaction.ext(DamageStore.view) as? YapDatabaseViewTransaction
      for collection in try transaction.allCollections() where collection != LedgerEntry.collection {
        try view?.enumerateKeysAndObjects(inGroup: collection) { _, key, _, _, _ in
          viewed.append("\(collection)/\(key)")
        }
        try transaction.enumerateKeys(inCollection: collection) { key, _ in stored.append("\(collection)/\(key)") }
      }
      return (viewed.sorted(), stored.sorted())
    }
    if viewed != stored, expectation != .errorOrFinding {
      fail("expected the \(stored.count) rows of the table in the view, found \(viewed.count)")
    }
  }

  private func write(in database: YapDatabase, after commit: UInt64, isKnown: Bool) throws {
    let writer = LedgeredWriter(try database.newConnection(), number: 2)
    // The registration of the view was a commit.
    var newest = try writer.commit(&random, unrecorded: database.snapshot &- commit)
    for _ in 0..<2 { newest = try writer.commit(&random) }
    try database.checkpoint(random.below(2) == 0 ? .passive : .truncate)
    if isKnown { acknowledged = newest }
  }

  // MARK: The second use

  /// Everything is known now, so the ledger check must find no error.
  private func useAgain() throws {
    let acknowledged = acknowledged ?? 0
    let isFound = expectation == .errorOrFinding
    try withDatabase(DamageStore.options) { database in
      let connection = try database.newConnection()
      let report = try connection.read { try LedgerCheck().check($0, acknowledged: acknowledged) }
      // Damage may also lie in pages that the first use has not read.
      if let error = report.errors.first, !isFound { fail("after three commits and reopening: \(error)") }
      let writer = LedgeredWriter(connection, number: 3)
      _ = try writer.commit(&random)
    }
    guard !isFound else { return }
    for problem in try SQLiteHandle(path: path).integrityProblems() { fail("after reopening: \(problem)") }
  }
}

/// The names of the counts of all kinds of damage.
enum DamageCount {
  static let refused = "refused with a typed error"
  static let opened = "opened"
  static let complete = "opened with every commit"
  static let prefix = "opened with the rows of an earlier commit"
  static let found = "opened with wrong rows that the ledger check found"
  static let other = "opened as the other database whose WAL was put beside the file"
  static let replaced = "replaced by corruptAction"
}
