package import BenchRegression
package import BenchResults
internal import Foundation
package import HarnessPrimitives
internal import ThreadingPrimitives

/// Prepares a comparison: builds both sides, copies their executables to paths of equal length, and runs each side to
/// check that they are comparable.
package struct ComparisonPreparation: Sendable {
  /// One side as the user gave it.
  package struct Side: Sendable {
    package var source: ArmSource
    /// `path=value`, as `--set` takes it.
    package var settings: [String]

    package init(_ source: ArmSource, settings: [String] = []) {
      (self.source, self.settings) = (source, settings)
    }
  }

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

  /// Checks, before anything is created, that an executable is one of this program, or that a revision exists and that
  /// its build can be kept.
  /// - Throws: `ComparisonError`.
  package static func check(_ source: ArmSource) throws {
    switch source {
    case .this, .run: break
    case .executable(let path): try checkProgram(path)
    case .revision(let revision):
      let builds = RevisionBuild(checkout: ".")
      _ = try builds.commit(of: revision)
      try builds.prepareCache()
    }
  }

  private static func checkProgram(_ path: String) throws {
    let start = FileHandle(forReadingAtPath: path).flatMap { try? $0.read(upToCount: 4) }
    guard start == Data([0x7F] + "ELF".utf8) else {
      throw ComparisonError(.missing, "\(path): this is no ELF file, such as a script; name an executable of yapbench")
    }
    let end = try ChildProcess.run(path, ["--version"])
    guard end.exitCode == 0, end.output.hasPrefix("yapbench ") else {
      throw ComparisonError(.missing, "\(path): this is another program; name an executable of yapbench")
    }
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

  /// Builds revisions, copies both executables into the folder, and checks that they support the scenarios. Executables
  /// come before revisions, so that a mistake in their settings is found before a build.
  package func arms(base: Side, head: Side) throws -> Arms {
    var prepared: [Arm: PreparedArm] = [:]
    let sides: [(arm: Arm, side: Side)] = [(.base, base), (.head, head)]
    for (arm, side) in sides.filter({ !$0.side.source.isRevision }) + sides.filter(\.side.source.isRevision) {
      prepared[arm] = try prepare(side, as: arm)
    }
    guard let base = prepared[.base], let head = prepared[.head] else { preconditionFailure("a side is missing") }
    return Arms(base: base, head: head)
  }

  private func prepare(_ side: Side, as arm: Arm) throws -> PreparedArm {
    let path = try copy(try executable(of: side.source), as: arm)
    let prepared = PreparedArm(arm: try self.arm(of: side.source, path: path, settings: side.settings), path: path)
    try check(prepared, as: arm)
    if countsInstructions { try Self.strip(prepared.program) }
    return prepared
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
    let folder = "\(folder)/\(Self.copies)/\(arm.rawValue)"
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

  /// The folder of the copies in the folder of a comparison.
  package static let copies = "arms"

  private static func strip(_ program: SliceProcess.Program) throws {
    let end = try Callgrind.strip(program.path, to: program.strippedPath)
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

  /// Runs the first scenario on the base and, unless the comparison was begun before, every scenario on the head; and
  /// checks that both sides are comparable.
  /// - Parameter isAnyway: whether the versions of SQLite and Swift and the allocators may differ.
  /// - Returns: the setting of the comparison, and the estimated time of all runs without fresh pairs and budget, in
  ///   seconds; nil for a comparison that was begun before.
  package func setting(
    _ arms: Arms,
    design: ComparisonDesign,
    isAnyway: Bool
  ) throws -> (ComparisonJudge.Setting, seconds: Double?) {
    let slices = slices(arms)
    let isBegun = FileManager.default.fileExists(atPath: journalPath)
    onProgress(isBegun ? "checking both sides with one run each" : "checking both sides with a run of each scenario")
    let base = try slices.environment(of: .base, scenario: scenarios[0].name)
    let start = MonotonicClock.now
    let head = try slices.environment(of: .head, scenario: scenarios[0].name)
    var seconds = [scenarios[0].name: Double(MonotonicClock.now - start) / 1e9]
    for scenario in isBegun ? [] : scenarios.dropFirst() {
      let start = MonotonicClock.now
      _ = try slices.environment(of: .head, scenario: scenario.name)
      seconds[scenario.name] = Double(MonotonicClock.now - start) / 1e9
    }
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
    setting.scenarioDigests = scenarios.map(\.digest)
    return (setting, isBegun ? nil : Self.seconds(of: design, secondsOfRuns: seconds))
  }

  /// Returns the time of all runs without fresh pairs, and with one pair of counts of each scenario. Valgrind makes a
  /// tenth of the operations take about `countingFactor` times as long as all of them do without it, and the rest of a
  /// run about `countingStartSeconds`.
  private static func seconds(of design: ComparisonDesign, secondsOfRuns: [String: Double]) -> Double {
    let timed = design.scenarios.reduce(0) { $0 + 2 * Double(design.pairs) * (secondsOfRuns[$1] ?? 0) }
    let counted = design.countedScenarios.reduce(0) { sum, scenario in
      sum + countingFactor * (secondsOfRuns[scenario] ?? 0) + countingStartSeconds
    }
    return timed + counted
  }

  private static let countingFactor = 5.0
  private static let countingStartSeconds = 25.0

  /// Checks that a side supports the scenarios with its settings, which an older build may not.
  private func check(_ prepared: PreparedArm, as arm: Arm) throws {
    let settings = prepared.arm.settings.flatMap { ["--set", $0] }
    let end = try ChildProcess.run(prepared.path, ["check"] + settings + scenarios.map(\.path))
    guard end.exitCode != 0 else { return }
    let reason = end.errors.isEmpty ? end.lastLines : end.errorLines
    throw ComparisonError(
      end.exitCode > 128 ? .crash : .invalid,
      "the \(arm.rawValue), \(prepared.arm.name), cannot run the scenarios: \(reason)"
    )
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
    try ComparisonJournal(at: journalPath, setting)
  }

  private var journalPath: String { "\(folder)/journal.jsonl" }

  /// Removes the copies of the executables, and the folder of the runs.
  package func removeWork() {
    for path in ["\(folder)/\(Self.copies)", "\(dataFolder)/\(Self.runFolder)"] {
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
