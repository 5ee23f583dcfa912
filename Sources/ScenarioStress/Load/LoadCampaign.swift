package import BenchResults
internal import BenchRunner
package import BenchScenario
package import EngineStress
internal import Foundation
internal import Synchronization
internal import ThreadingPrimitives

/// Runs scenarios with a ledger and every invariant. A case is one run of one variant of one scenario.
package final class LoadCampaign: StressCampaign {
  /// The settings of a campaign.
  package struct Settings: Sendable {
    /// The number of runs of each variant.
    package var repetitions = 1
    /// Whether the scenarios' phases are shortened.
    package var isSmoke = false
    /// An existing folder to which the databases of passed cases are moved; nil if they are removed.
    package var databaseFolder: String?
    /// The arguments that repeat the campaign, beside its seed.
    package var arguments: [String] = []

    package init() {}
  }

  /// One variant of a scenario.
  private struct Subject: Sendable {
    let loaded: LoadedScenario
    let variant: Int

    var scenario: Scenario { loaded.variants[variant].scenario }
  }

  private let subjects: [Subject]
  private let settings: Settings
  /// The subjects of which a case was run to its end, since the campaign was started or resumed.
  private let performed = Guarded<Set<Int>>([])

  /// - Parameter scenarios: scenarios of the driver `yap`; not empty.
  package init(_ scenarios: [LoadedScenario], _ settings: Settings) {
    let scenarios = settings.isSmoke ? scenarios.map { $0.smoke() } : scenarios
    inputDigest = LoadedScenario.digest(of: scenarios.map(\.digest))
    subjects = scenarios.flatMap { loaded in loaded.variants.indices.map { Subject(loaded: loaded, variant: $0) } }
    self.settings = settings
  }

  package var kind: StressKind { .load }
  package var arguments: [String] { settings.arguments }
  package let inputDigest: String?
  package var caseCount: Int? { subjects.count * settings.repetitions }
  /// A scenario has threads of its own, and its rates assume an otherwise idle machine.
  package var runsConcurrently: Bool { false }

  package var synchronous: String {
    Set(subjects.map { $0.scenario.engine.synchronous.rawValue }).sorted().joined(separator: ", ")
  }

  package var countNames: [String] {
    ["runs", "transactions", "commits acknowledged"] + CheckedProperty.all.map(\.countName)
  }

  /// Includes the properties that the performed cases are certain to check: a limit may leave cases out.
  package var requirements: [StressRequirement] {
    let scenarios = performed.withLock { $0.sorted() }.map { subjects[$0].scenario }
    let certain = CheckedProperty.all.filter { scenarios.contains(where: $0.isCertain) }
    return [
      StressRequirement("transactions", else: "no transaction was run"),
      StressRequirement("commits acknowledged", else: "nothing was written"),
    ] + certain.map { StressRequirement($0.countName, else: "\($0.invariant.rawValue) was never checked") }
  }

  package var untested: [String] {
    [
      "Checks take a twelfth of the time of transactions at most: reads beyond that are not compared.",
      "The engine's own numbers of commits order the versions; the checker of lists does not use them.",
      "A power loss, a failing disk and other processes are not part of the load.",
    ]
  }

  package func run(_ testCase: StressCase) throws -> CaseOutcome {
    let number = testCase.number % subjects.count
    let subject = subjects[number]
    var random = testCase.random("seed")
    let loaded = subject.loaded.singleRun(ofVariant: subject.variant, seed: random.next() >> 32)
    let path = "\(testCase.folder)/\(loaded.scenario.name).sqlite"
    let log = try settings.databaseFolder.map { _ in
      try AcknowledgementLogWriter(path: path + LoadCampaign.acknowledgementSuffix)
    }
    let acknowledged = AcknowledgementCount(log)
    var options = RunOptions(dataFolder: testCase.folder, keepsDatabase: true, isSmoke: settings.isSmoke)
    options.measuresHarness = false
    options.keepsLedger = true
    options.invariants = Set(Invariant.allCases)
    options.onAcknowledgement = { acknowledged.add($0) }
    let result = try ScenarioRun.perform(loaded, options: options, interruption: testCase.interruption)
    if !testCase.interruption.isRaised { performed.withLock { _ = $0.insert(number) } }
    var outcome = CaseOutcome()
    for run in result.runs { outcome.addLoad(run) }
    outcome.count("commits acknowledged", acknowledged.count)
    if let error = acknowledged.error { outcome.failures.append("the acknowledgement log: \(error)") }
    if outcome.failures.isEmpty {
      try keepDatabase(of: testCase)
    } else {
      // Beside the database, so that the failed run can be repeated after the scenario has changed.
      try Data(loaded.expandedYAML.utf8).write(to: URL(fileURLWithPath: "\(testCase.folder)/scenario.yaml"))
    }
    return outcome
  }

  /// The end of the name of the file beside a kept database that has the numbers of the acknowledged commits.
  package static let acknowledgementSuffix = ".acknowledged"

  private func keepDatabase(of testCase: StressCase) throws {
    guard let folder = settings.databaseFolder, !testCase.interruption.isRaised else { return }
    let kept = "\(folder)/case-\(testCase.number)"
    let files = FileManager.default
    if files.fileExists(atPath: kept) { try files.removeItem(atPath: kept) }
    try files.createDirectory(atPath: kept, withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: testCase.folder) {
      try files.moveItem(atPath: "\(testCase.folder)/\(name)", toPath: "\(kept)/\(name)")
    }
  }
}

/// Counts the acknowledged commits, and writes them to a log if there is one.
private final class AcknowledgementCount: Sendable {
  private let log: AcknowledgementLogWriter?
  private let number = Atomic<Int>(0)
  private let failure = Guarded<String?>(nil)

  init(_ log: AcknowledgementLogWriter?) { self.log = log }

  var count: Int { number.load(ordering: .relaxed) }
  /// The first error of the log.
  var error: String? { failure.withLock { $0 } }

  func add(_ commit: UInt64) {
    number.wrappingAdd(1, ordering: .relaxed)
    guard let log else { return }
    do { try log.append(CollectionOfOne(commit)) } catch {
      failure.withLock { [text = "\(error)"] in $0 = $0 ?? text }
    }
  }
}
