internal import HarnessPrimitives
internal import ThreadingPrimitives
internal import YapEngine

/// One thread of a program: performs the operations, and checks each result.
// Used only by its thread.
final class ScheduleThread: @unchecked Sendable {
  private let world: ScheduleWorld
  private let number: UInt32
  private var random: RandomStream
  private var writing: ScheduleConnection?
  private var reading: ScheduleConnection?
  private let sharedWriter: LedgeredWriter
  private var opened: UInt32 = 0

  init(_ world: ScheduleWorld, _ index: Int, random: RandomStream) throws {
    self.world = world
    self.random = random
    number = UInt32(index + 1) * 1_000
    writing = try ScheduleConnection(named: "writer \(index)", number: number, world)
    reading = try ScheduleConnection(named: "reader \(index)", number: number + 1, world)
    sharedWriter = LedgeredWriter(world.shared, number: number + 2, shape: ScheduleWorld.shape)
  }

  /// Releases the connections, which ends them.
  func releaseConnections() {
    writing = nil
    reading = nil
  }

  /// Performs one operation.
  /// - Returns: false if the database is closed.
  /// - Throws: The first wrong result, or an unexpected error.
  func perform(_ operation: ScheduleProgram.Operation) throws -> Bool {
    guard let writing, let reading else { return false }
    ScheduledThread.reach("\(operation)")
    do {
      try perform(operation, writing: writing, reading: reading)
      world.count("operations")
      return true
    } catch let error as YapDatabaseError where error.code == .closed && world.isClosing {
      return false
    }
  }

  private func perform(
    _ operation: ScheduleProgram.Operation,
    writing: ScheduleConnection,
    reading: ScheduleConnection
  ) throws {
    switch operation {
    case .commit: try writing.commit(&random)
    case .rollback: try rollBack(on: writing)
    case .rollbackOnReader: try rollBack(on: reading)
    case .commitOnReader: try reading.commit(&random)
    case .commitAroundRead: try writing.commit(&random) { try reading.read(notBefore: 0) }
    case .read: try reading.read(notBefore: world.acknowledged)
    case .sharedCommit: world.acknowledge(try sharedWriter.commit(&random) { _ in ScheduledThread.reach("written") })
    case .sharedRead: try readShared(notBefore: world.acknowledged)
    case .commitAroundSharedRead:
      do { try writing.commit(&random) { try self.readShared(notBefore: 0) } } catch let error as YapDatabaseError
        where error.code == .deadlock
      {
        world.count("deadlocks resolved")
      }
    case .moveBookmark: try reading.moveBookmark()
    case .endBookmark: try reading.endBookmark()
    case .checkpoint(let mode): try checkpoint(mode)
    case .openConnection: try openConnection()
    case .flushMemory: reading.connection.flushMemory()
    case .close: try world.close()
    }
  }

  private func rollBack(on connection: ScheduleConnection) throws {
    do { try connection.commit(&random) { throw RolledBack() } } catch is RolledBack { world.count("rolled back") }
  }

  private func readShared(notBefore least: UInt64) throws {
    try world.shared.read { transaction in
      try world.check(transaction, notBefore: least)
      ScheduledThread.reach("reading")
      try world.check(transaction, notBefore: least)
    }
  }

  private func checkpoint(_ mode: YapDatabaseCheckpoint.Mode) throws {
    let made = try world.database.checkpoint(mode, timeout: .milliseconds(20))
    world.count("checkpoints")
    if made.isBesideCommits { world.count("checkpoints beside commits") }
    if made.outcome == .reset { world.count("resets of the WAL") }
  }

  private func openConnection() throws {
    opened += 1
    let number = number + 2 + opened
    let connection = try ScheduleConnection(named: "connection \(number)", number: number, world)
    ScheduledThread.reach("opened")
    if random.below(2) == 0 { try connection.read(notBefore: world.acknowledged) }
    try connection.moveBookmark()
    try connection.read(notBefore: 0)
    if random.below(2) == 0 { try connection.commit(&random) }
  }
}
