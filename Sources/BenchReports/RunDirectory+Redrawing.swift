package import BenchResults
internal import Foundation
internal import Glibc
internal import HarnessPrimitives

extension RunDirectory {
  /// Writes a run's reports and pictures again, and its tables if the run's folder has not all.
  /// - Parameters:
  ///   - result: The record of the run.
  ///   - run: The run's folder, to which the command in the reports refers.
  ///   - folder: The folder to write to. It is created if it is missing; other files in it stay.
  ///   - overwrites: Whether files of the same names may be replaced.
  /// - Throws: `ReportError`. Every file that already has its final name is complete.
  package static func redraw(_ result: ScenarioResult, of run: String, into folder: String, overwrites: Bool) throws {
    let folder = URL(fileURLWithPath: folder).standardizedFileURL.path
    let parent = PathParts(folder).folder
    try checkWritable(parent)
    // Files are first written beside the target, so that they only have to be renamed.
    let partial = "\(parent)/.partial-\(UUID().uuidString)"
    try UnfinishedOutput.writing(partial, for: folder) {
      if !hasTables(run) { try writeTables(result, in: partial) }
      let path = URL(fileURLWithPath: run).standardizedFileURL.path
      let files = RunFiles(
        folder: RunFiles.path(from: folder, to: run),
        earlier: EarlierRuns(before: result, at: path),
        hasLatencyLog: FileManager.default.fileExists(atPath: "\(run)/\(LatencyLogFile.name)")
      )
      let command = RepeatCommand(reportFolder: PathParts(path).folder)
      let latencies =
        files.hasLatencyLog ? LatencyIntervals.read("\(run)/\(LatencyLogFile.name)", of: result) : nil
      for (name, text) in try reports(result, repeatedBy: command, in: run, files: files, latencies: latencies) {
        try createFolders(of: name, in: partial)
        try OutputFile.write(Data(text.utf8), to: "\(partial)/\(name)")
      }
      try move(partial, into: folder, overwrites: overwrites)
    }
  }

  private static func move(_ partial: String, into folder: String, overwrites: Bool) throws {
    let names = try attempt("could not be listed", at: partial) {
      try FileManager.default.subpathsOfDirectory(atPath: partial).filter { !$0.isEmpty && $0 != runFolder }.sorted()
    }
    if !overwrites {
      for name in names where (try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")) != nil {
        throw ReportError(
          "\(folder)/\(name)",
          "the file already exists",
          remedy: "Name another folder with --out, or replace the files with --force."
        )
      }
    }
    for parent in Set(names.map { PathParts("\(folder)/\($0)").folder }) {
      try createIfMissing(parent)
    }
    try UnfinishedOutput.publish {
      // This table is moved last, because `hasTables` takes it as the sign that all tables exist.
      for name in names.filter({ $0 != timeSeriesTable }) + names.filter({ $0 == timeSeriesTable }) {
        let target = "\(folder)/\(name)"
        guard rename("\(partial)/\(name)", target) == 0 else {
          throw ReportError(target, "could not be replaced", code: errno)
        }
      }
    }
  }
}
