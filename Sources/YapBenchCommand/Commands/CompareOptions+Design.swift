internal import BenchComparison
internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import HarnessPrimitives

extension CompareOptions {
  private static let defaultPairs = 20
  private static let quickPairs = 10
  /// Twelve fresh pairs can confirm up to forty figures at once.
  private static let fewestConfirmingPairs = 12
  /// The default of --pairs with --budget or --until-interval, which may end a comparison earlier.
  private static let maximumPairs = 200

  /// The design of a comparison of these scenarios.
  func design(_ files: ScenarioFiles, countsInstructions: Bool) throws -> ComparisonDesign {
    guard !quick || comparison.pairs == nil else {
      throw Failure("--quick sets the number of pairs, as --pairs does; leave one out", .usage)
    }
    let pairs =
      comparison.pairs
      ?? (quick ? Self.quickPairs : mayEndEarly ? Self.maximumPairs : Self.defaultPairs)
    try PairedRuns.check(pairs: pairs)
    var design = ComparisonDesign(
      pairs: pairs,
      confirmingPairs: mayEndEarly ? Self.fewestConfirmingPairs : max(Self.fewestConfirmingPairs, pairs),
      seed: seed,
      scenarios: files.entries.map(\.loaded.scenario.name)
    )
    design.countedScenarios = countsInstructions ? Self.countable(files) : []
    design.intervalPercent = try interval.map { text in
      try Self.parse(text, of: "--until-interval") { 100 * (try Scalars.share.parse($0)) }
    }
    design.budgetSeconds = try comparison.budget.map { text in
      try Self.parse(text, of: "--budget") { Double(try Scalars.durationOrZero.parse($0)) / 1e9 }
    }
    design.requiresWholeInterval = wholeInterval
    design.failsIfInconclusive = strict
    return design
  }

  /// Whether instructions are counted, and a message about that.
  /// - Throws: `Failure` if they must be and cannot.
  func counting(of files: ScenarioFiles) throws -> (isOn: Bool, message: String?) {
    guard instructions != false else { return (false, nil) }
    let counted = Self.countable(files)
    let missing = counted.isEmpty ? nil : try Callgrind.missingProgram()
    if instructions == true {
      if let missing { throw Failure("--instructions: \(missing)", .missingInput) }
      guard !counted.isEmpty else {
        throw Failure(
          "--instructions: none of the scenarios can be counted; it needs one variant and one recorded phase, and no "
            + "events, conditions of phases or asynchronous calls",
          .usage
        )
      }
    }
    if counted.isEmpty { return (false, nil) }
    if let missing { return (false, "instructions are not counted: \(missing)") }
    let count = "\(counted.count) of \(Quantity.count(files.entries.count, of: "scenario"))"
    let remedy = instructions == nil ? " (--no-instructions leaves them out)" : ""
    return (true, "instructions are counted, too, of \(count)\(remedy)")
  }

  private static func countable(_ files: ScenarioFiles) -> [String] {
    files.entries.filter { CountedScenario($0.loaded) != nil }.map(\.loaded.scenario.name)
  }

  /// Whether the number of pairs depends on the runs.
  var mayEndEarly: Bool { comparison.budget != nil || interval != nil }

  private static func parse(_ text: String, of option: String, by parse: (String) throws -> Double) throws -> Double {
    do { return try parse(text) } catch { throw Failure("\(option): \(error)", .usage) }
  }
}
