import BenchModel

@testable import BenchReports

extension RunDirectory {
  static func write(_ result: RunResult, into folder: String, plotter: Gnuplot? = .found()) throws -> String {
    try write(ScenarioResult(result), into: folder, plotter: plotter)
  }

  static func write(_ result: ScenarioResult, into folder: String, plotter: Gnuplot? = .found()) throws -> String {
    try write(result, under: folder, repeatedBy: RepeatCommand(reportFolder: folder), plotter: plotter)
  }
}
