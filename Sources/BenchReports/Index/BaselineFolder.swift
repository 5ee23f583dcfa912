internal import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The folder of a named baseline: the `verdict.json` of one run of each scenario and configuration.
package struct BaselineFolder {
  private static let parent = "baselines"

  package let name: String
  private let path: String

  /// - Parameter reports: The folder of all runs, which has the folders of baselines.
  package init(_ name: String, in reports: String) {
    (self.name, path) = (name, "\(reports)/\(Self.parent)/\(name)")
  }

  package var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Whether a text can be the name of a baseline: letters, digits, `-`, `_` and points, but no point first.
  package static func isName(_ text: String) -> Bool { text.wholeMatch(of: /[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}/) != nil }

  /// The names of the baselines in a folder of runs, sorted.
  package static func names(in reports: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(reports)/\(parent)")) ?? []).filter(isName).sorted()
  }

  // MARK: Runs

  /// The runs of the baseline: scenario, settings, time and commit of each, sorted.
  package var runs: [(scenario: String, settings: [String], startedAt: String, commit: String?)] {
    summaries.map { ($0.scenario, $0.settings ?? [], $0.startedAt, $0.commit) }
      .sorted { ($0.scenario, $0.settings.joined()) < ($1.scenario, $1.settings.joined()) }
  }

  private var summaries: [RunSummary] { folders.compactMap { try? RunSummary.read(in: "\(path)/\($0)") } }

  private var folders: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

  /// Returns the baseline for the report of a result.
  func of(_ result: ScenarioResult) -> Baseline {
    let own = RunSummary(result)
    return Baseline(name: name, summary: summaries.first { $0.isComparable(to: own) })
  }

  /// Adds a run, in place of one with the same scenario, configuration and machine.
  /// - Parameter run: The run's folder.
  /// - Throws: `ReportError`.
  package func save(_ run: String) throws {
    let file = "\(run)/\(RunSummary.fileName)"
    let read: RunSummary?
    do throws(FileProblem) { read = try RunSummary.read(in: run) } catch {
      throw ReportError(file, error.explanation, remedy: "Name the folder of a run.")
    }
    guard let summary = read, summary.configuration != nil else {
      throw ReportError(
        file,
        "the file is of an older version, and has no figures to compare with",
        remedy: "Write it again: yapbench report \(run) --out \(run) --force."
      )
    }
    guard summary.figures?.isEmpty == false else {
      throw ReportError(
        run,
        "the run has no figures to compare with: \(summary.exitCode.word): \(summary.headline)",
        remedy: "Name a run that is complete and valid."
      )
    }
    let folder = PathParts(URL(fileURLWithPath: run).standardizedFileURL.path).name
    try RunDirectory.createIfMissing("\(path)/\(folder)")
    try OutputFile.replace(Data(summary.encoded().utf8), at: "\(path)/\(folder)/\(RunSummary.fileName)")
    for earlier in folders where earlier != folder {
      let place = "\(path)/\(earlier)"
      guard let other = try? RunSummary.read(in: place), other.isComparable(to: summary) else { continue }
      try attempt("could not be replaced", at: place) { try FileManager.default.removeItem(atPath: place) }
    }
  }

  /// - Throws: `ReportError`.
  package func remove() throws {
    try attempt("could not be removed", at: path) { try FileManager.default.removeItem(atPath: path) }
  }
}
