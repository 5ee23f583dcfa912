@testable import BenchReports
@testable import BenchResults

extension RunDirectory {
  static func write(_ result: RunResult, into folder: String) throws -> String {
    try write(ScenarioResult(result), into: folder)
  }

  static func write(_ result: ScenarioResult, into folder: String) throws -> String {
    try write(result, under: folder, repeatedBy: RepeatCommand(reportFolder: folder))
  }
}
