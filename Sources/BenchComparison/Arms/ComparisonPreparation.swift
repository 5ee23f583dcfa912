package import BenchRegression
package import BenchResults
internal import Foundation
package import HarnessPrimitives

/// Prepares a comparison: builds both sides, copies their executables to paths of equal length, and runs each side once
/// to check that they are comparable.
package struct ComparisonPreparation: Sendable {
  /// Both sides, ready to run.
  package struct Arms: Sendable {
    package var base: PreparedArm
    package var head: PreparedArm
  }

  /// One side, and the path of its executable.
  package struct PreparedArm: Sendable {
    package var arm: ComparedArm
    package var path: String

    var program: SliceProcess.Program { SliceProcess.Program(path: path, settings: arm.settings) }
  }

  private static let runFolder = "run"

  /// The folder of the executables' copies, the journal and the reports.
  package let folder: String
  /// The folder of the runs and their databases.
  private let dataFolder: String
  private let scenarios: [ComparedScenario]
  private let onProgress: @Sendable (String) -> Void

  /// - Parameters:
  ///   - dataFolder: the folder of the runs and their databases; nil for `folder`.
  ///   - onProgress: receives a line at the beginning of each long step.
  package init(
    folder: String,
    dataFolder: String? = nil,
    scenarios: [ComparedScenario],
    onProgress: @escaping @Sendable (String) -> Void
  ) {
    self.folder = folder
    self.dataFolder = dataFolder ?? folder
    self.scenarios = scenarios
    self.onProgress = onProgress
  }

  /// Checks, before anything is created, that a revision exists and that its build can be kept.
  /// - Throws: `ComparisonError`.
  package static func check(_ source: ArmSource) throws {
    guard case .revision(let revision) = source else { return }
    let builds = RevisionBuild(checkout: ".")
    _ = try builds.commit(of: revision)
    try builds.prepareCache()
  }

  /// Reserves the folder for this process.
  /// - Throws: `ComparisonError` if another process uses it, or if it cannot be created.
  package func lock() throws -> FileLock {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ComparisonError(.output, "\(folder): the folder cannot be created (\(error.localizedDescription))")
    }
    guard let lock = try FileLock(ifFree: "\(folder)/.lock") else {
      throw ComparisonError(.output, "\(folder): another process uses it; wait for it to end, or use another --out")
    }
    return lock
  }

  // MARK: Sides

  /// Builds revisions, and copies both executables into the folder; also without debug sections if instructions count.
  package func arms(base: ArmSource, baseSettings: [String], head: ArmSource, headSettings: [String]) throws -> Arms {
    if countsInstructions { try Self.checkValgrind() }
    let basePath = try copy(try executable(of: base), as: .base)
    let headPath = try copy(try executable(of: head), as: .head)
    let arms = Arms(
      base: PreparedArm(arm: try arm(of: base, path: basePath, settings: baseSettings), path: basePath),
      head: PreparedArm(arm: try arm(of: head, path: headPath, settings: headSettings), path: headPath)
    )
    if countsInstructions { for arm in [arms.base, arms.head] { try Self.strip(arm.program) } }
    return arms
  }

  /// Returns the running program as one side.
  package static func thisProgram() throws -> ComparedArm { try ownArm.get() }

  /// Once, because the digest of a large program takes a second.
  private static let ownArm = Result {
    let preparation = ComparisonPreparation(folder: "", scenarios: []) { _ in }
    return try preparation.arm(of: .this, path: try preparation.executable(of: .this), settings: [])
  }

  private func executable(of source: ArmSource) throws -> String {
    switch source {
    case .this: return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    case .executable(let path): return path
    case .revision(let revision):
      let builds = RevisionBuild(checkout: ".")
      return try builds.executable(of: try builds.commit(of: revision), onProgress: onProgress)
    case .run(let path):
      throw ComparisonError(.usage, "\(path): this is a stored run; expected an executable or a revision")
    }
  }

  /// Copies an executable and its libraries into the folder, unless an equal executable is there.
  /// - Returns: the path of the copy. The paths of both sides are equally long, because the length of a program's path
  ///   shifts its stack.
  private func copy(_ executable: String, as arm: Arm) throws -> String {
    let folder = "\(folder)/arms/\(arm.rawValue)"
    let path = "\(folder)/yapbench"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      if FileManager.default.contentsEqual(atPath: executable, andPath: path) { return path }
      try? FileManager.default.removeItem(atPath: path)
      try ReleaseArchive.copyLibraries(of: executable, to: folder)
      try FileManager.default.copyItem(atPath: executable, toPath: path)
    } catch {
      throw ComparisonError(.output, "\(path): the executable could not be copied (\(error.localizedDescription))")
    }
    return path
  }

  private var countsInstructions: Bool { scenarios.contains { $0.counted != nil } }

  private static func checkValgrind() throws {
    for (program, package) in [("valgrind", "valgrind"), ("objcopy", "binutils")] {
      guard try ChildProcess.run("env", [program, "--version"]).exitCode == 0 else {
        throw ComparisonError(
          .missing,
          "\(program) is missing, which --instructions needs; to install it: Scripts/setup \(program):\(package)"
        )
      }
    }
  }

  private static func strip(_ program: SliceProcess.Program) throws {
    let end = try ChildProcess.run("objcopy", ["--strip-debug", program.path, program.strippedPath])
    guard end.exitCode == 0 else { throw ComparisonError(.failure, "objcopy \(program.path): \(end.lastLines)") }
  }

  private func arm(of source: ArmSource, path: String, settings: [String]) throws -> ComparedArm {
    var arm = ComparedArm(sha256: try FileDigest.sha256(of: path), settings: settings)
    switch source {
    case .revision(let revision):
      arm.name = revision
      arm.commit = try RevisionBuild(checkout: ".").commit(of: revision)
    case .this:
      arm.name = "."
      let source = ProgramSource.ofThisProgram
      (arm.commit, arm.hasUncommittedChanges) = (source.commit, source.hasUncommittedChanges)
    case .executable(let path), .run(let path):
      // No commit: the executable may be in another checkout than the one that it was built from.
      arm.name = path
    }
    return arm
  }

  // MARK: Comparability

  /// Runs each side once, checks that both are comparable, and returns the setting of the comparison.
  /// - Parameter isAnyway: whether the versions of SQLite and Swift and the allocators may differ.
  package func setting(_ arms: Arms, design: ComparisonDesign, isAnyway: Bool) throws -> ComparisonJudge.Setting {
    for arm in [arms.base, arms.head] { try check(arm) }
    let slices = slices(arms)
    onProgress("checking both sides with one run each")
    let environments = try Arm.allCases.map { try slices.environment(of: $0, scenario: scenarios[0].name) }
    let (base, head) = (environments[0], environments[1])
    let facts = [
      ("SQLite", base.sqliteVersion, head.sqliteVersion), ("Swift", base.swiftVersion, head.swiftVersion),
      ("allocator", base.allocator, head.allocator),
    ]
    for (fact, one, other) in facts where one != other && !isAnyway {
      throw ComparisonError(
        .failure,
        "\(fact): the base has \(one), the head \(other), so figures differ for other reasons than the change; add "
          + "--anyway to compare them"
      )
    }
    var setting = ComparisonJudge.Setting(
      base: arms.base.arm,
      head: arms.head.arm,
      machine: ComparedMachine(base),
      design: design
    )
    setting.scenarioDigests = try scenarios.map { try FileDigest.sha256(of: $0.path) }
    return setting
  }

  /// Checks that a side supports the scenarios, which an older build may not.
  private func check(_ prepared: PreparedArm) throws {
    let settings = prepared.arm.settings.flatMap { ["--set", $0] }
    let end = try ChildProcess.run(prepared.path, ["check"] + settings + scenarios.map(\.path))
    guard end.exitCode == 0 else {
      throw ComparisonError(.failure, "\(prepared.arm.name) cannot run the scenarios: \(end.lastLines)")
    }
  }

  // MARK: Runs and journal

  package func slices(_ arms: Arms) -> SliceProcess {
    SliceProcess(
      base: arms.base.program,
      head: arms.head.program,
      scenarios: Dictionary(scenarios.map { ($0.name, $0) }) { first, _ in first },
      workFolder: "\(dataFolder)/\(Self.runFolder)"
    )
  }

  package func journal(_ setting: ComparisonJudge.Setting) throws -> ComparisonJournal {
    try ComparisonJournal(at: "\(folder)/journal.jsonl", setting)
  }

  /// Removes the copies of the executables, and the folder of the runs.
  package func removeWork() {
    for path in ["\(folder)/arms", "\(dataFolder)/\(Self.runFolder)"] {
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
