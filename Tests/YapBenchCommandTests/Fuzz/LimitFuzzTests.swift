import BenchResults
import BenchScenario
import Foundation
import HarnessPrimitives
import TestSupport
import Testing

/// The real program under limits of open files and of file sizes. It must end with a documented exit code, and leave
/// neither the data nor the unfinished report of its run.
@Suite("Fuzzing the limits of a process")
struct LimitFuzzTests {
  /// The limits of one case.
  struct Limits {
    var files: Int?
    /// In blocks of 512 bytes, as POSIX defines them for `ulimit -f`.
    var fileBlocks: Int?

    /// Odd cases limit open files: all limits from 4 to 80 in turn, in steps of 10. Even cases, and some odd ones,
    /// limit the size of files.
    ///
    /// The limits begin at 4, because with 3 the dynamic linker cannot open a library and the program does not start.
    init(_ number: Int, _ random: inout RandomStream) {
      let allowed = 4...80
      if !number.isMultiple(of: 2) {
        // 10 and 77 have no common divisor, so the steps reach every limit.
        files = allowed.lowerBound + number / 2 * 10 % allowed.count
      }
      if files == nil || random.chance(oneIn: 4) { fileBlocks = random.below(1 << (1 + random.below(13))) }
    }

    var commands: String {
      let limits = [files.map { "ulimit -n \($0)" }, fileBlocks.map { "ulimit -f \($0)" }]
      return limits.compactMap { $0 }.joined(separator: "; ")
    }
  }

  private let program = RunningProgram()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(prefersMemory: true) }

  private static let scenarios = ["selftest/null.yaml", "trouble/start-after-a-crash.yaml"]

  /// Runs the program. Its build with test points needs an environment variable to run.
  private func run(_ limits: Limits, _ command: String, out: String) throws -> RunningProgram.End {
    // The limits apply to the program and not to `timeout`, which exits with 124 if it ends the program.
    let line = "timeout -k 5 120 /bin/sh -c '\(limits.commands); exec \"$program\" \(command)'"
    return try program.run(line, ["out": out, "project": Project.path, "YAP_RUN_WITH_TEST_POINTS": "1"])
  }

  @Test("every limit gives a documented exit code, and nothing unfinished is left")
  func limits() throws {
    let plan = FuzzPlan("LimitFuzzTests", quickCount: 12, share: 200)
    plan.announce()
    for number in plan.cases {
      var random = RandomStream(seed: plan.seed, "\(number)")
      let limits = Limits(number, &random)
      let scenario = random.pick(Self.scenarios)
      let out = "\(folder.path)/out-\(number)"
      let end = try run(limits, "run --smoke --out \"$out\" \"$project/Scenarios/\(scenario)\"", out: out)
      let comment = Comment(rawValue: "\(limits.commands); \(scenario)\n\(end)\n\(plan.repeatLine(number))")
      #expect(BenchResults.ExitStatus.allCases.contains { $0.rawValue == end.code } && !end.bySignal, comment)
      #expect(end.code == 0 || !end.errors.isEmpty, comment)
      try #expect(Self.leftovers(in: out) == [], comment)
      try? FileManager.default.removeItem(atPath: out)
    }
  }

  /// The folders that a run should have removed at its end.
  private static func leftovers(in out: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: out) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: out).filter { $0.hasPrefix(".") }
  }
}
