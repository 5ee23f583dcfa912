internal import BenchModel
internal import BenchReports
internal import BenchRunner
internal import Foundation

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

  /// - Parameter choices: the variants that are asked for; all where empty.
  init(_ paths: [String], overrides: [ScenarioOverride] = [], choices: [String] = []) {
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

  /// Each folder replaced by the scenarios below it, as `list` shows them. One without any stays: loading tells of it.
  static func belowFolders(_ paths: [String]) -> [String] {
    paths.flatMap { path in
      guard let found = ListAction.scenarioPaths(below: path), !found.isEmpty else { return [path] }
      return found
    }
  }

  static func isReadableFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isReadableFile(atPath: path)
  }
}
