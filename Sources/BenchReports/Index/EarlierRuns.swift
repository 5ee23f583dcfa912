internal import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The earlier runs of a scenario in the folder of all runs, and a baseline, as its report states them.
struct EarlierRuns {
  /// The number of runs whose values a report states, itself included.
  static let shownRuns = 10
  /// The number of folders that are read in search of comparable runs.
  private static let mostFolders = 200

  /// The name of the folder of the previous run of the scenario, whatever its settings; nil if there is none that has a
  /// page.
  private(set) var previous: String?
  /// The last comparable runs, the newest first.
  private(set) var comparable: [RunSummary] = []
  /// Whether no comparable run was found.
  private(set) var isFirst = false
  /// nil if none was named.
  var baseline: Baseline?

  init(previous: String? = nil) { self.previous = previous }

  /// - Parameter path: The folder of the run, whose parent has the others.
  init(before result: ScenarioResult, at path: String) {
    let (parts, own) = (PathParts(path), RunSummary(result))
    guard let limit = Self.order(of: parts.name, result.first.scenario),
      let names = try? FileManager.default.contentsOfDirectory(atPath: parts.folder)
    else { return }
    let earlier = names.compactMap { name in
      Self.order(of: name, result.first.scenario).map { (name: name, order: $0) }
    }
    .filter { $0.order < limit }.sorted { $0.order > $1.order }.prefix(Self.mostFolders)
    previous = earlier.first { FileManager.default.fileExists(atPath: "\(parts.folder)/\($0.name)/report.html") }?.name
    for folder in earlier where comparable.count < Self.shownRuns - 1 {
      guard let found = try? RunSummary.read(in: "\(parts.folder)/\(folder.name)"), found.isComparable(to: own),
        found.figures?.isEmpty == false
      else { continue }
      comparable.append(found)
    }
    isFirst = comparable.isEmpty
  }

  /// Returns the position of a run's folder among those of its scenario; nil for any other name.
  private static func order(of name: String, _ scenario: String) -> (time: Substring, number: Int)? {
    guard let parts = name.wholeMatch(of: /(\d{8}-\d{6})-(.+)-(?:[0-9A-Za-z]{7}|nocommit)(?:-(\d{1,4}))?/),
      parts.2 == RunDirectory.scenarioComponent(scenario)
    else { return nil }
    return (parts.1, parts.3.flatMap { Int($0) } ?? 1)
  }

  // MARK: Figures

  /// Returns the values of a figure in the comparable runs, the oldest first.
  /// - Parameter figure: In the syntax of the scenario.
  func values(of figure: String, variant: String?) -> [Double] {
    comparable.reversed().compactMap { $0.value(of: figure, variant: variant) }
  }

  /// Returns the difference to the last comparable run that has the figure, such as `−4.1 % against the last run`; nil
  /// without one.
  func change(of figure: FigureID, to value: Double) -> String? {
    guard let last = values(of: figure.description, variant: nil).last else { return nil }
    return Self.change(from: last, to: value, figure.unit).map { "\($0) against the last run" }
  }

  /// Returns a difference in per cent, or of a share in percentage points; nil if the first value is 0.
  static func change(from value: Double, to newValue: Double, _ unit: FigureUnit) -> String? {
    if unit == .share { return Quantity.signed(100 * (newValue - value)) + " points" }
    return value == 0
      ? (newValue == 0 ? "±0 %" : nil) : Quantity.change(percent: 100 * (newValue - value) / value.magnitude)
  }
}

/// A named baseline with which reports compare.
package struct Baseline {
  package let name: String
  /// The summary of the baseline's run of the scenario; nil if it has none.
  let summary: RunSummary?
}
