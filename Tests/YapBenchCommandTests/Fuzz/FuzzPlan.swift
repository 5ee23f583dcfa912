import Foundation

/// The cases that a fuzzer runs: a few hundred in the normal tests, or as the environment requests.
///
/// - `YAP_FUZZ_CASES`: The number of cases of each fuzzer. `Scripts/nightly` sets 100,000.
/// - `YAP_SEED`: The seed; random by default.
/// - `YAP_FUZZ_CASE`: The number of a single case to repeat.
struct FuzzPlan {
  let cases: Range<Int>
  let seed: UInt64
  /// The fuzzer's name for `--filter`.
  let test: String

  /// - Parameters:
  ///   - quickCount: The number of cases without `YAP_FUZZ_CASES`.
  ///   - share: The divisor of the number of cases, for cases that start processes.
  init(_ test: String, quickCount: Int, share: Int = 1) {
    self.test = test
    let environment = ProcessInfo.processInfo.environment
    seed = environment["YAP_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...999_999_999)
    if let single = environment["YAP_FUZZ_CASE"].flatMap({ Int($0) }) {
      cases = single..<single + 1
    } else {
      let count = environment["YAP_FUZZ_CASES"].flatMap { Int($0) }.map { max($0 / share, 1) }
      cases = 0..<(count ?? quickCount)
    }
  }

  /// Cases that the environment does not change, for planted bugs.
  init(planted count: Int) {
    test = "PlantedFuzzTests"
    seed = .random(in: 1...999_999_999)
    cases = 0..<count
  }

  /// The command that repeats one case.
  func repeatLine(_ number: Int) -> String { Self.repeatLine(test, seed: seed, number) }

  static func repeatLine(_ test: String, seed: UInt64, _ number: Int) -> String {
    "YAP_SEED=\(seed) YAP_FUZZ_CASE=\(number) ./run-tests.sh --filter \(test)"
  }

  /// Prints the command that repeats all cases.
  func announce() {
    let count = cases.count == 1 ? "YAP_FUZZ_CASE=\(cases.lowerBound)" : "YAP_FUZZ_CASES=\(cases.count)"
    FileHandle.standardError.write(
      Data("\(test): YAP_SEED=\(seed) \(count) ./run-tests.sh --filter \(test)\n".utf8)
    )
  }
}
