import BenchResults
import BenchScenario
import Foundation
import HarnessPrimitives
import TestSupport
import Testing

/// A sample of the cases through the real program, with its real exit codes.
@Suite("Fuzzing the program")
struct ProgramFuzzTests {
  private let program = RunningProgram()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(prefersMemory: true) }

  /// - Parameter command: The arguments, in which `$file` is the case's file.
  private func run(_ plan: FuzzPlan, _ command: String, on file: String, write: (Int) throws -> Void) throws {
    plan.announce()
    for number in plan.cases {
      try write(number)
      // The exit code is 124 if `timeout` ended the program, or 137 if a kill was needed.
      let end = try program.run(
        "exec timeout -k 5 60 $program \(command) > $folder/out",
        ["file": file, "folder": folder.path]
      )
      let isDocumented = BenchResults.ExitStatus.allCases.contains { $0.rawValue == end.code }
      let comment = Comment(rawValue: "\(plan.repeatLine(number)): \(command): \(end)")
      #expect(isDocumented && !end.bySignal && end.code != BenchResults.ExitStatus.internalError.rawValue, comment)
      #expect(end.code == 0 || end.errors.contains("error") || end.errors.contains("Error"), comment)
    }
  }

  @Test("with damaged scenarios")
  func scenarios() throws {
    let plan = FuzzPlan("ProgramFuzzTests.scenarios", quickCount: 12, share: 100)
    let cases = try ScenarioCases(seed: plan.seed, folder: folder.path)
    let file = folder.path + "/scenario.yaml"
    for command in ["check $file", "explain $file"] {
      try run(plan, command, on: file) { number in
        try cases.text(number).write(toFile: file, atomically: false, encoding: .utf8)
      }
    }
  }

  @Test("with damaged records")
  func records() throws {
    let plan = FuzzPlan("ProgramFuzzTests.records", quickCount: 12, share: 100)
    let bases = try FuzzRecord.bases()
    let file = folder.path + "/run.json"
    for command in ["report $file --out $folder/drawn --force", "export $file --format openmetrics"] {
      try run(plan, command, on: file) { number in
        var mutation = RecordMutation(RandomStream(seed: plan.seed, "\(number)"))
        try Data(mutation.mutated(bases[number % bases.count])).write(to: URL(fileURLWithPath: file))
      }
    }
  }

  @Test("with damaged databases")
  func databases() throws {
    let plan = FuzzPlan("ProgramFuzzTests.databases", quickCount: 12, share: 100)
    let made = try FuzzDatabase(in: folder.path)
    let file = folder.path + "/file.sqlite"
    try run(plan, "inspect $file", on: file) { number in
      var damage = DatabaseDamage(RandomStream(seed: plan.seed, "\(number)"))
      let files = damage.damaged(made)
      for suffix in FuzzDatabase.suffixes {
        try? FileManager.default.removeItem(atPath: file + suffix)
        guard let bytes = files[suffix] else { continue }
        try Data(bytes).write(to: URL(fileURLWithPath: file + suffix))
      }
    }
  }
}
