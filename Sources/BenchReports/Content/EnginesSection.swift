internal import BenchResults

/// The engines of a comparison by `--driver`, side by side: their figures, their settings, and the parts of the
/// scenario that some of them lack.
struct EnginesSection {
  private let result: ScenarioResult
  private let engines: EngineComparison

  /// Returns the sections; empty for a scenario on its own driver.
  static func sections(of result: ScenarioResult) -> [ReportSection] {
    guard let engines = result.engines else { return [] }
    let figures = result.sectionsByMachine { machine, _ in EnginesSection(result: machine, engines: engines).figures }
    let content = EnginesSection(result: result, engines: engines)
    return figures + [content.settings, content.exclusions]
  }

  // MARK: Figures

  private var figures: ReportSection {
    let names = engines.drivers.map { "\(code: $0)" as ReportText }
    var explanation: ReportText = "\(names.joined(separator: ", ")) ran the same scenario. A value is the median over "
    explanation += "the repetitions; a percentile is computed over all of them."
    if engines.drivers.allSatisfy({ $0 != "null" }) {
      explanation += " All engines had the same level of \(code: "synchronous")."
    }
    explanation += EffectEstimate.explanation(to: names[0], repetitions: result.repetitions)
    explanation +=
      " Settings and versions of an engine are part of its figures: a ratio holds for this machine and this load."
    return ReportSection(
      anchor: "engines",
      title: "Engines side by side",
      blocks: [.paragraph([explanation])]
        + groups.flatMap { group -> [ReportBlock] in
          let title = group.settings.map { "\(code: $0.name)" as ReportText }.joined(separator: ", ")
          return (title.isEmpty ? [] : [.paragraph(["With \(title):"])]) + [.table(table(of: group))]
        }
    )
  }

  /// The variants with the same settings beside the driver.
  private struct Group {
    var settings: [VariantSetting]
    /// In the order of the drivers; nil for a driver without such a variant.
    var variants: [ScenarioResult.Variant?]
  }

  /// A variant without a setting, because its driver lacks it, belongs to several groups.
  private var groups: [Group] {
    let complete = result.variants.filter { variant in
      !variant.settingsBesideDriver.contains { $0.value == VariantSetting.merged }
    }
    let settings = (complete.isEmpty ? result.variants : complete).map(\.settingsBesideDriver)
    return settings.indices.filter { settings.firstIndex(of: settings[$0]) == $0 }.map { index in
      let variants = engines.drivers.map { driver in
        result.variants.first { $0.driver == driver && $0.fits(settings[index]) }
      }
      return Group(settings: settings[index], variants: variants)
    }
  }

  private func table(of group: Group) -> ReportTable {
    let shown = zip(engines.drivers, group.variants).compactMap { driver, variant in
      variant.map { (driver: driver, runs: result.runsWithFigures(of: $0)) }
    }
    let drivers = shown.map { ReportText.code($0.driver) }
    var table = ReportTable(names: ["of", "figure"], numbers: drivers, isAlwaysOpen: true)
    for id in FigureID.comparingEngines(shown.flatMap(\.runs)) {
      let figures = shown.map { engine in
        VariantFigure(id, of: engine.runs.map { RepeatedPhase($0, id.scope.phase) })
      }
      let cells = figures.enumerated().map { index, figure -> ReportText in
        guard let figure else { return .text(Quantity.missing) }
        let ratio =
          index == 0 ? nil : figures[0].flatMap { EffectEstimate(ratiosOf: figure.pairs(with: $0))?.ratioText }
        return .text(id.unit.text(figure.value)) + (ratio ?? "")
      }
      table.append([.code("\(id.scope)"), .text(id.title)] + cells)
    }
    return table
  }

  // MARK: Settings

  private var settings: ReportSection {
    var table = ReportTable(names: ["driver", "library", "settings"])
    for driver in engines.drivers {
      let found = result.runs.filter { $0.driver == driver }.map(\.engine)
      guard let engine = found.first else { continue }
      // Variants may differ in settings, which their names have.
      let common = engine.options.filter { option in found.allSatisfy { $0.options.contains(option) } }
      let options = common.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
      table.append([.code(driver), .text(engine.library), .text(options)])
    }
    return ReportSection(anchor: "engine-settings", title: "Settings of the engines", blocks: [.table(table)])
  }

  // MARK: Exclusions

  private var exclusions: ReportSection {
    var table = ReportTable(names: ["driver", "left out", "reason"], isAlwaysOpen: true)
    for exclusion in engines.exclusions {
      table.append([.code(exclusion.driver), .text(exclusion.subject), .text(exclusion.reason)])
    }
    let blocks: [ReportBlock] =
      table.isEmpty
      ? [.paragraph(["All of the scenario ran on each engine."])]
      : [
        .paragraph(["These parts of the scenario are left out for engines that lack them. None is imitated."]),
        .table(table),
      ]
    return ReportSection(anchor: "not-compared", title: "Not compared", blocks: blocks)
  }
}

extension ScenarioResult.Variant {
  /// Whether the variant has these settings beside its driver, or lacks them.
  fileprivate func fits(_ settings: [VariantSetting]) -> Bool {
    zip(settingsBesideDriver, settings).allSatisfy { $0 == $1 || $0.value == VariantSetting.merged }
  }
}
