internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import HarnessPrimitives

struct ExplainCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Shows a scenario with all defaults, its variants and a timeline.",
    discussion: """
      Examples:
        yapbench explain Scenarios/wal/stalled-reader.yaml
        yapbench explain --set phases.stall.for=2m FILE
      """
  )

  @Argument(help: ArgumentHelp("A scenario file.", valueName: "file"), completion: .scenarios)
  var file: PathArgument

  @OptionGroup var choice: ScenarioChoice

  func perform(in context: CommandContext) throws -> Int32 {
    let files = ScenarioFiles([file.text], choice)
    files.report(to: context.errors)
    guard let loaded = files.entries.first?.loaded else { return files.status.rawValue }
    do throws(ScalarProblem) {
      for line in try Self.lines(loaded) { context.output.line(InertText.line(line)) }
      return files.status.rawValue
    } catch {
      throw Failure("\(file.text): \(error.message)", .internalError)
    }
  }

  private static func lines(_ loaded: LoadedScenario) throws(ScalarProblem) -> [String] {
    let scenario = loaded.scenario
    let bytes = scenario.dataset.reduce(0) { $0 + $1.expectedBytes }
    let data = bytes > 0 ? ", about \(Quantity.bytes(Int(saturating: bytes))) of data" : ""
    let introduction = ["\(scenario.name): \(scenario.summary)", PlannedRuns.text(of: loaded) + data]
    var yaml = try loaded.explainedYAML().split(separator: "\n", omittingEmptySubsequences: false)
    while yaml.last == "" { yaml.removeLast() }
    return introduction + ["", "With all defaults:", ""] + indented(yaml) + variants(loaded) + timelines(loaded)
  }

  private static func indented(_ lines: [some StringProtocol]) -> [String] { lines.map { $0.isEmpty ? "" : "  \($0)" } }

  private static func variants(_ loaded: LoadedScenario) -> [String] {
    let names = loaded.variants.compactMap(\.name)
    guard !names.isEmpty else { return [] }
    let runs = loaded.repetitions == 1 ? "once" : "\(loaded.repetitions) times, interleaved"
    return ["", "Variants, each run \(runs):"] + names.map { "  \($0)" }
  }

  /// Returns one timeline for each group of variants whose timelines are equal.
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
      return ["", title, ""] + indented(group.lines)
    }
  }
}
