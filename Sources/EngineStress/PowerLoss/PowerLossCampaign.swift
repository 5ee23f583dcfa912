package import BenchResults
package import YapEngine

/// Power losses at any operation of recorded workloads. A case records one workload, builds the files that a disk may
/// contain after a power loss, and opens them with the engine.
package struct PowerLossCampaign: StressCampaign {
  static let lostCount = "images that lost acknowledged commits"
  static let corruptCount = "corrupt images"

  package struct Settings: Sendable {
    package var synchronous: YapDatabaseOptions.Synchronous
    /// The approximate number of images per case; nil for one per moment.
    package var imagesPerCase: Int?
    /// A second power loss hits the recovery of one image of this many.
    package var secondCrashEvery = 40
    /// All pages are checked in one image of this many.
    var integrityEvery = 2

    package init(synchronous: YapDatabaseOptions.Synchronous = .full, imagesPerCase: Int? = 1_000) {
      self.synchronous = synchronous
      self.imagesPerCase = imagesPerCase
    }
  }

  private let settings: Settings

  package init(_ settings: Settings) {
    self.settings = settings
  }

  package var kind: StressKind { .powerLoss }
  package var synchronous: String { settings.synchronous.rawValue }
  package var arguments: [String] {
    ["--synchronous", synchronous, "--images", String(settings.imagesPerCase ?? 0)]
  }

  package var countNames: [String] {
    ["images", Self.lostCount, Self.corruptCount, "second crashes", "workloads", "operations", "commits acknowledged"]
      + CutStep.named.map(\.countName) + ImageKind.allCases.map(\.countName)
      + ["equal images, not opened again", "rows compared", "integrity checks", "joint commits", "guard frames"]
  }

  package var requirements: [StressRequirement] {
    var needed = [
      StressRequirement("images", else: "no power loss was tried"),
      StressRequirement("commits acknowledged", else: "nothing was written"),
      StressRequirement("second crashes", else: "no power was lost during a recovery"),
      StressRequirement("images inside guard frames", else: "no power loss cut a guard frame"),
      StressRequirement("images inside resets", else: "no power loss cut a reset of the WAL"),
      StressRequirement("integrity checks", else: "no file was checked completely"),
    ]
    if settings.synchronous == .full {
      // Joint commits exist only at this level.
      needed.append(StressRequirement("images inside joint commits", else: "no power loss cut a joint commit"))
    } else {
      needed.append(
        StressRequirement(Self.lostCount, else: "the level \(synchronous) must lose commits, or losses are not seen")
      )
    }
    return needed
  }

  package var untested: [String] {
    [
      "The power losses are computed from the recorded writes and syncs. No real disk lost its power.",
      "Bytes beside a write are assumed to survive it, as SQLite assumes (powersafe overwrite).",
      "The order of operations on files depends on threads, so a repeated case has the same workload and kinds of "
        + "images, but not always the same images. The images of failures are kept.",
    ] + (settings.synchronous == .full ? [] : ["At the level \(synchronous), lost commits are counted, not failures."])
      + (settings.synchronous == .off ? ["At the level off, corrupt images are counted, not failures."] : [])
  }

  package func run(_ testCase: StressCase) throws -> CaseOutcome {
    let run = PowerLossCase(testCase, settings)
    try run.run()
    return run.outcome
  }
}
