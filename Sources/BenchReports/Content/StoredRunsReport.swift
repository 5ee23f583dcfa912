package import BenchResults

/// The results of two stored scenarios side by side, with the differences between their environments.
package struct StoredRunsReport {
  private let base: ScenarioResult
  private let head: ScenarioResult
  private let baseFigures: [RunFigure]
  private let headFigures: [RunFigure]

  package init(base: ScenarioResult, head: ScenarioResult, baseFigures: [RunFigure], headFigures: [RunFigure]) {
    self.base = base
    self.head = head
    self.baseFigures = baseFigures
    self.headFigures = headFigures
  }

  /// Returns the reasons for which two results are not comparable; empty if they are comparable.
  package static func obstacles(_ base: ScenarioResult, _ head: ScenarioResult) -> [String] {
    let (one, other) = (base.first.environment, head.first.environment)
    var obstacles: [String] = []
    func require(_ fact: String, base: String, head: String) {
      if base != head { obstacles.append("different \(fact): \(base) and \(head)") }
    }
    require("scenarios", base: base.first.scenario, head: head.first.scenario)
    require("processors", base: one.cpu, head: other.cpu)
    require("numbers of cores", base: String(one.coreCount), head: String(other.coreCount))
    if !ProcessorLimits.areSame(one.processorLimits, other.processorLimits) {
      require("limits on processors", base: limits(one), head: limits(other))
    }
    require("memory sizes", base: Quantity.bytes(one.memoryBytes), head: Quantity.bytes(other.memoryBytes))
    require("file systems", base: one.fileSystem, head: other.fileSystem)
    require("SQLite versions", base: one.sqliteVersion, head: other.sqliteVersion)
    if base.first.scenario == head.first.scenario, textWithoutSeed(base) != textWithoutSeed(head) {
      obstacles.append("different texts of the scenario \(base.first.scenario)")
    }
    for (arm, result) in [("base", base), ("head", head)] {
      if result.machines.count > 1 { obstacles.append("the \(arm) was measured on \(result.machines.count) machines") }
      if let shard = result.shard { obstacles.append("the \(arm) is only \(shard.shard.text)") }
      if result.first.environment.buildMode != "release" {
        obstacles.append("the \(arm) was measured with a \(result.first.environment.buildMode) build; expected release")
      }
      if result.first.isSmoke { obstacles.append("the \(arm) is a smoke run, whose figures are not measurements") }
      let valid: [ExitStatus] = [.passed, .expectationFailed]
      if !valid.contains(result.verdict.exitCode) {
        obstacles.append("the \(arm) is not valid: \(result.verdict.headline)")
      }
    }
    return obstacles
  }

  private static func limits(_ environment: RunEnvironment) -> String { environment.processorLimits?.text ?? "none" }

  /// Returns the lines of the scenario as it ran, without its seed, which may be drawn for each run.
  private static func textWithoutSeed(_ result: ScenarioResult) -> [Substring] {
    result.scenarioYAML.split(separator: "\n").filter { !$0.hasPrefix("seed:") }
  }

  package var lines: [String] {
    var rows = [["FIGURE", "BASE", "HEAD", "HEAD/BASE"]]
    let (base, head) = (Self.medians(of: baseFigures), Self.medians(of: headFigures))
    var shown: Set<FigureName> = []
    for figure in baseFigures where figure.role != .part && shown.insert(figure.name).inserted {
      guard let one = base[figure.name], let other = head[figure.name] else { continue }
      let ratio = one > 0 ? Quantity.threeDigits(other / one) : Quantity.missing
      rows.append([figure.name.text, figure.unit.text(one), figure.unit.text(other), ratio])
    }
    var lines = AlignedColumns.lines(rows)
    if rows.count == 1 { lines = ["the runs have no figure in common"] }
    if !differences.isEmpty { lines += ["", "other differences (base / head):"] + differences.map { "  " + $0 } }
    lines += [
      "",
      "No verdict: the state of the machine differs between two times. For a verdict, compare two executables or",
      "revisions: yapbench compare BASE HEAD",
    ]
    return lines.map(InertText.line)
  }

  /// Returns the median of each figure's repetitions.
  private static func medians(of figures: [RunFigure]) -> [FigureName: Double] {
    Dictionary(grouping: figures, by: \.name).mapValues { $0.map(\.value).median }
  }

  private var differences: [String] {
    let (one, other) = (base.first.environment, head.first.environment)
    let facts: [(String, String, String)] = [
      ("verdict", base.verdict.headline, head.verdict.headline), ("scenario", base.first.scenario, head.first.scenario),
      ("runs", String(base.runs.count), String(head.runs.count)),
      ("seed", String(base.first.seed), String(head.first.seed)), ("driver", base.first.driver, head.first.driver),
      ("began", base.first.startedAt, head.first.startedAt), ("processor", one.cpu, other.cpu),
      ("cores", String(one.coreCount), String(other.coreCount)),
      ("limits on processors", Self.limits(one), Self.limits(other)),
      ("memory", Quantity.bytes(one.memoryBytes), Quantity.bytes(other.memoryBytes)),
      ("kernel", one.kernel, other.kernel), ("file system", one.fileSystem, other.fileSystem),
      ("SQLite", one.sqliteVersion, other.sqliteVersion), ("Swift", one.swiftVersion, other.swiftVersion),
      ("build", one.buildMode, other.buildMode), ("allocator", one.allocator, other.allocator),
      ("commit", one.commit ?? Quantity.missing, other.commit ?? Quantity.missing),
      ("load before", Quantity.number(one.loadAverage), Quantity.number(other.loadAverage)),
    ]
    return facts.filter { $0.1 != $0.2 }.map { "\($0.0): \($0.1) / \($0.2)" }
  }
}
