import TestSupport
import ThreadingPrimitives

@testable import YapEngine

/// A connection that opens, follows or closes, held at one of its steps while commits run and others open and close.
struct ConnectionInterleaving: Sendable, CustomStringConvertible {
  let point: TestPoint
  let commits: Int

  var description: String { "\(point), \(commits) commits" }

  static let points: [TestPoint] = [
    .connectionOpened, .connectionPlaced, .connectionListed, .connectionEnding, .connectionUnpinned, .commitFollowed,
    .sweepBegun,
  ]

  static let all = points.flatMap { point in [1, 2, 5].map { ConnectionInterleaving(point: point, commits: $0) } }

  /// - Returns: The first violation.
  func play() -> Discrepancy? {
    Discrepancy.first {
      let script = PointScript()
      try withDatabase(script.options) { database in
        let play = try ConnectionPlay(database: database, script: script)
        try play.hold(at: point, during: commits)
        try script.finish()
        try play.checkAftermath()
      }
    }
  }
}

/// The actors. The held connection is called "subject".
private final class ConnectionPlay: Sendable {
  private struct WeakCommit: Sendable {
    weak let commit: Commit?
  }

  private let database: YapDatabase
  private let script: PointScript
  private let writer: YapDatabaseConnection
  private let bystander: YapDatabaseConnection
  private let kept = SharedList<YapDatabaseConnection>()
  private let leaver: Guarded<YapDatabaseConnection?>
  private let commits = SharedList<WeakCommit>()
  private let isDone = SharedList<Bool>()

  init(database: YapDatabase, script: PointScript) throws {
    self.database = database
    self.script = script
    writer = try database.newConnection(name: "writer")
    bystander = try database.newConnection(name: "bystander")
    leaver = Guarded(try database.newConnection(name: "leaver"))
    for _ in 0..<3 { try commit() }
    try bystander.read { try NumberedState.check($0) }
  }

  private func commit() throws {
    try writer.readWrite { try NumberedState.write($0) }
    commits.append(WeakCommit(commit: database.registry.withLock { $0.newest }))
  }

  private func check(_ connection: YapDatabaseConnection) throws {
    try connection.read { transaction in
      try Discrepancy.check(transaction.snapshot, database.snapshot, "snapshot of \(connection.name)")
      try NumberedState.check(transaction)
    }
  }

  //  the thread of "subject"             the same thread, for others
  //  ──────────────────────────────────  ──────────────────────────────────
  //  reaches the point
  //                                      commits, once or several times
  //                                      one connection opens and closes, one
  //                                      opens, one closes
  //  continues
  func hold(at point: TestPoint, during count: Int) throws {
    script.at(point, of: "subject") { [self] in
      defer { isDone.append(true) }
      for _ in 0..<count { try commit() }
      try check(try database.newConnection(name: "passer-by"))
      let newcomer = try database.newConnection(name: "newcomer")
      kept.append(newcomer)
      if count > 1 { try check(newcomer) }
      let gone = leaver.withLock { leaver in
        defer { leaver = nil }
        return leaver
      }
      try gone?.beginLongLivedReadTransaction()
    }
    switch point {
    case .connectionOpened, .connectionPlaced, .connectionListed: try begin(point, count)
    case .connectionEnding, .connectionUnpinned: try end()
    case .commitFollowed: try follow()
    default: try stayIdle()
    }
    guard eventually({ !isDone.all.isEmpty }) else { throw Discrepancy("the point was not reached") }
  }

  private func begin(_ point: TestPoint, _ count: Int) throws {
    let before = database.snapshot
    let subject = try database.newConnection(name: "subject")
    // A sweep may already have moved a registered connection to the newest commit.
    let stands = subject.snapshot
    if point == .connectionOpened { try Discrepancy.check(stands, before + UInt64(count), "where it stands") }
    if point == .connectionPlaced { try Discrepancy.check(stands, before, "where it stands") }
    kept.append(subject)
    let told = try subject.beginLongLivedReadTransaction().map(\.snapshot)
    // A connection that is at no commit yet begins after the commits made meanwhile.
    let last = (point == .connectionOpened ? stands : before)..<database.snapshot
    try Discrepancy.check(told, last.map { $0 + 1 }, "the commits that the first jump returned")
    try check(subject)
    try subject.endLongLivedReadTransaction()
  }

  private func end() throws {
    let subject = try database.newConnection(name: "subject")
    try subject.beginLongLivedReadTransaction()
    try commit()
    try subject.read { try NumberedState.check($0) }
  }

  /// Lets the subject follow three commits in its next read or in a sweep.
  private func follow() throws {
    let subject = try database.newConnection(name: "subject")
    try check(subject)
    for _ in 0..<3 { try commit() }
    let least = database.snapshot
    try subject.read { transaction in
      guard transaction.snapshot >= least else { throw Discrepancy("read \(transaction.snapshot), not \(least)") }
      try NumberedState.check(transaction)
    }
    kept.append(subject)
  }

  private func stayIdle() throws {
    let subject = try database.newConnection(name: "subject")
    try check(subject)
    for _ in 0..<3 { try commit() }
    kept.append(subject)
    guard eventually({ !isDone.all.isEmpty }) else { throw Discrepancy("no sweep came") }
    try check(subject)
  }

  /// Checks that all connections follow without a gap, and that the commits, the closed connections and their snapshots
  /// are released.
  func checkAftermath() throws {
    for _ in 0..<2 {
      try commit()
      for connection in [writer, bystander] + kept.all { try check(connection) }
    }
    guard eventually({ commits.all.dropLast().allSatisfy { $0.commit == nil } }) else {
      throw Discrepancy("commits are kept: \(commits.all.compactMap { $0.commit?.snapshot })")
    }
    let names = (["writer", "bystander"] + kept.all.map(\.name)).sorted()
    try Discrepancy.check(database.statistics.connections.map(\.name).sorted(), names, "connections")
    guard eventually({ database.statistics.walBacklogFrames == 0 }) else {
      throw Discrepancy("a snapshot is held by nobody: \(database.statistics)")
    }
  }
}
