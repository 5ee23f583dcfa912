import TestSupport
import Testing

@testable import YapEngine

/// Random operations of several connections against a model that keeps every snapshot's state.
@Suite struct ModelTests {
  /// The options with which the database is opened.
  enum Configuration: String, CaseIterable {
    case usual
    /// Small pages make many frames, so that the WAL is often copied and restarted.
    case smallPagesManyCheckpoints
    case mappedWithoutCheckpoints
    /// The WAL often exceeds its limit, so that it is reset and bookmarks are pinned again.
    case resets
    case sharing, copying
    /// Enumerations continue with a scan of the table as early as possible.
    case scanning
    /// A different policy in each collection, and few changed values in each commit.
    case mixedPoliciesFewValues
    /// The oldest pending commits of bookmarks and idle connections are folded as soon as there are a few.
    case folding, foldingShared, foldingCopied

    var options: YapDatabaseOptions {
      var options = YapDatabaseOptions.model
      switch self {
      case .usual: break
      case .sharing:
        options.defaultObjectPolicy = .share
        options.defaultMetadataPolicy = .share
      case .copying:
        options.defaultObjectPolicy = .copy
        options.defaultMetadataPolicy = .copy
      case .mixedPoliciesFewValues:
        options.defaultMetadataPolicy = .share
        for (collection, policy) in zip(Keyspace.collections, [.share, .copy, .share] as [YapDatabasePolicy]) {
          options.objectPolicies[collection] = policy
          options.metadataPolicies[collection] = policy.stricter(.copy)
        }
        options.waitingValuesLimit = 1_000
      case .folding, .foldingShared, .foldingCopied:
        let policy: YapDatabasePolicy = self == .folding ? .containment : self == .foldingShared ? .share : .copy
        (options.defaultObjectPolicy, options.defaultMetadataPolicy) = (policy, policy)
        options.bookmarkCommitLimit = self == .foldingShared ? 5 : 2
        options.testHooks.unseenCommitLimit = self == .foldingShared ? 2 : 5
      case .smallPagesManyCheckpoints:
        options.pageSize = 512
        options.checkpointing = .every(nanoseconds: 1_000_000)
      case .mappedWithoutCheckpoints:
        options.mmapSize = 1 << 20
        options.checkpointing = .every(nanoseconds: .max)
      case .scanning: options.testHooks.enumerationsLookAfter = 1
      case .resets:
        options.pageSize = 512
        options.aggressiveCheckpointAt = 16 << 10
      }
      return options
    }
  }

  @Test(arguments: Configuration.allCases)
  func `every read and every jump agrees with the model`(_ configuration: Configuration) throws {
    // Each configuration has a history of its own.
    let place = Configuration.allCases.firstIndex(of: configuration) ?? 0
    let seed = Seed.announce(for: "ModelTests") &+ UInt64(place)
    let found = try trial(
      configuration.options,
      seed: seed,
      operations: TestScale.modelOperations / Configuration.allCases.count
    )
    #expect(found == nil, "with seed \(seed)")
  }

  @Test(
    .enabled(if: TestHooks.areBuiltIn),
    arguments: [
      Falsification.skipsANotification, .repeatsANotification, .goesBackInTime, .answersWithAnotherKey,
      .endsWithoutTelling, .miscounts, .losesAKeyWhenFolding,
    ]
  )
  func `the model finds a wrong answer`(_ falsification: Falsification) throws {
    let seed = Seed.announce(for: "ModelTests")
    var options = YapDatabaseOptions.model
    options.testHooks.enumerationsLookAfter = 1
    if falsification == .losesAKeyWhenFolding { options.bookmarkCommitLimit = 2 }
    let found = try Discrepancy.first(from: seed) {
      try trial(options, seed: $0, operations: 20_000, Answers([falsification]))
    }
    #expect(found != nil, "with seed \(seed)")
  }

  /// Connections have random policies, limits and bookmarks, and each of these must occur.
  @Test(arguments: [Configuration.sharing, .copying, .mixedPoliciesFewValues])
  func `the histories of the model carry values`(_ configuration: Configuration) throws {
    try expectHistories(configuration) { seen in
      seen.updated > 0 && seen.dropped > 0 && (seen.lost > 0 && seen.joined > 0 || !TestHooks.areBuiltIn)
        && (configuration == .sharing || seen.copied > 0)
        && (configuration != .mixedPoliciesFewValues || seen.givenUpBytes > 0)
    }
  }

  /// A history whose bookmarks all move early folds nothing.
  @Test(arguments: [Configuration.folding, .foldingShared, .foldingCopied])
  func `the histories of the model fold commits`(_ configuration: Configuration) throws {
    try expectHistories(configuration) { seen in seen.folded > 0 }
  }

  /// Expects that ten histories are enough for what `isComplete` requires of one of them, which a single history can
  /// miss by chance.
  private func expectHistories(
    _ configuration: Configuration,
    cause isComplete: (ModelTrial.Activity) -> Bool
  ) throws {
    let seed = Seed.announce(for: "ModelTests")
    var seen: [ModelTrial.Activity] = []
    for number in 0..<10 where !seen.contains(where: isComplete) {
      try withTemporaryFolder { folder in
        let trial = try ModelTrial(
          path: folder + "/test.sqlite",
          options: configuration.options,
          seed: seed &+ UInt64(number)
        )
        #expect(trial.run(operations: 10_000) == nil, "with seed \(seed) + \(number)")
        seen.append(trial.activity)
      }
    }
    let wasComplete = seen.contains(where: isComplete)
    #expect(wasComplete, "with seed \(seed): \(seen)")
  }

  private func trial(
    _ options: YapDatabaseOptions,
    seed: UInt64,
    operations: Int,
    _ answers: Answers = Answers()
  ) throws -> Discrepancy? {
    try withTemporaryFolder { folder in
      let trial = try ModelTrial(path: folder + "/test.sqlite", options: options, seed: seed, answers: answers)
      return trial.run(operations: operations)
    }
  }
}
