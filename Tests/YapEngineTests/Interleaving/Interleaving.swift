import TestSupport
import ThreadingPrimitives

@testable import YapEngine

/// One interleaving of a reader and a writer.
struct Interleaving: Sendable, CustomStringConvertible {
  /// The actor that is held at its point while the others run.
  enum Held: Sendable {
    /// The reader, while a number of commits run completely.
    case reader(TestPoint, commits: Int)
    /// The writer, while readers run completely.
    case writer(TestPoint)
    /// One of two writers in a joint commit, while readers run completely.
    case jointWriter(TestPoint)
    /// The writer, while a reader is held at its own point and another reader runs completely.
    case both(writer: TestPoint, reader: TestPoint)
  }

  enum Reading: String, CaseIterable, Sendable {
    case fresh, warm, longLivedBegin, longLivedMove
    /// A read with a kept snapshot, which passes none of a reader's points.
    case kept
  }

  let held: Held
  let reading: Reading

  var description: String { "\(held), \(reading.rawValue)" }

  static let readerPoints: [TestPoint] = [.readBegun, .readPinned, .readRegistered]
  static let writerPoints: [TestPoint] = [.commitNumbered, .commitAnnounced, .commitWritten, .commitRegistered]

  static let all: [Interleaving] = Reading.allCases.flatMap { reading in
    let heldReaders = readerPoints.flatMap { point in [1, 2, 5].map { Held.reader(point, commits: $0) } }
    let heldWriters = writerPoints.map { Held.writer($0) }
    let heldJoint = (writerPoints + [.transactionJoined]).map { Held.jointWriter($0) }
    let heldBoth = writerPoints.flatMap { writer in readerPoints.map { Held.both(writer: writer, reader: $0) } }
    if reading == .kept { return (heldWriters + heldJoint).map { Interleaving(held: $0, reading: .kept) } }
    return (heldReaders + heldWriters + heldJoint + heldBoth).map { Interleaving(held: $0, reading: reading) }
  }

  /// - Returns: The first violation.
  func play(_ falsifications: Set<Falsification> = []) -> Discrepancy? {
    Discrepancy.first {
      let script = PointScript()
      var options = script.options
      if case .jointWriter = held { options.joinAlways() }
      try withDatabase(options) { database in
        if case .jointWriter = held { try database.waitForOpeningCheckpoint() }
        let play = try Play(database: database, script: script, reading: reading, answers: Answers(falsifications))
        try play.prepare()
        switch held {
        case .reader(let point, let commits): try play.hold(readerAt: point, during: commits)
        case .writer(let point): try play.hold(writerAt: point, readerAt: nil)
        case .jointWriter(let point): try play.hold(jointWriterAt: point)
        case .both(let writer, let reader): try play.hold(writerAt: writer, readerAt: reader)
        }
        try script.finish()
        try play.checkAftermath()
      }
    }
  }
}

/// The actors of an interleaving.
private final class Play: Sendable {
  private let script: PointScript
  private let reading: Interleaving.Reading
  private let answers: Answers
  private let writer: YapDatabaseConnection
  private let reader: YapDatabaseConnection
  private let bystander: YapDatabaseConnection
  /// Writes after the writer, and commits both.
  private let second: YapDatabaseConnection
  private let database: YapDatabase
  /// Connections that were opened while other actors were held.
  private let newcomers = SharedList<YapDatabaseConnection>()

  init(database: YapDatabase, script: PointScript, reading: Interleaving.Reading, answers: Answers) throws {
    self.database = database
    self.script = script
    self.reading = reading
    self.answers = answers
    writer = try database.newConnection(name: "writer")
    reader = try database.newConnection(name: "reader")
    bystander = try database.newConnection(name: "bystander")
    second = try database.newConnection(name: "second")
  }

  func prepare() throws {
    for _ in 0..<3 { try commit() }
    switch reading {
    case .fresh: break
    case .warm: try reader.read { try NumberedState.check($0) }
    case .longLivedBegin, .kept: try reader.read { try NumberedState.check($0) }
    case .longLivedMove:
      try reader.beginLongLivedReadTransaction()
      try reader.read { try NumberedState.check($0) }
      for _ in 0..<2 { try commit() }
    }
    try bystander.read { try NumberedState.check($0) }
    letGo(bystander)
    if reading != .kept { letGo(reader) }
  }

  /// Unpins the kept snapshot, so that the next read takes a new one.
  private func letGo(_ connection: YapDatabaseConnection) {
    connection.lane.withLane { connection.pin.releaseKept() }
  }

  func commit() throws { try writer.readWrite { try NumberedState.write($0) } }

  //  reader                              writer
  //  ──────────────────────────────────  ──────────────────────────────────
  //  reaches the point
  //                                      commits, once or several times
  //  continues, must see one snapshot
  func hold(readerAt point: TestPoint, during commits: Int) throws {
    let before = database.snapshot
    script.at(point, of: "reader") { [self] in
      for _ in 0..<commits { try commit() }
      try bystander.read { try NumberedState.check($0) }
      try admitNewcomer(expecting: before + UInt64(commits))
    }
    // SQLite takes its snapshot after the first point and before the others.
    let expected = point == .readBegun ? before + UInt64(commits) : before
    try readOnce(expecting: expected)
  }

  //  writer                              reader (and another)
  //  ──────────────────────────────────  ──────────────────────────────────
  //  reaches the point
  //                                      reads completely, or reaches its point
  //                                             … and the other reads completely
  //                                      continues
  //  continues
  func hold(writerAt point: TestPoint, readerAt readerPoint: TestPoint?) throws {
    let before = database.snapshot
    let isOnDisk = point == .commitWritten || point == .commitRegistered
    let expected = isOnDisk ? before + 1 : before
    script.at(point, of: "writer") { [self] in
      if let readerPoint {
        script.at(readerPoint, of: "reader") { [self] in
          try check(bystander, expecting: expected)
          try admitNewcomer(expecting: expected)
        }
      }
      try readEverything(expecting: expected, insteadOf: before, isRegistered: point == .commitRegistered)
    }
    try commit()
  }

  //  writer          second              reader (and another)
  //  ──────────────  ──────────────────  ──────────────────────────────────
  //  ends its block, waits
  //                  ends its block, and commits both
  //                                      reads completely, at a point of either
  func hold(jointWriterAt point: TestPoint) throws {
    let before = database.snapshot
    let isOnDisk = point == .commitWritten || point == .commitRegistered
    script.at(point, of: point == .transactionJoined ? "writer" : "second") { [self] in
      try readEverything(
        expecting: isOnDisk ? before + 2 : before,
        insteadOf: before,
        isRegistered: point == .commitRegistered
      )
    }
    let outcomes = writeTogether([writer, second].map { Writing($0) { try NumberedState.write($0) } })
    try Discrepancy.check(outcomes.map(\.number), [before + 1, before + 2], "commits")
    // A sweep may have moved it further.
    try Discrepancy.check(writer.snapshot > before, true, "whether the first writer has reached its commit")
  }

  private func readEverything(expecting expected: UInt64, insteadOf before: UInt64, isRegistered: Bool) throws {
    // A kept snapshot may lack a commit that was not acknowledged and that no connection has seen.
    try readOnce(expecting: reading == .kept && !isRegistered ? before : expected)
    try check(bystander, expecting: expected)
    try admitNewcomer(expecting: expected)
    if reading == .kept { try readOnce(expecting: expected) }
  }

  /// Opens a connection that stays and one that is released at once.
  private func admitNewcomer(expecting snapshot: UInt64) throws {
    try check(try database.newConnection(name: "passer-by"), expecting: snapshot)
    let newcomer = try database.newConnection(name: "newcomer")
    newcomers.append(newcomer)
    if newcomers.all.count % 2 == 0 { try check(newcomer, expecting: snapshot) }
  }

  private func check(_ connection: YapDatabaseConnection, expecting snapshot: UInt64) throws {
    try connection.read { transaction in
      try Discrepancy.check(answers.snapshot(transaction.snapshot), snapshot, "snapshot of \(connection.name)")
      try NumberedState.check(transaction)
    }
  }

  private func readOnce(expecting snapshot: UInt64) throws {
    switch reading {
    case .fresh, .warm, .kept: try check(reader, expecting: snapshot)
    case .longLivedBegin, .longLivedMove:
      let told = reader.snapshot
      let jumped = answers.jumped(try reader.beginLongLivedReadTransaction()).map(\.snapshot)
      // Before the first bookmark a sweep may have absorbed some of the commits.
      let count = reading == .longLivedMove ? snapshot - told : UInt64(jumped.count)
      try Discrepancy.check(jumped, Array(((snapshot - count)..<snapshot).map { $0 + 1 }), "commits told by a jump")
      try check(reader, expecting: snapshot)
    }
  }

  /// Checks that all connections and their caches reach the newest snapshot.
  func checkAftermath() throws {
    for _ in 0..<2 {
      if reader.isInLongLivedReadTransaction {
        let told = reader.snapshot
        let newest = database.snapshot
        let jumped = answers.jumped(try reader.beginLongLivedReadTransaction())
        let expected = Array((told..<newest).map { $0 + 1 })
        try Discrepancy.check(jumped.map(\.snapshot), expected, "commits told by a later jump")
        try Discrepancy.check(
          jumped.map { $0.customObject as? UInt64 },
          expected.map { $0 },
          "custom objects of the commits"
        )
      }
      for connection in [reader, bystander, writer, second] + newcomers.all {
        try check(connection, expecting: database.snapshot)
      }
      try commit()
    }
  }
}
