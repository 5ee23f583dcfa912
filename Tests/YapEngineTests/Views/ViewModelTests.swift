import TestSupport
import Testing

@testable import YapEngine

/// Random histories of databases with views, compared with a model.
@Suite struct ViewModelTests {
  enum Configuration: String, CaseIterable {
    case usual, sharing, copying
    /// Small pages and a low limit, so that the WAL is copied and reset, and bookmarks are pinned again.
    case resets
    /// The oldest commits after a bookmark are folded, so that mappings move over several at once.
    case folding

    var options: YapDatabaseOptions {
      var options = YapDatabaseOptions.views
      switch self {
      case .usual: break
      case .sharing: (options.defaultObjectPolicy, options.defaultMetadataPolicy) = (.share, .share)
      case .copying: (options.defaultObjectPolicy, options.defaultMetadataPolicy) = (.copy, .copy)
      case .folding: options.bookmarkCommitLimit = 2
      case .resets:
        options.pageSize = 512
        options.aggressiveCheckpointAt = 16 << 10
      }
      return options
    }
  }

  @Test(arguments: Configuration.allCases)
  func `every transaction sees the views of its snapshot`(_ configuration: Configuration) throws {
    let seed = Seed.announce(for: "ViewModelTests")
    let found = try trial(configuration.options, seed: seed, steps: TestScale.count(1_500))
    #expect(found == nil, "with seed \(seed)")
  }

  private func trial(_ options: YapDatabaseOptions, seed: UInt64, steps: Int) throws -> Discrepancy? {
    try withTemporaryFolder { folder in
      try ViewTrial(path: folder + "/test.sqlite", options: options, seed: seed).run(steps: steps)
    }
  }
}
