import Foundation
import SQLiteBinding
import TestSupport
import ThreadingPrimitives

@testable import YapEngine

/// Closing the database at every step of a read, a commit, a checkpoint and a new connection.
struct CloseInterleaving: Sendable, CustomStringConvertible {
  let point: TestPoint

  var description: String { point.rawValue }

  static let connectionPoints: [TestPoint] = [
    .connectionOpened, .connectionPlaced, .connectionListed, .connectionEnding, .connectionUnpinned,
  ]
  static let closePoints: [TestPoint] = [.closeBegun, .closeConnectionsEnded, .closeWriterEnded]

  static let all =
    (Interleaving.readerPoints + [.commitFollowed] + Interleaving.writerPoints
    + CheckpointInterleaving.checkpointerPoints + [.sweepBegun] + connectionPoints + closePoints)
    .map { CloseInterleaving(point: $0) }

  /// - Returns: The first violation.
  func play() -> Discrepancy? {
    Discrepancy.first {
      try withTemporaryFolder { folder in
        let path = folder + "/test.sqlite"
        let script = PointScript()
        var options = script.options
        options.testHooks.checkpointsAlways = CheckpointInterleaving.checkpointerPoints.contains(point)
        options.aggressiveCheckpointAt = 16 << 10
        let play = try ClosePlay(database: YapDatabase(path: path, options: options), script: script)
        try play.perform(at: point)
        try script.finish()
        try Self.checkFile(path, holds: play.committed)
      }
    }
  }

  /// Checks that acknowledged commits are in the file, and that no other file is left.
  private static func checkFile(_ path: String, holds newest: UInt64) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try Discrepancy.check(FileManager.default.contentsOfDirectory(atPath: folder), ["test.sqlite"], "files")
    let database = try YapDatabase(path: path, options: .quick)
    try Discrepancy.check(database.snapshot, newest, "commit in the file")
    try database.newConnection().read { try NumberedState.check($0) }
    try database.close()
  }
}

private final class ClosePlay: Sendable {
  private let database: YapDatabase
  private let script: PointScript
  private let reader: YapDatabaseConnection
  private let writer: YapDatabaseConnection
  private let acknowledged: Guarded<UInt64>
  private let closings = SharedList<YapDatabaseError?>()
  private let thread = Guarded<WorkerThread?>(nil)
  private let queued = Guarded(0)
  private let isDone = SharedList<Bool>()
  /// The calls that were queued before the close and have run.
  private let drained = SharedList<Bool>()

  /// The newest acknowledged commit.
  var committed: UInt64 { acknowledged.withLock { $0 } }

  init(database: YapDatabase, script: PointScript) throws {
    self.database = database
    self.script = script
    reader = try database.newConnection(name: "reader")
    writer = try database.newConnection(name: "writer")
    acknowledged = Guarded(0)
    for _ in 0..<3 { try commit() }
  }

  private func commit() throws {
    let number = try writer.readWrite { transaction in
      try NumberedState.write(transaction)
      return transaction.snapshot
    }
    acknowledged.withLock { $0 = max($0, number) }
  }

  /// Queues calls on the connection, which is in a transaction.
  private func queueCalls(_ count: Int, isReader: Bool) {
    queued.withLock { $0 += count }
    for _ in 0..<count {
      if isReader {
        reader.asyncRead { [drained] _ in drained.append(true) }
      } else {
        writer.asyncReadWrite { [self] transaction in
          try NumberedState.write(transaction)
          let number = transaction.snapshot
          acknowledged.withLock { $0 = max($0, number) }
          drained.append(true)
        }
      }
    }
  }

  /// Closes on a thread of its own. The timeout allows for a sweep or a checkpoint that holds a lane for a moment.
  private func startClosing(timeout: Duration = .milliseconds(500)) throws {
    let closing = try WorkerThread(name: "closing") { [self] in
      closings.append(failure { try database.close(timeout: timeout) })
    }
    thread.withLock { $0 = closing }
    guard eventually({ code { try database.checkIsOpen() } == .closed }) else { throw Discrepancy("it stays open") }
  }

  /// Waits for the closing thread, unless another call has.
  private func join() {
    let closing = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    closing?.join()
  }

  func perform(at point: TestPoint) throws {
    switch point {
    case .commitFollowed, .readBegun, .readPinned, .readRegistered: try closeInside(point)
    case .commitNumbered, .commitAnnounced, .commitWritten, .commitRegistered: try closeInside(point)
    case .connectionOpened, .connectionPlaced, .connectionListed: try closeBesideNewConnection(point)
    case .connectionEnding, .connectionUnpinned: try closeBesideEndingConnection(point)
    case .closeBegun, .closeConnectionsEnded, .closeWriterEnded: try callBesideClose(point)
    default: try closeBesideCheckpointer(point)
    }
    join()
    // The calls for which the first close did not wait have ended.
    try database.close()
    try Discrepancy.check(drained.all.count, queued.withLock { $0 }, "calls that were queued before the close")
    try Discrepancy.check(code { try reader.read { _ in } }, .closed, "a read of a closed database")
  }

  //  reader or writer                    closing thread
  //  ──────────────────────────────────  ──────────────────────────────────
  //  reaches the point, queues two calls
  //                                      close: times out, names the caller
  //  continues, and ends as without it,
  //  and so do the queued calls
  private func closeInside(_ point: TestPoint) throws {
    let isReader = !Interleaving.writerPoints.contains(point)
    if point == .commitFollowed {
      // A sweep does not make a bookmark follow, so the connection follows itself.
      try reader.beginLongLivedReadTransaction()
      for _ in 0..<2 { try commit() }
    }
    script.at(point, of: isReader ? "reader" : "writer") { [self] in
      queueCalls(2, isReader: isReader)
      try startClosing()
      join()
    }
    if point == .commitFollowed {
      let told = try reader.beginLongLivedReadTransaction().map(\.snapshot)
      try Discrepancy.check(told, [4, 5], "commits told by a jump")
    } else if isReader {
      try reader.read { transaction in
        try Discrepancy.check(transaction.snapshot, database.snapshot, "snapshot of the read")
        try NumberedState.check(transaction)
      }
    } else {
      try commit()
    }
    try Discrepancy.check(closings.all.map { $0?.code }, [.timeout], "what the close that did not wait said")
    let message = closings.all.first??.message ?? ""
    if !message.contains(isReader ? "\"reader\" (3 pending" : "\"writer\" (3 pending") { throw Discrepancy(message) }
    try Discrepancy.check(code { try commit() }, .closed, "a commit after a close")
  }

  //  a thread                            closing thread
  //  ──────────────────────────────────  ──────────────────────────────────
  //  opens a connection, and reaches
  //  the point
  //                                      close: times out, or closes the
  //                                      connection if it is listed
  //  fails as closed
  private func closeBesideNewConnection(_ point: TestPoint) throws {
    let isListed = point == .connectionListed
    close(at: point, of: "newcomer", timeout: isListed ? .seconds(10) : .milliseconds(50))
    try Discrepancy.check(code { _ = try database.newConnection(name: "newcomer") }, .closed, "the connection")
    let expected: YapDatabaseError.Code? = isListed ? nil : .timeout
    try Discrepancy.check(closings.all.map { $0?.code }, [expected], "what the close said")
  }

  //  a thread                            closing thread
  //  ──────────────────────────────────  ──────────────────────────────────
  //  releases a connection, and reaches
  //  the point
  //                                      close: times out
  //  continues
  private func closeBesideEndingConnection(_ point: TestPoint) throws {
    close(at: point, of: "leaver", timeout: .milliseconds(50))
    try database.newConnection(name: "leaver").read { try NumberedState.check($0) }
    guard eventually({ !closings.all.isEmpty }) else { throw Discrepancy("the point was not reached") }
    try Discrepancy.check(closings.all.map { $0?.code }, [.timeout], "what the close said")
  }

  /// Closes at the point. The connection goes on when the call has returned.
  private func close(at point: TestPoint, of connection: String, timeout: Duration) {
    script.at(point, of: connection) { [self] in
      try startClosing(timeout: timeout)
      join()
    }
  }

  //  checkpointer                        closing thread
  //  ──────────────────────────────────  ──────────────────────────────────
  //  reaches the point
  //                                      close: waits for it, or times out
  //  continues
  private func closeBesideCheckpointer(_ point: TestPoint) throws {
    script.at(point, of: point == .sweepBegun ? "reader" : "checkpointer") { [self] in
      defer { isDone.append(true) }
      try startClosing()
    }
    // A commit after the close fails as closed, and is not in the file.
    _ = eventually {
      let told = code { try commit() }
      return told == .closed && !isDone.all.isEmpty
    }
    guard !isDone.all.isEmpty else { throw Discrepancy("the point was not reached") }
  }

  //  closing thread                      the same thread, for others
  //  ──────────────────────────────────  ──────────────────────────────────
  //  reaches the point
  //                                      every call fails as closed;
  //                                      a second close succeeds
  //  continues
  private func callBesideClose(_ point: TestPoint) throws {
    script.at(point, of: database.path) { [self] in
      let calls: [(String, () throws -> Void)] = [
        ("read", { try self.reader.read { _ in } }),
        ("readWrite", { try self.writer.readWrite { _ in } }),
        ("begin", { try self.reader.beginLongLivedReadTransaction() }),
        ("newConnection", { _ = try self.database.newConnection() }),
      ]
      for (name, call) in calls { try Discrepancy.check(code(call), .closed, name) }
      try database.close()
    }
    try database.close()
  }
}
