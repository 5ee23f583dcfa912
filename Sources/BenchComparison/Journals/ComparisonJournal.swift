package import BenchRegression
package import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The journal of a comparison: a line of JSON that describes it, and one for each finished pair of runs.
///
/// The two runs of a pair are appended together, and are on the disk before the next pair begins. A comparison that was
/// killed repeats only the pair in which it was killed.
package final class ComparisonJournal {
  package private(set) var setting: ComparisonJudge.Setting
  package private(set) var runs: [ComparedRun]
  private let file: JournalFile
  private var path: String { file.path }

  /// Opens the journal of a comparison, or begins one.
  /// - Throws: `JournalProblem` if the file cannot be used, or another process uses it; `ComparisonError` if it belongs
  ///   to another comparison.
  package init(at path: String, _ setting: ComparisonJudge.Setting) throws {
    self.setting = setting
    file = try JournalFile(at: path)
    runs = []
    guard let first = file.initialLines.first else {
      try file.append(setting)
      return
    }
    try check(first)
    runs = try file.initialLines.dropFirst().enumerated().flatMap { index, line in
      do { return try JSONDecoder().decode([ComparedRun].self, from: line) } catch {
        throw ComparisonError(
          .output,
          "\(path):\(index + 2): expected a pair of runs; move the file away, or use --out"
        )
      }
    }
  }

  /// Adds the runs of a pair. They are on the disk when the call returns.
  package func append(_ pair: [ComparedRun]) throws {
    try file.append(pair)
    runs += pair
  }

  /// The error for recorded runs that are not those that the design plans.
  var designMismatchError: ComparisonError {
    ComparisonError(
      .output,
      "\(path): the recorded runs do not match the recorded design: the file was changed. Move it away, or use --out"
    )
  }

  private func check(_ line: Data) throws {
    guard let found = try? JSONDecoder().decode(ComparisonJudge.Setting.self, from: line) else {
      throw ComparisonError(.output, "\(path): expected the journal of a comparison; move the file away, or use --out")
    }
    if let difference = Self.difference(found, setting) {
      throw ComparisonError(
        .output,
        "\(path): it belongs to another comparison (\(difference)); move its folder away, or use --out"
      )
    }
    setting = found
  }

  /// Returns the first difference that prevents resuming the journal; nil if there is none.
  private static func difference(
    _ found: ComparisonJudge.Setting,
    _ wanted: ComparisonJudge.Setting
  ) -> String? {
    func differs(_ arm: KeyPath<ComparisonJudge.Setting, ComparedArm>) -> Bool {
      let (one, other) = (found[keyPath: arm], wanted[keyPath: arm])
      return one.sha256 != other.sha256 || one.settings != other.settings
    }
    if differs(\.base) { return "its base is \(found.base.name) \(found.base.sha256.prefix(12))" }
    if differs(\.head) { return "its head is \(found.head.name) \(found.head.sha256.prefix(12))" }
    if found.machine != wanted.machine { return "it was made on another machine" }
    if found.design.scenarios != wanted.design.scenarios { return "its scenarios are different" }
    if found.scenarioDigests != wanted.scenarioDigests { return "the text of its scenarios is different" }
    if found.design.seed != wanted.design.seed { return "its seed is \(found.design.seed)" }
    return found.design == wanted.design ? nil : "its numbers of pairs or its rules are different"
  }
}
