import Testing

@testable import YapEngine

@Suite struct ThreadedTests {
  @Test(arguments: [ModelTests.Configuration.usual, .smallPagesManyCheckpoints, .resets, .sharing, .copying])
  func `many threads see whole snapshots and are told each commit once`(
    _ configuration: ModelTests.Configuration
  ) throws {
    let seed = Seed.announce(for: "ThreadedTests")
    let found = try withTemporaryFolder { folder in
      ThreadedTrial(options: configuration.options, seed: seed)
        .run(path: folder + "/test.sqlite", commits: TestScale.count(4_000))
    }
    #expect(found == nil, "with seed \(seed)")
  }

  /// Only a reset pins bookmarks anew.
  @Test(.enabled(if: TestHooks.areBuiltIn), arguments: [PlantedBug.resetsOldBookmarks, .repeatsAfterReset])
  func `many threads find a reset that a client would notice`(_ bug: PlantedBug) throws {
    let seed = Seed.announce(for: "ThreadedTests")
    var options = ModelTests.Configuration.resets.options
    options.testHooks.plantedBugs = [bug]
    let found = try withTemporaryFolder { folder in
      ThreadedTrial(options: options, seed: seed).run(path: folder + "/test.sqlite", commits: 100_000)
    }
    #expect(found != nil, "with seed \(seed)")
  }
}
