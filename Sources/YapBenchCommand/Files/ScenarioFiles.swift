internal import BenchComparison
internal import BenchModel
internal import BenchReports
internal import BenchRunner
internal import SystemFiles

/// Scenario files, loaded all before anything is done with one, so that every problem of all is told at once.
struct ScenarioFiles {
  struct Entry {
    var path: String
    var loaded: LoadedScenario
  }

  private(set) var entries: [Entry] = []
  private(set) var problems: [Diagnostic] = []
  private(set) var isInputMissing = false

  /// Scenarios that are in no file of their own.
  init(entries: [Entry]) { self.entries = entries }

  /// Loads files, and for each folder the scenarios below it.
  ///
  /// - Parameter choices: the variants that are asked for; all where empty.
  init(below paths: [String], overrides: [ScenarioOverride] = [], choices: [String] = []) {
    var files: [String] = []
    for path in paths {
      // Loading reports a folder without scenarios.
      guard let search = ScenarioSearch(below: path), !search.paths.isEmpty || !search.problems.isEmpty else {
        files.append(path)
        continue
      }
      files += search.paths
      problems += search.problems
    }
    isInputMissing = !problems.isEmpty
    load(files, overrides, choices)
  }

  /// - Parameter choices: the variants that are asked for; all where empty.
  init(_ paths: [String], overrides: [ScenarioOverride] = [], choices: [String] = []) {
    load(paths, overrides, choices)
  }

  private mutating func load(_ paths: [String], _ overrides: [ScenarioOverride], _ choices: [String]) {
    for path in paths {
      do {
        let loaded = try ScenarioLoader.load(path: path, overrides: overrides).choosing(choices)
        entries.append(Entry(path: path, loaded: loaded))
      } catch {
        if !Self.isReadableFile(path) { isInputMissing = true }
        // What is wrong with an override is wrong for every file.
        let known = Set(problems.filter { $0.file == ScenarioOverride.file })
        problems += error.diagnostics.filter { !known.contains($0) }
      }
    }
  }

  /// - Throws: `ComparisonError` if two scenarios have the same name, by which results are told apart.
  func checkNames() throws {
    let names = entries.map(\.loaded.scenario.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw ComparisonError(.usage, "two of the files have a scenario \"\(twice)\"; expected different names")
    }
  }

  /// Leaves out the others.
  mutating func keep(_ isWanted: (Entry) -> Bool) { entries.removeAll { !isWanted($0) } }

  /// Refuses the scenarios that need more memory than there is.
  mutating func checkMemory(_ available: AvailableMemory?) {
    entries.removeAll { entry in
      guard let refusal = MemoryText.refusal(MemoryEstimate(entry.loaded), available) else { return false }
      problems.append(Diagnostic(file: entry.path, line: 1, column: 1, message: refusal))
      return true
    }
  }

  var status: ExitStatus {
    if isInputMissing { return .missingInput }
    return problems.isEmpty ? .allHeld : .invalidScenario
  }

  func report(to errors: any TextOutput) {
    for problem in problems { errors.line(InertText.line(problem.description)) }
  }

  static func isReadableFile(_ path: String) -> Bool {
    (try? RegularFile(path: path)) != nil
  }
}
