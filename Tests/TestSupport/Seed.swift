import Foundation

/// The seed of a random test.
package enum Seed {
  /// Returns the seed in the environment variable YAP_SEED, or else a random one, and prints the command that repeats
  /// the test.
  /// - Parameter test: The argument of `--filter` that selects the test.
  package static func announce(for test: String) -> UInt64 {
    let given = ProcessInfo.processInfo.environment["YAP_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 1...999_999_999)
    let variables = "YAP_SEED=\(seed) YAP_TEST_SCALE=\(TestScale.percentage)"
    let line = "\(test): \(variables) swift test --traits Jemalloc,TestPoints --filter \(test)\n"
    FileHandle.standardError.write(Data(line.utf8))
    return seed
  }
}

/// The share of the random operations that are run: the environment variable YAP_TEST_SCALE in percent, or a tenth.
package enum TestScale {
  /// Returns the scaled number of operations, at least 1.
  package static func count(_ full: Int) -> Int { max(full * percentage / 100, 1) }

  fileprivate static let percentage = ProcessInfo.processInfo.environment["YAP_TEST_SCALE"].flatMap { Int($0) } ?? 10
}
