#if TestPoints
  internal import ThreadingPrimitives

  /// Decoded instances by their bytes. The planted bug is that all connections of a database share them.
  final class DecodedOnce: Sendable {
    // Instances are passed on under a lock and never inspected.
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
    /// Returns the attempt with facts omitted or changed, as the planted bugs require.
    func mistaken(_ hooks: TestHooks) -> CheckpointAttempt {
      var told = self
      if hooks.has(.forgetsOverlappingCommits) { told.entry.overlappingCommits = 0 }
      if hooks.has(.forgetsStalledWriters) { told.entry.stalledWriters = 0 }
      if hooks.has(.forgetsTheHeldLane) { told.entry.laneNanoseconds = 0 }
      if hooks.has(.tellsAFreeLaneAsHeld) { told.entry.laneNanoseconds = max(told.entry.durationNanoseconds, 1) }
      return told
    }
  }

  extension YapDatabaseConnection {
    /// Publishes a rolled-back transaction's changes of views to this connection.
    func keepRolledBackViews(_ transaction: YapDatabaseReadWriteTransaction) {
      guard let upkeep = transaction.upkeep, let snapshot = adopted?.snapshot else { return }
      adopted = AdoptedExtensions(snapshot: snapshot, states: upkeep.states)
    }

    /// On every 40th call, returns the object of the previous call.
    func mistaken(_ object: Any) -> Any {
      defer { lastAnswer = object }
      answerCount += 1
      return answerCount % 40 == 0 ? lastAnswer ?? object : object
    }
  }
#endif
