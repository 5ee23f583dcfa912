import BenchDrivers
import Foundation
import TestSupport
import Testing
import YapEngine

@testable import EngineStress

/// Planted bugs that schedules find. The seed is fixed, so that each is found after the same number of cases.
@Suite(.enabled(if: TestHooks.areBuiltIn)) struct PlantedScheduleTests {
  /// The bugs, and the numbers of cases within which they must be found: at least three times the numbers that seed 7
  /// needs, so that changes of the programs are possible.
  static let planted = [
    "connection.pinsLazily": 300,
    "connection.losesTheBookmark": 300,
    "connection.readsOnFromAKeptSnapshot": 300,
    "connection.forgetsToDropChangedValues": 300,
    "connection.forgetsWhatTheSweepPassed": 300,
    "connection.waitsWithoutLooking": 300,
    "caches.keepsRolledBackValues": 300,
    "database.announcesTooLate": 300,
    "guardReader.checkpointsBesideCommits": 300,
    "writer.keepsRolledBackSavepoints": 300,
    "writer.returnsBeforeTheJointCommit": 300,
  ]

  @Test(arguments: planted.keys.sorted()) func `a planted bug is found`(_ name: String) throws {
    // Without the defect of SQLite, checkpoints need no guard.
    if name == "guardReader.checkpointsBesideCommits", !YapDatabase.hasWALResetDefect { return }
    var tests = EngineTestSettings()
    try tests.plant(name)
    let budget = try #require(Self.planted[name])
    let (outcome, cases) = try ScheduleCampaignTests.run(ScheduleCampaign(tests: tests), seed: 7, cases: budget)
    let failure = try #require(outcome.failures.first, "not found in \(cases) cases")
    FileHandle.standardError.write(Data("\(name): found in case \(cases - 1): \(failure)\n".utf8))
  }
}
