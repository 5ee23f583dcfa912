internal import Foundation

/// Shapes that latencies have, and some that they should not have.
enum DurationShape: CaseIterable, Sendable {
  /// Every number of digits alike.
  case logUniform
  case uniform
  /// Long tail: most are short.
  case exponential
  /// Hits and misses.
  case bimodal
  /// A few values, each many times.
  case steps
  /// All below the first bucket that is wider than 1 ns.
  case tiny

  /// Nanoseconds, from 1 ns to 1 h.
  func draw(_ generator: inout SeededGenerator) -> UInt64 {
    let unit = Double(generator.next() >> 11) / Double(1 << 53)
    let nanoseconds: Double =
      switch self {
      case .logUniform: pow(3.6e12, unit)
      case .uniform: unit * 1e9
      case .exponential: -1e6 * log(1 - unit)
      case .bimodal: generator.next() % 10 == 0 ? 5e6 + unit * 1e6 : 2e3 + unit * 500
      case .steps: [700, 1_000_003, 123_456_789][Int(unit * 3)]
      case .tiny: unit * 2_000
      }
    return UInt64(min(max(nanoseconds, 1), 3.6e12))
  }
}

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
}

/// What a random test starts from, and the line that repeats it.
enum Seed {
  /// The seed of the environment variable YAP_SEED, or a new one. Prints the line that repeats the test.
  /// - Parameter test: what `--filter` finds the test by.
  static func announce(for test: String) -> UInt64 {
    let given = ProcessInfo.processInfo.environment["YAP_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 1...999_999_999)
    let line = "\(test): YAP_SEED=\(seed) swift test --traits Jemalloc,TestPoints --filter \(test)\n"
    FileHandle.standardError.write(Data(line.utf8))
    return seed
  }
}
