import BenchResults
import BenchScenario
import Foundation

@testable import BenchRunner

extension RunningScenarios {
  /// Runs the first variant with a ledger, in a folder of its own, which is gone afterwards.
  /// - Parameter invariants: those that are checked, so that no other finds a planted bug.
  static func runWithLedger(
    _ loaded: LoadedScenario,
    invariants: Set<Invariant> = Set(Invariant.allCases),
    isSmoke: Bool = true,
    falsification: Falsification? = nil
  ) throws -> RunResult {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var options = RunOptions(dataFolder: folder, isSmoke: isSmoke)
    options.keepsLedger = true
    options.measuresHarness = false
    options.invariants = invariants
    if let falsification {
      options.decorate = { FalsifyingDatabase($0, falsification, path: $1, views: loaded.scenario.views) }
    }
    return try BenchmarkRun(variant: (isSmoke ? loaded.smoke() : loaded).variants[0], options: options).perform()
  }
}
