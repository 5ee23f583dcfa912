internal import HarnessPrimitives
internal import Synchronization
internal import ThreadingPrimitives
package import YapEngine

/// Changes of the engine with which stress campaigns try the checks: planted bugs, pauses at the named points, and
/// joint commits.
///
/// Only the driver `yap` has them, and only in builds with the package trait `TestPoints`.
public struct EngineTestSettings: Codable, Sendable, Equatable {
  /// The names of the planted bugs.
  public private(set) var plantedBugs: [String] = []
  /// The seed of random pauses of threads at the named points; nil for none.
  public var pauseSeed: UInt64?
  /// Whether a transaction is committed jointly with the next one whenever another writer waits.
  public var joinsAlways = false

  public init() {}

  /// The names of all bugs that can be planted, such as "connection.pinsLazily".
  public static var bugNames: [String] { PlantedOmission.names }

  /// Plants a bug in every engine that is opened with the settings.
  /// - Throws: `PlantingError` if there is no bug of this name, or if this build cannot plant bugs.
  public mutating func plant(_ name: String) throws(PlantingError) {
    guard TestHooks.areBuiltIn else {
      throw PlantingError(
        description: "this build cannot plant bugs; build with: swift build --product yapbench --traits "
          + "Jemalloc,TestPoints"
      )
    }
    guard Self.bugNames.contains(name) else {
      let names = Self.bugNames.joined(separator: ", ")
      throw PlantingError(description: "there is no bug \"\(name)\" to plant; expected one of \(names)")
    }
    plantedBugs.append(name)
  }

  /// Returns the hooks that make an engine's changes.
  package func hooks() -> TestHooks {
    var hooks = TestHooks()
    for name in plantedBugs {
      precondition(hooks.plant(name), "there is no bug \"\(name)\" to plant")
    }
    hooks.joinsAlways = joinsAlways
    if let pauseSeed {
      let pauses = RandomPauses(seed: pauseSeed)
      hooks.onReach = { _, _ in pauses.take() }
    }
    return hooks
  }
}

/// The error of planting a bug.
public struct PlantingError: Error, CustomStringConvertible {
  public let description: String
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
