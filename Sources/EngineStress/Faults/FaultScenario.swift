internal import YapEngine

/// Sequences of calls of the engine during which calls of the VFS fail.
package enum FaultScenario: String, CaseIterable, Sendable {
  case newFile, existingFile, leftoverWAL, commits, rolledBack, jointCommit, bookmark, newConnections
  case passiveCheckpoint, fullCheckpoint, restartCheckpoint, truncateCheckpoint, reset
  case vacuum, incrementalVacuum, closing, registerView, viewUpkeep, backup

  /// The database that exists before; nil for none.
  var base: DamageStore.Shape? {
    switch self {
    case .newFile, .incrementalVacuum: nil
    case .leftoverWAL: .allInWAL
    default: .closed
    }
  }

  /// Whether the database is opened, and its rows are read, before the first fault.
  var isOpenBefore: Bool { ![.newFile, .existingFile, .leftoverWAL].contains(self) }

  /// Whether a view is registered before the first fault.
  var hasView: Bool { self == .viewUpkeep }

  func change(_ options: inout YapDatabaseOptions) {
    options.synchronous = .full
    if self == .incrementalVacuum { options.autoVacuum = .incremental }
    if self == .jointCommit { options.testHooks.joinsAlways = true }
    if self == .reset {
      options.aggressiveCheckpointAt = 64 << 10
      options.checkpointing = .automatic
    }
  }

  /// Makes the calls under the fault.
  func act(in session: FaultSession) {
    switch self {
    case .newFile, .existingFile, .leftoverWAL:
      session.open()
      session.read()
      session.commit(2)
      session.close()
    case .commits, .viewUpkeep: session.commit(4)
    case .rolledBack:
      session.rollBack()
      session.commit(1)
      session.rollBack()
    case .jointCommit: session.commitConcurrently()
    case .bookmark:
      session.moveBookmark()
      session.commit(2)
      session.read()
      session.moveBookmark()
    case .newConnections:
      for _ in 0..<4 { session.connect() }
      session.read()
    case .passiveCheckpoint: session.checkpoint(.passive)
    case .fullCheckpoint: session.checkpoint(.full)
    case .restartCheckpoint: session.checkpoint(.restart)
    case .truncateCheckpoint: session.checkpoint(.truncate)
    case .reset: session.commit(12)
    case .vacuum: session.vacuum { try $0.vacuum() }
    case .incrementalVacuum: session.vacuum { try $0.incrementalVacuum() }
    case .closing: session.close()
    case .registerView:
      session.register()
      session.commit(1)
    case .backup: session.backUp()
    }
  }
}
