import BenchResults
import BenchScenario
import Foundation
import ThreadingPrimitives

@testable import BenchDrivers

/// A mistake of an engine that tests plant between a driver and the runner, to prove that an invariant finds it.
enum Falsification: String, CaseIterable, Sendable {
  /// Some gets return the value of another key.
  case answersWithAnotherKey
  /// Reads return values that other connections have changed since. A tenth of the keys is read correctly.
  case forgetsToDropChangedValues
  /// A rolled-back transaction's values are still read on its connection.
  case keepsRolledBackValues
  /// Documents of equal content are the same instance on all connections.
  case decodesOnceForAll
  /// Other connections get the instance that the writer has stored.
  case copyHandsOutTheOriginal
  /// A bookmark keeps its number, but its reads are of the newest snapshot.
  case losesTheBookmark
  /// Some reads report an older snapshot than the connection's last.
  case goesBackInTime
  /// A jump over several commits omits one.
  case skipsANotification
  /// A jump returns a commit twice.
  case repeatsANotification
  /// Every reader sees views as of the newest commit.
  case showsTheNewestView
  /// Views that are registered while connections are open are never seen.
  case missesLateViews
  /// Frames that only one connection keeps from being copied are reported for every connection.
  case countsHeldFramesTwice
  /// A checkpoint under the write lane is reported as one beside commits.
  case forgetsTheHeldLane
  /// Commits that a crash has left in the WAL are lost when the database is opened again.
  case opensWithoutTheWAL
  /// Some rows that are new are not stored.
  case losesInserts
  /// Readers get the values of new rows before their snapshots contain them.
  case showsInsertsEarly
  /// Some entries of the ledger are not stored.
  case losesLedgerEntries
  /// Some read-write transactions do not read the previous commit.
  case writesOnAnOldSnapshot
  /// Some jumps report a commit without one of its keys.
  case forgetsAChangedKey
  /// Some collections are reported as cleared although they are not.
  case reportsClearings
  /// The connection that has pinned the oldest snapshot is not named.
  case hidesThePinningConnection
  /// The WAL never becomes short.
  case keepsTheWALLong
}

/// A driver's database with one mistake between it and the runner.
final class FalsifyingDatabase: RestartingEngine {
  let falsification: Falsification
  private let database: any DriverDatabase
  private let path: String
  /// The collections of views, by the views' names.
  let collections: [String: String]
  /// The documents that connections share, by row or by content.
  let documents = Guarded<[[UInt8]: Document]>([:])
  /// The first values of rows that were not loaded.
  let inserted = Guarded<[FalsifyingConnection.Row: [UInt8]]>([:])

  init(_ database: any DriverDatabase, _ falsification: Falsification, path: String, views: [ViewSettings] = []) {
    self.database = database
    self.falsification = falsification
    self.path = path
    collections = Dictionary(uniqueKeysWithValues: views.map { ($0.name, $0.collection) })
  }

  func connect(_ settings: ConnectionSettings) throws -> any DriverConnection {
    let isDoubled = falsification == .showsTheNewestView
    let newest = isDoubled ? try database.connect(.plain(settings.name + ", newest")) : nil
    return FalsifyingConnection(try database.connect(settings), of: self, newest: newest)
  }

  func observe() -> EngineSample? {
    guard var state = database.observe() else { return nil }
    if falsification == .countsHeldFramesTwice {
      let held = state.connections.map(\.framesHeldAlone).max() ?? 0
      for index in state.connections.indices { state.connections[index].framesHeldAlone = held }
    }
    if falsification == .hidesThePinningConnection { state.wal?.pinnedBy = nil }
    if falsification == .keepsTheWALLong { state.wal?.frames += 1_000_000 }
    return state
  }

  func checkpoints(after number: Int) -> [CheckpointResult] { database.checkpoints(after: number).map(falsified) }

  func checkpoint(_ mode: CheckpointModeSetting) throws -> CheckpointResult { falsified(try database.checkpoint(mode)) }

  private func falsified(_ checkpoint: CheckpointResult) -> CheckpointResult {
    var checkpoint = checkpoint
    if falsification == .forgetsTheHeldLane {
      checkpoint.mode = "guarded"
      checkpoint.laneNanoseconds = 0
    }
    return checkpoint
  }

  // MARK: Restarts

  var restarting: (any RestartingEngine)? { database.restarting == nil ? nil : self }

  var processIdentifier: Int32? { database.restarting?.processIdentifier }

  func kill() { database.restarting?.kill() }

  func reopen() throws -> EngineRecovery {
    guard let engine = database.restarting else { preconditionFailure("the engine cannot be restarted") }
    if falsification == .opensWithoutTheWAL {
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    return try engine.reopen()
  }

  func roundTripNanoseconds() -> UInt64 { database.restarting?.roundTripNanoseconds() ?? 0 }

  // MARK: Correct answers

  var commit: UInt64 { database.commit }
  var keepsData: Bool { database.keepsData }
  var pageSize: Int { database.pageSize }
  var configuration: EngineConfiguration { database.configuration }
  func vacuum() throws { try database.vacuum() }
  func onCommit(_ handler: @escaping @Sendable (CommitNotification) -> Void) { database.onCommit(handler) }
  func isDamage(_ error: any Error) -> Bool { database.isDamage(error) }
  func isDeadlock(_ error: any Error) -> Bool { database.isDeadlock(error) }
  func register(_ view: ViewSettings) throws { try database.register(view) }
  func close() throws { try database.close() }
}
