package import BenchResults
internal import Foundation
internal import HarnessPrimitives
internal import YapEngine

/// Opens and uses damaged databases, paths that are no regular files, and databases while the system refuses a
/// resource.
///
/// Each outcome is an error of the engine, or right: `DamageTrial` and `LimitTrial` state what is right. A crash or a
/// hang ends the process, so the cases run in an `IsolatedCampaign`.
package final class DamageCampaign: StressCampaign {
  private let stores = DamageStores()

  package init() {}

  package let kind = StressKind.damage
  package let arguments: [String] = []
  package let synchronous = "off"
  /// A case changes the limits of its process.
  package let runsConcurrently = false

  package var countNames: [String] {
    [
      DamageCount.refused, DamageCount.opened, DamageCount.complete, DamageCount.prefix, DamageCount.found,
      DamageCount.other, DamageCount.replaced,
    ] + DamageKind.allCases.filter { $0 != .path && $0 != .limit }.map(\.countName)
      + PathForm.allCases.map(\.countName) + PathObstacle.allCases.map(\.countName)
      + SystemLimit.allCases.map(\.countName)
      + [ReadOnlyTemporaryFolders.countName]
  }

  package var requirements: [StressRequirement] {
    let optional =
      [DamageCount.other, ReadOnlyTemporaryFolders.countName] + Self.forbiddenLimits.map(\.countName)
    return countNames.filter { !optional.contains($0) }.map {
      StressRequirement($0, else: "not every kind of damage and outcome was seen")
    } + ReadOnlyTemporaryFolders.requirements
  }

  package var untested: [String] {
    [
      "Damage while the database is open.",
      "Devices as database files, file systems of a network, and memory exhaustion.",
      "Damage of values in the database file is found by the ledger of this test; SQLite has no checksums there.",
    ] + Self.untested(without: Self.forbiddenLimits)
  }

  /// The limits that the machine does not permit, so that no case imposes them.
  private static var forbiddenLimits: [SystemLimit] { SystemLimit.allCases.filter { !$0.isPermitted } }

  /// Describes the behaviour that is not tested if the limits are not imposed.
  static func untested(without limits: [SystemLimit]) -> [String] {
    var untested: [String] = []
    if limits.contains(where: \.needsMounts) {
      untested.append("Full and read-only file systems, because mounts are not permitted here.")
      untested.append(ReadOnlyTemporaryFolders.untested)
    }
    if limits.contains(where: \.bindsOnlyOthers) {
      untested.append(
        "Read-only files and folders, because the cases run as root and may not become another user here."
      )
    }
    return untested
  }

  /// The kind of a case. Every 32nd case imposes a limit, and every 32nd has an obstacle in the path.
  private static func kind(of number: Int) -> DamageKind {
    let ofFiles = DamageKind.allCases.filter { $0 != .path && $0 != .limit }
    switch number % 32 {
    case 15: return .path
    case 31: return .limit
    default: return ofFiles[(number - number / 32 * 2 - (number % 32 > 15 ? 1 : 0)) % ofFiles.count]
    }
  }

  package func run(_ testCase: StressCase) throws -> CaseOutcome {
    try ReadOnlyTemporaryFolders.run(testCase) { try use(testCase) }
  }

  private func use(_ testCase: StressCase) throws -> CaseOutcome {
    let kind = Self.kind(of: testCase.number)
    let folder = testCase.folder + "/used"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/file.sqlite"
    switch kind {
    case .path: return try runPath(testCase, at: path)
    case .limit: return try runLimit(testCase, folder: folder, at: path)
    default: return try runDamage(kind, of: testCase, at: path)
    }
  }

  private func runDamage(_ kind: DamageKind, of testCase: StressCase, at path: String) throws -> CaseOutcome {
    var random = testCase.random("damage")
    let shapes = DamageStore.Shape.allCases
    let index = random.below(shapes.count)
    let otherIndex = (index + 1 + random.below(shapes.count - 1)) % shapes.count
    let store = try stores.store(shapes[index], for: testCase)
    let other = try stores.store(shapes[otherIndex], for: testCase)
    var damage = FileDamage(random: testCase.random("bytes"))
    var files = store.files
    damage.apply(kind, to: &files, of: store, beside: other)
    try DamageStore.write(files, to: path)
    if kind == .tables {
      var damage = TableDamage(random: testCase.random("tables"))
      try damage.apply(to: path)
      files = try DamageStore.contents(path)
    }
    // The engine changes the files, so a failed case keeps these too.
    let kept = testCase.folder + "/damaged"
    try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
    try DamageStore.write(files, to: kept + "/file.sqlite")
    let form = PathForm(ofCase: testCase.number)
    let trial = DamageTrial(
      path: path,
      form: form,
      store: store,
      other: other,
      files: files,
      expectation: DamageTrial.expectation(kind, of: store, damagedTo: files),
      corruptAction: YapDatabaseCorruptAction.allCases[random.below(YapDatabaseCorruptAction.allCases.count)],
      random: testCase.random("writes")
    )
    trial.run()
    var outcome = named(
      "\(kind.rawValue), \(store.shape.rawValue), \(form.countName)",
      trial.outcome,
      counting: kind.countName
    )
    outcome.count(form.countName)
    return outcome
  }

  private func runPath(_ testCase: StressCase, at path: String) throws -> CaseOutcome {
    let obstacle = PathObstacle.allCases[testCase.number / 32 % PathObstacle.allCases.count]
    var random = testCase.random("damage")
    let store = try stores.store(obstacle.shape, for: testCase)
    try DamageStore.write(store.files, to: path)
    try obstacle.place(at: path)
    let trial = DamageTrial(
      path: path,
      store: store,
      files: nil,
      expectation: obstacle.expectation,
      corruptAction: YapDatabaseCorruptAction.allCases[random.below(YapDatabaseCorruptAction.allCases.count)],
      random: testCase.random("writes")
    )
    trial.run()
    return named("path: \(obstacle.rawValue)", trial.outcome, counting: obstacle.countName)
  }

  private func runLimit(_ testCase: StressCase, folder: String, at path: String) throws -> CaseOutcome {
    let limit = SystemLimit.allCases[testCase.number / 32 % SystemLimit.allCases.count]
    guard let imposed = ImposedLimit(limit, folder: folder, path: path) else { return CaseOutcome() }
    let trial = LimitTrial(imposed, random: testCase.random("limit"))
    try trial.run()
    return trial.outcome
  }

  private func named(_ name: String, _ outcome: CaseOutcome, counting count: String) -> CaseOutcome {
    var outcome = outcome
    outcome.count(count)
    outcome.failures = outcome.failures.map { "\(name): \($0)" }
    return outcome
  }
}
