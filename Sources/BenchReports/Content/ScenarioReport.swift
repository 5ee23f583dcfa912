internal import BenchResults

/// The report of several runs: the verdict, then the variants side by side. Each run has a report of its own with the
/// rest, such as its WAL over time.
struct ScenarioReport {
  let result: ScenarioResult
  /// The command that repeats all runs.
  let command: String
  var files = RunFiles()

  var sections: [ReportSection] {
    let first =
      [
        verdict, course, ResultsSection.section(of: result), EarlierRunsSection.section(of: result, files.earlier),
        shards, expectations,
      ].compactMap { $0 }
      + EnginesSection.sections(of: result)
    let figures = VariantsSection.sections(of: result)
    let runs =
      [LoadSection.section(of: result), invariants, runs, trust].compactMap { $0 }
      + EnvironmentSection.sections(of: result)
    return first + figures + runs
      + [.notes(result.runs.flatMap(\.notes).withoutDuplicates), limits, repetition].compactMap { $0 }
  }

  private var verdict: ReportSection {
    let partial = result.partialText.map { "\($0); the report covers these" }
    return result.verdict.section(of: result.runs, partial: partial, isOfSeveral: true)
  }

  /// The scenario and the order of its runs.
  private var course: ReportSection {
    let first = result.first
    let summary = first.summary.isEmpty ? "A scenario without a summary." : first.summary
    let variants = result.variants.count
    let matrix = [
      variants == 1 ? nil : Quantity.count(variants, of: "variant"),
      Quantity.count(result.repetitions, of: "repetition"),
    ].compactMap { $0 }.joined(separator: " × ")
    let shard: ReportText =
      result.shard.map { "\($0.shard.text), with \(Quantity.count($0.cases.count, of: "run")) of " } ?? ""
    let phases = first.phases.map { "\(code: $0.name)" + ($0.isRecorded ? "" : " (not recorded)") as ReportText }
    let names = result.runs.map(\.driver).withoutDuplicates.map { "\(code: $0)" as ReportText }
    let drivers: ReportText = (names.count == 1 ? "driver " : "drivers ") + names.joined(separator: ", ")
    let order: ReportText =
      "\(shard)\(matrix), from \(first.startedAt) on \(drivers) with seed \(String(first.seed)), each on a "
      + "fresh database, in rounds that run every variant once in a random order (drawn from the seed); phases "
      + "\(phases.joined(separator: ", "))." + first.buildText
    return ReportSection(
      anchor: "what-was-run",
      title: nil,
      blocks: [.paragraph(["\(strong: .text(first.scenario)): \(summary)", order])],
      isLead: true
    )
  }

  /// The shards that were merged, with the commands that repeat those that are not complete; nil without a merge.
  private var shards: ReportSection? {
    result.merge.map { ShardsSection.section(of: $0, machines: result.machines.count) }
  }

  private var expectations: ReportSection {
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      ReportSection(anchor: "expectations", title: "Expectations", blocks: blocks)
    }
    let sources = result.runs.max { $0.expectations.count < $1.expectations.count }?.expectations.map(\.source) ?? []
    guard !sources.isEmpty || !result.variantExpectations.isEmpty else {
      return section([.paragraph(["The scenario has no expectations: these runs only measure."])])
    }
    var table = ReportTable(
      names: ["", "expected", result.variantTitle],
      numbers: ["measured, by repetition", "smallest margin"]
    )
    for source in sources {
      for variant in result.variants {
        let found = result.runsWithFigures(of: variant).flatMap { run in
          run.expectations.filter { $0.source == source }.map { (state: run.state(of: $0), result: $0) }
        }
        guard !found.isEmpty else { continue }
        let state = ExpectationState.mostSevereFirst.first { state in found.contains { $0.state == state } }
        table.append([
          state?.text ?? "", .code(source), variant.title, .text(found.map(\.result.measured).joined(separator: ", ")),
          .text(Self.smallestMargin(of: found.map(\.result))),
        ])
      }
    }
    let remark: [ReportBlock] =
      result.first.isSmoke ? [.paragraph(["In a smoke run, expectations do not affect the verdict."])] : []
    return section((sources.isEmpty ? [] : [.table(table)]) + comparisonsOfVariants + remark)
  }

  /// The margin of the value that is nearest to the limit, or furthest beyond it.
  private static func smallestMargin(of results: [ExpectationResult]) -> String {
    let distances = results.compactMap(\.distanceFromLimit)
    let isUpperLimit = results.first.map { [.less, .lessOrEqual].contains($0.comparison) } ?? true
    let smallest = isUpperLimit ? distances.max() : distances.min()
    return smallest.map(ExpectationResult.marginText) ?? Quantity.missing
  }

  /// The expectations that compare variants; empty if there are none.
  private var comparisonsOfVariants: [ReportBlock] {
    guard !result.variantExpectations.isEmpty else { return [] }
    var table = ReportTable(
      names: ["", "expected", "variants"],
      numbers: ["ratio, with 95 % interval", "limit", "pairs"]
    )
    for expectation in result.variantExpectations {
      table.append([
        expectation.outcome.text, .code(expectation.source),
        .text("\(expectation.variant) to \(expectation.otherVariant)"), .text(expectation.ratioText),
        .text("\(expectation.comparison.rawValue) \(Quantity.number(expectation.limitRatio))"),
        .count(expectation.pairs),
      ])
    }
    let reasons = result.variantExpectations.filter { !$0.reason.isEmpty }.map { expectation in
      "\(expectation.variant) to \(expectation.otherVariant), \(code: expectation.source): \(expectation.reason)."
        as ReportText
    }
    return [
      .paragraph([
        "Variants are compared by the ratio of their figures in the same repetition. An expectation passes or "
          + "fails only with \(String(EffectEstimate.fewestPairs)) pairs or more, and only if the whole interval of "
          + "the ratio is on one side of the limit. If a value is 0, there is no ratio, and all pairs must agree."
      ]),
      .table(table),
    ] + (reasons.isEmpty ? [] : [.list(reasons)])
  }

  private var invariants: ReportSection {
    let invariants = result.invariants
    let violations = invariants.map(\.name).flatMap { name in
      result.runs.flatMap { run in
        run.invariants.filter { $0.name == name }.flatMap { $0.violations.prefix(5) }.map { violation in
          "\(code: name), \(result.label(of: run)): \(InertText.shortened(violation, to: 400))" as ReportText
        }
      }
    }
    return InvariantsSection.section(of: invariants, violations: violations)
  }

  /// A table of all runs, with links to their reports.
  private var runs: ReportSection {
    let hasMachines = result.machines.count > 1
    var table = ReportTable(
      [("run", .right), (result.variantTitle, .left), ("repetition", .right), ("started", .left)]
        + (hasMachines ? [("machine", .left)] : [])
        + [("verdict", .left), ("load average", .right), ("steal", .right), ("report", .left)]
    )
    for (index, run) in result.runs.enumerated() {
      let variant = result.variants.first { $0.name == run.variant }
      let stem = RunDirectory.stem(of: run, in: result)
      let identity: [ReportText] = [
        .text(String(index + 1)), variant?.title ?? "", .text(String(run.repetition)), .text(run.startedAt),
      ]
      table.append(
        identity + (hasMachines ? [.text(run.machine)] : []) + [
          .text(run.verdict.word), .text(Quantity.threeDigits(run.environment.loadAverage)),
          .percent(run.harness.stealShare),
          .report("report", path: "\(RunDirectory.runFolder)/\(stem)"),
        ]
      )
    }
    return ReportSection(anchor: "runs", title: "Runs, in order", blocks: [.table(table)])
  }

  private var repetition: ReportSection {
    let tables: ReportText =
      "\(files.link("variants.csv")) (the variants side by side), \(files.link("summary.csv")) "
      + "(percentiles of all runs)"
    return files.repetition(by: command, tables: tables)
  }

  /// The costs and the errors of the harness, over all runs.
  private var trust: ReportSection {
    let distrusted = result.merged(result.runs.map { ($0, $0.harness.distrust) }).map(ReportText.text)
    let machines = result.byMachine
    let costs = machines.map { machine in
      let median = Quantity.duration(nanoseconds: machine.runs.map(\.harness.nullOperationNanoseconds).median)
      return machines.count > 1 ? "\(median) on \(machine.first.machine)" : median
    }
    let cost: ReportText =
      "The harness costs \(costs.joined(separator: ", ")) per operation, the median of the runs; the report of each "
      + "run lists the delays of its arrivals."
    return ReportSection(
      anchor: "trust",
      title: "Measurement quality",
      blocks: TrustSection.blocks(
        signs: distrusted,
        isInvalid: result.verdict.exitCode == .measurementInvalid,
        none: "No sign of measurement error in any run.",
        cost: cost
      ),
      folded: distrusted.isEmpty ? "no sign of measurement error" : nil
    )
  }

  /// The limitations of the figures.
  private var limits: ReportSection {
    let spread: ReportText =
      result.repetitions > 1
      ? "\(Quantity.count(result.repetitions)) repetitions show the spread of the figures within these minutes: a "
        + "difference within the spread is not significant, and a small one outside of it may be drift."
      : "One run of each variant shows no spread: a small difference between variants may be chance."
    return LimitsSection.section(of: result.first, spread: spread)
  }
}

extension ScenarioResult {
  /// Returns a section for each machine. If there are several, their anchors and titles name the machines.
  /// - Parameters:
  ///   - place: The words between the title and the name of the machine.
  ///   - section: Gets the results of the machine and its number, from 1; nil if there is only one.
  func sectionsByMachine(
    titled place: ReportText = " on ",
    _ section: (ScenarioResult, _ machine: Int?) -> ReportSection
  ) -> [ReportSection] {
    let machines = byMachine
    guard machines.count > 1 else { return [section(self, nil)] }
    return machines.enumerated().map { index, machine in
      var section = section(machine, index + 1)
      section.anchor += "-\(index + 1)"
      section.title = section.title.map { $0 + place + .text(machine.first.machine) }
      return section
    }
  }

  /// Such as `2 of 6 runs were started`; nil for a result that is not partial.
  var partialText: String? {
    guard isPartial else { return nil }
    if runs.count < plannedRunCount { return "\(runs.count) of \(plannedRunCount) runs were started" }
    return "\(runs.count(where: \.isPartial)) of \(runs.count) runs ended early"
  }
}
