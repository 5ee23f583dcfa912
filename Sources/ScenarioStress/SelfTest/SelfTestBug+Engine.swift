internal import BenchDrivers
internal import EngineStress
internal import YapEngine

/// Bugs of the engine that schedules, faults and loads must find.
extension SelfTestBug {
  /// Versions of SQLite without the WAL-reset defect lose no commits by it.
  static let unguardedCheckpoints =
    YapDatabase.hasWALResetDefect
    ? [
      engine(
        "guardReader.checkpointsBesideCommits",
        "Checkpoints run beside commits without a guard.",
        firstCase: 24,
        within: 200,
        shows: "a read inside the notification of commit",
        "a jump leads to commit",
        "is malformed",
        "missing from index"
      )
    ] : []

  static let schedules: [SelfTestBug] = [
    engine(
      "connection.forgetsTheFirstConnection",
      "The caches of one connection do not follow the commits of the others.",
      within: 100,
      shows: "is not the one that commit",
      "is not the stored one"
    ),
    engine(
      "connection.losesTheLastModification",
      "A bookmark's move over several commits does not return the last of them.",
      within: 60,
      shows: "returns the commits"
    ),
    engine(
      "connection.repeatsAModification",
      "A bookmark's move over several commits returns the first of them twice.",
      within: 60,
      shows: "returns the commits"
    ),
    engine(
      "caches.keepsOldMetadata",
      "The metadata cache keeps values that another connection has changed.",
      firstCase: 20,
      within: 60,
      shows: "the metadata of row"
    ),
    engine(
      "values.keepsRemovedRows",
      "A row that another connection has removed stays in the caches.",
      firstCase: 90,
      within: 60,
      shows: "is not the stored one"
    ),
    engine(
      "writer.publishesEarly",
      "A commit is published before SQLite has committed it.",
      within: 20,
      shows: "a read inside the notification of commit"
    ),
    engine(
      "writer.notifiesRollbacks",
      "A rolled-back transaction is notified like a commit.",
      within: 20,
      shows: "the notification after that of commit"
    ),
    engine(
      "writer.omitsAChangedKey",
      "The change set of a commit lacks one of several changed keys.",
      within: 60,
      shows: "which its change set does not contain",
      "is not the one that commit"
    ),
    engine(
      "delivery.postsTwice",
      "Every eighth commit is notified twice.",
      firstCase: 24,
      within: 1,
      shows: "the notification after that of commit"
    ),
    engine(
      "delivery.postsOutOfOrder",
      "Two commits that wait together are notified in the reverse order.",
      within: 20,
      shows: "the notification after that of commit"
    ),
    engine(
      "delivery.skipsCommits",
      "Every eighth commit is not notified.",
      firstCase: 24,
      within: 1,
      shows: "the notification after that of commit"
    ),
    engine(
      "transaction.skipsARow",
      "Enumerations skip the fifth row of a collection.",
      within: 30,
      shows: "the newest ledger entry is that of commit",
      "is missing"
    ),
    engine(
      "writer.skipsNumbers",
      "Every eighth commit is stored under the number of the commit after.",
      firstCase: 24,
      within: 1,
      shows: "which this process did not write"
    ),
    engine(
      "database.losesWakeUps",
      "Every fourth thread that waits for the write lane gets it, but is not woken.",
      within: 24,
      shows: "the threads have not ended",
      "no thread can run"
    ),
  ]

  private static func engine(
    _ omission: String,
    _ effect: String,
    firstCase: Int = 0,
    within budget: Int,
    shows texts: String...
  ) -> SelfTestBug {
    SelfTestBug(
      omission,
      effect,
      by: "schedules",
      firstCase: firstCase,
      within: budget,
      finding: .failure(texts)
    ) { isPlanted, _ in
      try ScheduleCampaign(tests: settings(isPlanted ? omission : nil))
    }
  }

  /// The settings with one planted bug, or without any.
  private static func settings(_ omission: String?) throws -> EngineTestSettings {
    var tests = EngineTestSettings()
    if let omission { try tests.plant(omission) }
    return tests
  }

  // MARK: Faults

  static let faults: [SelfTestBug] = [
    fault(
      "writer.ignoresFailedCommits",
      "A COMMIT that fails on a full disk is reported as success.",
      during: .commits,
      failing: "write FULL",
      shows: "that is not in the file"
    ),
    fault(
      "damage.forgetsFailedSyncs",
      "The database goes on writing after a failed sync.",
      during: .commits,
      failing: "sync IOERR_FSYNC",
      shows: "does not record it as damage"
    ),
    fault(
      "damage.passesErrorsOn",
      "Errors of SQLite reach the caller as they are.",
      during: .commits,
      failing: "write FULL",
      shows: "expected a YapDatabaseError"
    ),
    fault(
      "database.keepsADescriptor",
      "Closing keeps a descriptor open.",
      during: .closing,
      failing: "read IOERR_READ",
      shows: "open descriptors as before"
    ),
    fault(
      "database.leavesAThread",
      "Closing leaves a thread behind.",
      during: .closing,
      failing: "read IOERR_READ",
      shows: "expected no thread of the engine after closing"
    ),
  ]

  private static func fault(
    _ omission: String,
    _ effect: String,
    during scenario: FaultScenario,
    failing fault: String,
    shows texts: String...
  ) -> SelfTestBug {
    SelfTestBug(
      omission,
      effect,
      by: "faults",
      firstCase: FaultCampaign.number(of: scenario, fault),
      within: 1,
      finding: .failure(texts)
    ) { isPlanted, _ in
      FaultCampaign(plants: isPlanted ? [omission] : [])
    }
  }

  // MARK: Load

  static let load: [SelfTestBug] = [
    loaded(
      "values.copyHandsOutTheOriginal",
      "Under the policy copy, all readers get the same instance.",
      policy: "copy",
      violating: "noAliasing"
    ),
    loaded(
      "values.containmentLeaks",
      "Under containment, an instance of a writer reaches the caches of readers.",
      policy: "containment",
      violating: "noAliasing"
    ),
    loaded(
      "transaction.countsARowLess",
      "The number of a collection's rows is one too small.",
      policy: "containment",
      violating: "enumerations"
    ),
    loaded(
      "database.neverResetsTheWAL",
      "The WAL is not reset once no reader needs it.",
      policy: "containment",
      violating: "boundedWAL"
    ),
  ]

  private static func loaded(
    _ omission: String,
    _ effect: String,
    policy: String,
    violating invariant: String
  ) -> SelfTestBug {
    SelfTestBug(omission, effect, by: "load", within: 3, finding: .failure(["\(invariant): "])) { isPlanted, _ in
      var load = LoadCampaign.Settings()
      load.engineTests = try settings(isPlanted ? omission : nil)
      return try LoadCampaign([SelfTestScenario.loaded(policy: policy)], load)
    }
  }
}
