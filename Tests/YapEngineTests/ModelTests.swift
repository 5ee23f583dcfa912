import Testing

@testable import YapEngine

/// Random operations of several connections against a model that keeps every snapshot's state.
@Suite struct ModelTests {
  /// How the database is opened.
  enum Configuration: String, CaseIterable {
    case usual
    /// Little pages make many frames, so that the WAL is copied and begun again often.
    case smallPagesManyCheckpoints
    case mappedWithoutCheckpoints
    /// The WAL is over its limit again and again, so that it is reset and bookmarks are pinned anew.
    case resets

    var options: YapDatabaseOptions {
      var options = YapDatabaseOptions.quick
      switch self {
      case .usual: break
      case .smallPagesManyCheckpoints:
        options.pageSize = 512
        options.checkpointing = .every(nanoseconds: 1_000_000)
      case .mappedWithoutCheckpoints:
        options.mmapSize = 1 << 20
        options.checkpointing = .every(nanoseconds: .max)
      case .resets:
        options.pageSize = 512
        options.aggressiveCheckpointAt = 16 << 10
      }
      return options
    }
  }

  @Test(arguments: Configuration.allCases)
  func `every read and every jump is what the model says`(_ configuration: Configuration) throws {
    let seed = Seed.announce(for: "ModelTests")
    let found = try trial(configuration.options, seed: seed, operations: TestScale.count(80_000))
    #expect(found == nil, "with seed \(seed)")
  }

  /// A check that finds nothing where something is wrong is worth nothing.
  @Test(
    .enabled(if: TestHooks.areBuiltIn),
    arguments: [
      PlantedBug.forgetsToDropChangedValues, .losesTheBookmark, .skipsANotification, .repeatsANotification,
      .keepsRolledBackValues, .goesBackInTime, .answersWithAnotherKey,
    ]
  )
  func `the model finds a planted bug`(_ bug: PlantedBug) throws {
    let seed = Seed.announce(for: "ModelTests")
    var options = YapDatabaseOptions.quick
    options.testHooks.plantedBugs = [bug]
    let found = try trial(options, seed: seed, operations: 20_000)
    #expect(found != nil, "with seed \(seed)")
  }

  private func trial(_ options: YapDatabaseOptions, seed: UInt64, operations: Int) throws -> Discrepancy? {
    try withTemporaryFolder { folder in
      try ModelTrial(path: folder + "/test.sqlite", options: options, seed: seed).run(operations: operations)
    }
  }
}
