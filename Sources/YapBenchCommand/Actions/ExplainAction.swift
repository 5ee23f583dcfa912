internal import BenchModel
internal import BenchReports
internal import NumericConversion

/// Shows what a scenario means.
struct ExplainAction {
  var file: String
  var overrides: [ScenarioOverride] = []
  var choices: [String] = []

  func perform(in context: CommandContext) -> Int32 {
    let files = ScenarioFiles([file], overrides: overrides, choices: choices)
    files.report(to: context.errors)
    guard let loaded = files.entries.first?.loaded else { return files.status.rawValue }
    do throws(ScalarProblem) {
      let yaml = try loaded.explainedYAML()
      let lines = Self.introduction(loaded) + ["", "With every default:", ""] + Self.indented(yaml)
      for line in lines + Self.variants(loaded) + Self.timelines(loaded) {
        context.output.line(InertText.line(line))
      }
      return files.status.rawValue
    } catch {
      context.errors.error("\(file): \(error.message)")
      return ExitStatus.internalError.rawValue
    }
  }

  private static func introduction(_ loaded: LoadedScenario) -> [String] {
    let scenario = loaded.scenario
    let bytes = scenario.dataset.reduce(0) { $0 + $1.expectedBytes }
    let data = bytes > 0 ? ", about \(Quantity.bytes(Int(saturating: bytes))) of data" : ""
    return ["\(scenario.name): \(scenario.summary)", PlannedRuns.text(of: loaded) + data]
  }

  private static func indented(_ yaml: String) -> [String] {
    var lines = yaml.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  private static func variants(_ loaded: LoadedScenario) -> [String] {
    let names = loaded.variants.compactMap(\.name)
    guard !names.isEmpty else { return [] }
    let runs = loaded.repetitions == 1 ? "each runs once" : "each runs \(loaded.repetitions) times, interleaved"
    return ["", "Variants, of which \(runs):"] + names.map { "  \($0)" }
  }

  /// One for all variants, unless they differ in it.
  private static func timelines(_ loaded: LoadedScenario) -> [String] {
    var groups: [(lines: [String], names: [String])] = []
    for variant in loaded.variants {
      let lines = TimelineText(variant.scenario).lines()
      if let index = groups.firstIndex(where: { $0.lines == lines }) {
        groups[index].names.append(variant.name ?? "")
      } else {
        groups.append((lines, [variant.name ?? ""]))
      }
    }
    return groups.flatMap { group in
      let title = groups.count == 1 ? "Timeline:" : "Timeline of \(group.names.joined(separator: "; ")):"
      return ["", title, ""] + group.lines.map { $0.isEmpty ? "" : "  " + $0 }
    }
  }
}
