internal import BenchModel
internal import BenchReports
internal import Foundation

/// Shows the scenarios of a folder.
struct ListAction {
  var folder: String

  func perform(in context: CommandContext) -> Int32 {
    guard let paths = Self.scenarioPaths(below: folder) else {
      context.errors.error("\(folder): there is no such folder")
      return ExitStatus.missingInput.rawValue
    }
    var rows = [["NAME", "AT MOST", "RUNS", "TAGS", "PATH", "SUMMARY"]]
    var broken: [String] = []
    for path in paths {
      do {
        let loaded = try ScenarioLoader.load(path: path)
        let scenario = loaded.scenario
        let tags = scenario.tags.isEmpty ? "-" : scenario.tags.joined(separator: ",")
        rows.append([
          scenario.name, PlannedTime.text(of: loaded), PlannedRuns.count(of: loaded), tags, path, scenario.summary,
        ])
      } catch {
        let count = Quantity.count(error.diagnostics.count, of: "problem")
        broken.append("\(path): does not load: \(count); see \(Program.name) check \(path)")
      }
    }
    if rows.count > 1 {
      for line in AlignedColumns.lines(rows.map { $0.map(InertText.line) }) { context.output.line(line) }
    }
    for line in broken { context.output.line(InertText.line(line)) }
    if paths.isEmpty { context.errors.line(InertText.line("no scenario below \(folder)")) }
    return ExitStatus.allHeld.rawValue
  }

  /// Every YAML file below the folder that is not hidden, sorted; nil where there is no such folder.
  static func scenarioPaths(below folder: String) -> [String]? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue,
      let names = FileManager.default.enumerator(atPath: folder)
    else { return nil }
    let parent = folder.hasSuffix("/") ? folder : folder + "/"
    return names.compactMap { $0 as? String }.filter { name in
      let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
      return !isHidden && (name.hasSuffix(".yaml") || name.hasSuffix(".yml"))
    }.sorted().map { parent + $0 }
  }
}
