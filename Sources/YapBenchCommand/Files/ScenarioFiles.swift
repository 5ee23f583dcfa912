internal import BenchComparison
internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives

/// Scenario files. All are loaded before any is used, so that all problems are reported together.
struct ScenarioFiles {
  struct Entry {
    var path: String
    var loaded: LoadedScenario
  }

  private(set) var entries: [Entry] = []
  private(set) var problems: [Diagnostic] = []
  /// The warnings of the scenarios that could be loaded.
  private(set) var warnings: [Diagnostic] = []
  private(set) var isInputMissing = false

  /// Uses scenarios that are loaded already.
  init(entries: [Entry]) { self.entries = entries }

  /// Loads files, and for each folder the scenarios below it.
  ///
  /// - Parameters:
  ///   - overrides: Values that are changed after the changes of `choice`.
  ///   - drivers: The drivers that the variants compare; empty for the scenarios' own drivers.
  init(
    below paths: [String],
    _ choice: ScenarioChoice? = nil,
    overrides: [ScenarioOverride] = [],
    drivers: [DriverKind] = []
  ) {
    var files: [String] = []
    var found: [Diagnostic] = []
    for path in paths {
      guard let search = ScenarioSearch(below: path) else {
        files.append(path)
        continue
      }
      files += search.paths
      found += search.problems
      if search.paths.isEmpty, search.problems.isEmpty {
        found.append(Diagnostic(file: path, message: "there is no scenario in this folder"))
      }
    }
    self.init(files, choice, overrides: overrides, drivers: drivers)
    problems = found + problems
    isInputMissing = isInputMissing || !found.isEmpty
    if let tags = choice?.tags, !tags.isEmpty { keep { $0.loaded.scenario.hasTag(of: tags) } }
  }

  /// Loads files.
  init(
    _ paths: [String],
    _ choice: ScenarioChoice? = nil,
    overrides: [ScenarioOverride] = [],
    drivers: [DriverKind] = []
  ) {
    let overrides = (choice?.overrides ?? []) + overrides
    for path in paths {
      do {
        let loaded = try ScenarioLoader.load(path: path, overrides: overrides, drivers: drivers)
          .choosing(choice?.variants ?? [])
        entries.append(Entry(path: path, loaded: loaded))
        warnings += loaded.warnings.filter { !warnings.contains($0) }
      } catch {
        if !Self.isReadableFile(path) { isInputMissing = true }
        // Several files may have the same problem with an override or an included file. It is reported once.
        let known = Set(problems)
        problems += error.diagnostics.filter { !known.contains($0) }
      }
    }
  }

  /// - Throws: `Failure` if two scenarios have the same name, because names identify results.
  func checkNames() throws {
    for (name, same) in Dictionary(grouping: entries, by: \.loaded.scenario.name).sorted(by: { $0.key < $1.key })
    where same.count > 1 {
      throw Failure("\(same[0].path) and \(same[1].path) have one name, \"\(name)\"; leave one out", .usage)
    }
  }

  /// Removes the entries for which `isWanted` returns false.
  mutating func keep(_ isWanted: (Entry) -> Bool) {
    entries.removeAll { !isWanted($0) }
    dropOtherWarnings()
  }

  /// Removes the variants for which `isWanted` returns false, and the entries of which none is left.
  mutating func keepVariants(_ isWanted: (Scenario) -> Bool) {
    entries = entries.compactMap { entry in
      entry.loaded.keeping(isWanted).map { Entry(path: entry.path, loaded: $0) }
    }
    dropOtherWarnings()
  }

  /// Removes the warnings of removed entries.
  private mutating func dropOtherWarnings() {
    let left = Set(entries.flatMap(\.loaded.warnings))
    warnings.removeAll { !left.contains($0) }
  }

  /// Replaces the scenarios that need more memory than is available by problems.
  mutating func checkMemory(_ available: AvailableMemory?) {
    entries.removeAll { entry in
      guard let refusal = MemoryText.refusal(MemoryEstimate(entry.loaded), available) else { return false }
      problems.append(Diagnostic(file: entry.path, message: refusal))
      return true
    }
  }

  var status: ExitStatus {
    if isInputMissing { return .missingInput }
    return problems.isEmpty ? .passed : .invalidScenario
  }

  /// Writes the problems, and then the warnings, which do not affect the status.
  func report(to errors: any TextOutput) {
    for problem in problems + warnings { errors.show(problem) }
  }

  static func isReadableFile(_ path: String) -> Bool {
    (try? RegularFile(path: path)) != nil
  }
}

extension Scenario {
  /// Whether the scenario has one of these tags; true if there are none.
  func hasTag(of wanted: [String]) -> Bool { wanted.isEmpty || tags.contains(where: wanted.contains) }
}

/// The scenario files in a folder and its subfolders.
struct ScenarioSearch {
  /// Sorted paths, each of which begins with the folder.
  private(set) var paths: [String] = []
  /// Files whose names cannot be used, and folders that cannot be read.
  private(set) var problems: [Diagnostic] = []

  /// Finds every YAML file below a folder, except hidden files, those in hidden folders, and those whose names begin
  /// with `_`, which scenarios include.
  ///
  /// - Returns: nil if `folder` is not a folder.
  init?(below folder: String) {
    guard let entries = FolderTree.entries(below: folder, suffixes: [".yaml", ".yml"]) else { return nil }
    let parent = folder.hasSuffix("/") ? folder : folder + "/"
    for entry in entries {
      switch entry {
      case .file(let path) where PathParts(path).name.hasPrefix("_"): break
      case .file(let path): paths.append(parent + path)
      case .problem(let path, let explanation):
        problems.append(Diagnostic(file: parent + path, message: explanation))
      }
    }
  }
}

/// The project's own scenarios, for commands that have some as their default.
enum ProjectScenarios {
  /// Returns the paths that a user has given; if there are none, the folder of the scenarios for comparisons.
  static func compared(_ paths: [String]) throws -> [String] { paths.isEmpty ? [try folder("compare")] : paths }

  /// Returns the folder of all scenarios, or one of its folders, such as `compare`: below the working folder, in the
  /// checkout that this program was built in, or in its release archive.
  static func folder(_ name: String? = nil) throws -> String {
    let path = name.map { "Scenarios/\($0)" } ?? "Scenarios"
    return try first(of: [path] + withProgram(path))
  }

  /// Returns the folder of all scenarios of this program's checkout or archive. Scenarios below the working folder are
  /// only used without one, so that a suite is the same in each working folder.
  static func folderOfProgram() throws -> String { try first(of: withProgram("Scenarios") + ["Scenarios"]) }

  private static func withProgram(_ path: String) -> [String] {
    guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return [] }
    // .build/<triple>/release, or a folder of its own below .build
    let folders = sequence(first: PathParts(program).folder) { PathParts($0).folder }
    return folders.prefix(5).map { "\($0)/\(path)" }
  }

  private static func first(of candidates: [String]) throws -> String {
    guard let found = candidates.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
      throw Failure(
        "Scenarios: there is no such folder; run the command in the project's folder, or name scenarios",
        .missingInput
      )
    }
    return found
  }
}
