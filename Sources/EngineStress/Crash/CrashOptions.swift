internal import Glibc
internal import HarnessPrimitives
internal import Synchronization
internal import ThreadingPrimitives
internal import YapEngine

/// Chooses the options of the database for one life: small limits, so that checkpoints and resets are frequent.
struct CrashOptions {
  private static let longestPause = 300_000
  let order: CrashOrder
  /// Raised once the database is checked. From then on, commits may fail.
  let mayFail = StopFlag()

  func options(_ random: inout RandomStream) -> YapDatabaseOptions {
    var options = LedgeredDatabase.options(synchronous: order.synchronous)
    let pageSizes = [nil, 512, 4_096, 16_384] as [Int?]
    options.pageSize = pageSizes[random.below(pageSizes.count)]
    options.autoVacuum = [.none, .full, .incremental][random.below(3)]
    options.journalSizeLimit = [nil, 0, 64 << 10][random.below(3)]
    options.aggressiveCheckpointAt = [16 << 10, 64 << 10, 4 << 20][random.below(3)]
    options.checkpointing = [.automatic, .every(nanoseconds: 500_000), .every(nanoseconds: .max)][random.below(3)]
    options.jointCommitLimit = [1, 4, 64][random.below(3)]
    options.usesEngineVFS = random.below(4) > 0
    addHooks(to: &options, &random)
    return options
  }

  private func addHooks(to options: inout YapDatabaseOptions, _ random: inout RandomStream) {
    options.testHooks.joinsAlways = random.below(3) == 0
    options.testHooks.checkpointsAlways = random.below(3) == 0
    if let kill = order.kill { prepare(&options, for: kill.point) }
    let kill = order.kill.map { PointKiller($0) }
    let pauses = order.pauses ? PointPauses(seed: random.next(), longest: Self.longestPause) : nil
    options.testHooks.onReach = { point, _ in
      if point == .transactionJoined { CrashReporter.send(.joined) }
      kill?.reach(point)
      pauses?.take()
    }
    if order.fails {
      let failures = PointPauses(seed: random.next(), longest: 0)
      options.testHooks.commitFailure = { [mayFail] in
        mayFail.isRaised && failures.isChosen(oneIn: 16) ? CrashFailure() : nil
      }
    }
  }

  /// Changes the options so that the point is reached more often.
  private func prepare(_ options: inout YapDatabaseOptions, for point: TestPoint) {
    switch point {
    case .transactionJoined:
      options.testHooks.joinsAlways = true
      options.jointCommitLimit = 64
    case .checkpointBegun, .checkpointGuarded, .checkpointInside:
      options.checkpointing = .automatic
      options.testHooks.checkpointsAlways = true
    case .resetBegun:
      options.checkpointing = .automatic
      options.aggressiveCheckpointAt = 16 << 10
    default: break
    }
  }
}

/// The error of a commit that a crash test lets fail.
struct CrashFailure: Error {}

/// Kills this process when a named point is reached for the n-th time.
private final class PointKiller: Sendable {
  private let order: CrashOrder.PointKill
  private let reached = Atomic<Int>(0)

  init(_ order: CrashOrder.PointKill) { self.order = order }

  func reach(_ point: TestPoint) {
    guard point == order.point, reached.add(1, ordering: .relaxed).newValue == order.count else { return }
    kill(getpid(), SIGKILL)
  }
}

/// Random choices that any thread may take.
private final class PointPauses: Sendable {
  private let random: Guarded<RandomStream>
  private let longest: Int

  init(seed: UInt64, longest: Int) {
    random = Guarded(RandomStream(seed: seed))
    self.longest = longest
  }

  func isChosen(oneIn count: Int) -> Bool { random.withLock { $0.below(count) == 0 } }

  func take() {
    guard isChosen(oneIn: 8) else { return }
    MonotonicClock.sleep(until: MonotonicClock.now + UInt64(random.withLock { $0.below(longest) }))
  }
}
