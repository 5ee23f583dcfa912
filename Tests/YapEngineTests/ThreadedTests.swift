import TestSupport
import Testing

@testable import YapEngine

@Suite struct ThreadedTests {
  @Test(arguments: [ModelTests.Configuration.usual, .smallPagesManyCheckpoints, .resets, .sharing, .copying])
  func `many threads see complete snapshots, and each commit once`(
    _ configuration: ModelTests.Configuration
  ) throws {
    let seed = Seed.announce(for: "ThreadedTests")
    let found = try withTemporaryFolder { folder in
      ThreadedTrial(options: configuration.options, seed: seed)
        .run(path: folder + "/test.sqlite", commits: TestScale.count(4_000))
    }
    #expect(found == nil, "with seed \(seed)")
  }
}
