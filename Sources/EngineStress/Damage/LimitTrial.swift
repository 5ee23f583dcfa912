internal import CommitLedger
internal import HarnessPrimitives
internal import SQLiteBinding
internal import YapEngine

/// Uses a database while the system refuses a resource: errors are typed, no acknowledged commit is lost, and the next
/// commit succeeds once the limit is lifted and the database is opened again.
// Used by one thread.
final class LimitTrial {
  private static let mostCommits = 300

  let imposed: ImposedLimit
  private var random: RandomStream
  private(set) var outcome = CaseOutcome()
  /// The number of typed errors.
  private var refusals = 0
  private var acknowledged: UInt64 = 0
  /// The number of the last writer; each opening has another one.
  private var writers: UInt32 = 0

  init(_ imposed: ImposedLimit, random: RandomStream) {
    self.imposed = imposed
    self.random = random
  }

  func run() throws {
    try imposed.prepare()
    // The errors of the preparation are unexpected, and so are those after the limit was lifted.
    try commit(1 + random.below(20))
    let isOpenBefore = random.below(2) == 0 && imposed.limit != .readOnlyFileSystem
    let database = isOpenBefore ? try YapDatabase(path: imposed.path, options: options) : nil
    let connection = try database?.newConnection()
    if let connection { try connection.read { _ = try $0.allCollections() } }
    try imposed.impose(room: room)
    use(database, connection)
    try imposed.lift()
    try check()
    try commit(3)
    try check()
    try imposed.end()
  }

  private var options: YapDatabaseOptions {
    var options = DamageStore.options
    // Small limits are reached within the trial, and checkpoints run as well.
    options.aggressiveCheckpointAt = 256 << 10
    options.checkpointing = .automatic
    return options
  }

  private var room: Int {
    switch imposed.limit {
    case .openFiles: random.below(14)
    case .fileSize: random.below(1 << (10 + random.below(10)))
    case .tinyFileSystem: random.below(3) == 0 ? 0 : random.below(1 << (12 + random.below(8)))
    default: 0
    }
  }

  /// Commits without a limit.
  private func commit(_ count: Int) throws {
    let database = try YapDatabase(path: imposed.path, options: options)
    let writer = makeWriter(try database.newConnection())
    for _ in 0..<count { acknowledged = try writer.commit(&random) }
    try database.close()
  }

  private func makeWriter(_ connection: YapDatabaseConnection) -> LedgeredWriter {
    writers += 1
    return LedgeredWriter(connection, number: writers, shape: LedgeredWriter.Shape(objectSize: 32...6_000))
  }

  // MARK: Under the limit

  /// Uses the database until something is refused, and some times more.
  private func use(_ open: YapDatabase?, _ connection: YapDatabaseConnection?) {
    var database = open
    typed {
      let opened = try database ?? YapDatabase(path: imposed.path, options: options)
      database = opened
      let writer = makeWriter(try connection ?? opened.newConnection())
      for _ in 0..<Self.mostCommits where refusals < 3 {
        typed { acknowledged = try writer.commit(&random) }
        if refusals > 0 { typed { try read(on: writer.connection) } }
      }
      typed { try opened.checkpoint(.truncate) }
    }
    if let database {
      var connections: [YapDatabaseConnection] = []
      for _ in 0..<12 {
        typed {
          connections.append(try database.newConnection())
          try read(on: connections[connections.count - 1])
        }
      }
      typed { try database.close() }
    }
    outcome.count(imposed.limit.countName, refusals)
  }

  /// Runs a part that may throw only errors of the engine, and counts them.
  private func typed(_ body: () throws -> Void) {
    do { try body() } catch is YapDatabaseError { refusals += 1 } catch {
      fail("expected a YapDatabaseError, found \(type(of: error)): \(error)")
    }
  }

  private func fail(_ text: String) { outcome.failures.append("\(imposed.limit.rawValue): \(text)") }

  /// A read under the limit fails, or returns every acknowledged commit.
  private func read(on connection: YapDatabaseConnection) throws {
    let report = try connection.read { try LedgerCheck().check($0, acknowledged: acknowledged) }
    if let error = report.errors.first { fail("under the limit: \(error)") }
  }

  // MARK: After the limit

  private func check() throws {
    let database = try YapDatabase(path: imposed.path, options: options)
    if let replaced = database.replacedFile { fail("the database was replaced: \(replaced.cause)") }
    let report = try database.newConnection().read { try LedgerCheck().check($0, acknowledged: acknowledged) }
    if let error = report.errors.first { fail("after the limit: \(error)") }
    if report.commit > acknowledged + 1 {
      fail("after the limit: expected at most commit \(acknowledged + 1), found commit \(report.commit)")
    }
    try database.close()
    for problem in try SQLiteHandle(path: imposed.path).integrityProblems() { fail("after the limit: \(problem)") }
  }
}
