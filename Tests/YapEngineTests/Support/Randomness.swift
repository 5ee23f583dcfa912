import Foundation

/// SplitMix64: the same seed gives the same numbers on every machine.
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, not including, `limit`. The bias of the remainder is nothing to a test.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  mutating func chance(oneIn count: Int) -> Bool { below(count) == 0 }
}

/// What a random test starts from, and the line that repeats it.
enum Seed {
  /// The seed of the environment variable YAP_SEED, or a new one. Prints the line that repeats the test.
  /// - Parameter test: what `--filter` finds the test by.
  static func announce(for test: String) -> UInt64 {
    let given = ProcessInfo.processInfo.environment["YAP_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 1...999_999_999)
    say("\(test): YAP_SEED=\(seed) swift test --traits Jemalloc,TestPoints --filter \(test)")
    return seed
  }

  private static func say(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}

/// How much of a random test is done: the environment variable YAP_TEST_SCALE, a percentage.
enum TestScale {
  static func count(_ full: Int) -> Int { max(full * percentage / 100, 1) }

  /// Operations of all random histories together: the environment variable YAP_MODEL_OPERATIONS.
  static let modelOperations =
    ProcessInfo.processInfo.environment["YAP_MODEL_OPERATIONS"].flatMap { Int($0) } ?? count(500_000)

  private static let percentage =
    ProcessInfo.processInfo.environment["YAP_TEST_SCALE"].flatMap { Int($0) } ?? 100
}
