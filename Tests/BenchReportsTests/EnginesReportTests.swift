import Foundation
import Testing

@testable import BenchReports
@testable import BenchResults

struct EnginesReportTests {
  private func text(_ result: ScenarioResult) -> String {
    ScenarioReport(result: result, command: "yapbench run scenario.yaml").text
  }

  /// The cells of the row of a figure.
  private func row(_ scope: String, _ figure: String, in result: ScenarioResult = EngineRuns.result) -> [String] {
    let rows = text(result).split(separator: "\n").filter { $0.hasPrefix("|") }
    let cells = rows.map { row in
      row.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
    }
    return cells.first { $0.count == 4 && $0[0] == "`\(scope)`" && $0[1] == figure } ?? []
  }

  @Test func `Engines are columns, and have the ratio to the first with its interval`() {
    #expect(row("stall/import", "response p50").last == "201 µs **×2.00 (2.00…2.00)**")
    #expect(row("stall", "storage peak")[2...] == ["4.00 MiB", "2.00 MiB **×0.500 (0.500…0.500)**"])
    #expect(text(EngineRuns.result).contains("| of "))
  }

  @Test func `Pairs are repetitions with the same number`() throws {
    let result = EngineRuns.result
    let pairs = result.pairs(of: result.variants[1], with: result.variants[0])
    #expect(pairs.map(\.0.repetition) == Array(1...7) && pairs.map(\.1.repetition) == Array(1...7))
    #expect(pairs.allSatisfy { $0.0.driver == "sqlite" && $0.1.driver == "yap" })
  }

  @Test(arguments: [
    // The first engine has 100 KiB in each repetition.
    ([200, 210, 220], "×2.10 (2.00…2.20)", true), ([99, 100, 102], "×1.00 (0.990…1.02) ?", false),
    ([90, 100, 150], "×1.00 (0.90…1.5) ?", false), ([10, 100, 900], "×0.949 (wide: 0.10…9.0) ?", false),
  ])
  func `Ratios that show a difference are bold, the others grey with a question mark, and wide intervals are named`(
    kibibytes: [Int],
    text: String,
    isDecided: Bool
  ) throws {
    var result = EngineRuns.result
    for index in result.runs.indices where result.runs[index].driver == "sqlite" {
      for sample in result.runs[index].samples.indices {
        result.runs[index].samples[sample].storageBytes = kibibytes[(result.runs[index].repetition - 1) % 3] << 10
      }
    }
    for index in result.runs.indices where result.runs[index].driver == "yap" {
      for sample in result.runs[index].samples.indices { result.runs[index].samples[sample].storageBytes = 100 << 10 }
    }
    let cell = try #require(row("stall", "storage peak", in: result).last)
    #expect(cell.hasSuffix(isDecided ? "**\(text)**" : " \(text)"), "\(cell)")
    let page = ScenarioReport(result: result, command: "").page
    let element = isDecided ? "<strong>\(text)</strong>" : "<span class=\"faint\">\(text)</span>"
    #expect(page.contains(element))
  }

  @Test func `With one repetition there is no interval`() {
    var result = EngineRuns.result
    result.runs.removeAll { $0.repetition != 2 }
    result.repetitions = 1
    #expect(row("stall", "storage peak", in: result).last == "2.00 MiB ×0.500")
  }

  @Test func `Settings and exclusions have a table each`() {
    let text = text(EngineRuns.result)
    #expect(text.contains("## Settings of the engines") && text.contains("Library of sqlite"))
    #expect(text.contains("## Not compared"))
    #expect(text.contains("invariant \"cacheCoherence\"") && text.contains("it has no caches of objects"))
    #expect(ConsoleSummary.lines(EngineRuns.result).contains(#"not compared, sqlite: invariant "cacheCoherence""#))
  }

  @Test func `The environment names every engine with its exposure, and the settings are only in their table`() {
    var result = EngineRuns.result
    for index in result.runs.indices { result.runs[index].environment.sqliteHasWALResetDefect = true }
    let environment = environment(of: result)
    for driver in ["yap", "sqlite"] { #expect(environment.contains("| `\(driver)`: Library of \(driver)")) }
    #expect(!environment.contains("`yap`: pages"))
    #expect(environment.contains("The engine never lets the WAL restart"))
    #expect(environment.contains("Driver `sqlite` makes no checkpoint during its commits"))
  }

  @Test func `Without a comparison the environment has the settings that all runs of a driver have in common`() {
    var result = EngineRuns.result
    result.engines = nil
    let last = result.runs.lastIndex { $0.driver == "sqlite" }
    if let last { result.runs[last].engine.options = [.init("pages", "10")] }
    let environment = environment(of: result)
    #expect(environment.contains("| `yap`: pages") && !environment.contains("`sqlite`: pages"))
  }

  private func environment(of result: ScenarioResult) -> String {
    let sections = text(result).components(separatedBy: "\n## ")
    return sections.first { $0.hasPrefix("Environment") } ?? ""
  }

  @Test func `An engine without a setting stands beside each value of the setting`() {
    var result = EngineRuns.result
    let other = VariantSetting(path: "engine.policy", key: "policy", value: "share")
    result.variants[0].settings.append(other)
    result.variants[1].settings.append(
      VariantSetting(path: "engine.policy", key: "policy", value: VariantSetting.merged)
    )
    var copy = result.variants[0]
    copy.name = "other"
    copy.settings[1].value = "copy"
    result.variants.append(copy)
    let text = text(result)
    #expect(text.contains("With `policy=share`:") && text.contains("With `policy=copy`:"))
    #expect(!text.contains("policy=–"))
  }

  @Test func `The command that repeats the runs compares again`() {
    let command = RepeatCommand(program: "yapbench", reportFolder: "out", dataFolder: nil, currentFolder: "/mnt")
    #expect(
      command.text(for: EngineRuns.result, in: "/mnt/out/a")
        == "yapbench run --seed 42 --driver yap,sqlite --out /mnt/out /mnt/out/a/scenario.yaml"
    )
  }
}
