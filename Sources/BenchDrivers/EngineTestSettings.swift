internal import HarnessPrimitives
internal import Synchronization
internal import ThreadingPrimitives
package import YapEngine

/// Changes of the engine with which stress campaigns try it: pauses at the named points, and joint commits.
///
/// Only the driver `yap` has them, and only in builds with the package trait `TestPoints`.
public struct EngineTestSettings: Codable, Sendable, Equatable {
  /// The seed of random pauses of threads at the named points; nil for none.
  public var pauseSeed: UInt64?
  /// Whether a transaction is committed jointly with the next one whenever another writer waits.
  public var joinsAlways = false

  public init() {}

  /// Returns the hooks that make an engine's changes.
  package func hooks() -> TestHooks {
    var hooks = TestHooks()
    hooks.joinsAlways = joinsAlways
    if let pauseSeed {
      let pauses = RandomPauses(seed: pauseSeed)
      hooks.onReach = { _, _ in pauses.take() }
    }
    return hooks
  }
}

/// Pauses a thread at some of the points that it reaches, so that threads meet in rare orders more often.
private final class RandomPauses: Sendable {
  /// One of this many points pauses.
  private static let interval: UInt64 = 8
  private static let longestNanoseconds: UInt64 = 300_000

  private let seed: UInt64
  private let reached = Atomic<UInt64>(0)

  init(seed: UInt64) { self.seed = seed }

  func take() {
    let number = reached.wrappingAdd(1, ordering: .relaxed).oldValue
    let random = RandomStream.mix(seed &+ number &* 0x9e37_79b9_7f4a_7c15)
    guard random % Self.interval == 0 else { return }
    let nanoseconds = random / Self.interval % Self.longestNanoseconds
    MonotonicClock.sleep(until: MonotonicClock.now + nanoseconds)
  }
}
