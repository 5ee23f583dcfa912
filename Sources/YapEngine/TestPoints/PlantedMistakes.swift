#if TestPoints
  internal import ThreadingPrimitives

  /// What was decoded, by its bytes: shared by all connections of a database, which is the mistake.
  final class DecodedOnce: Sendable {
    // Instances are handed on with a lock held, and never looked into.
    private struct Instances: @unchecked Sendable {
      var byBytes: [[UInt8]: Any] = [:]
    }

    private let instances = Guarded(Instances())

    func instance(of bytes: UnsafeRawBufferPointer, _ decode: () throws -> Any) rethrows -> Any {
      let key = [UInt8](bytes)
      if let known = instances.withLock({ $0.byBytes[key] }) { return known }
      let made = Instances(byBytes: [key: try decode()])
      instances.withLock { $0.byBytes.merge(made.byBytes) { first, _ in first } }
      return made.byBytes[key] ?? 0
    }
  }

  extension CheckpointAttempt {
    /// What a ledger is told that leaves something out.
    func mistaken(_ hooks: TestHooks) -> CheckpointAttempt {
      var told = self
      if hooks.has(.forgetsOverlappingCommits) { told.overlappingCommits = 0 }
      if hooks.has(.forgetsStalledWriters) { told.stalledWriters = 0 }
      if hooks.has(.forgetsTheHeldLane) { told.holdsLane = false }
      if hooks.has(.tellsAFreeLaneAsHeld) { told.holdsLane = true }
      return told
    }
  }

  extension YapDatabaseConnection {
    /// What the transaction did to views becomes what this connection sees.
    func keepRolledBackViews(_ transaction: YapDatabaseReadWriteTransaction) {
      guard let upkeep = transaction.upkeep, let snapshot = adopted?.snapshot else { return }
      adopted = AdoptedExtensions(snapshot: snapshot, states: upkeep.states)
    }

    /// Every 40th call returns what the call before was given.
    func mistaken(_ object: Any) -> Any {
      defer { lastAnswer = object }
      answerCount += 1
      return answerCount % 40 == 0 ? lastAnswer ?? object : object
    }
  }
#endif
