internal import BenchComparison
internal import BenchResults
internal import BenchScenario

extension CompareOptions {
  private static let defaultPairs = 20
  private static let quickPairs = 10
  /// Twelve fresh pairs can confirm up to forty figures at once.
  private static let fewestConfirmingPairs = 12
  /// The default of --pairs with --budget or --until-interval, which may end a comparison earlier.
  private static let maximumPairs = 200

  /// The design of a comparison of these scenarios.
  func design(_ files: ScenarioFiles) throws -> ComparisonDesign {
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
    design.countedScenarios = try countedScenarios(files)
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

  private func countedScenarios(_ files: ScenarioFiles) throws -> [String] {
    guard instructions else { return [] }
    let counted = files.entries.filter { CountedScenario($0.loaded) != nil }
    guard !counted.isEmpty else {
      throw Failure(
        "--instructions: none of the scenarios can be counted; it needs one recorded phase that ends after a number of "
          + "operations, with one actor of one thread and a closed load",
        .usage
      )
    }
    return counted.map(\.loaded.scenario.name)
  }

  /// Whether the number of pairs depends on the runs.
  var mayEndEarly: Bool { comparison.budget != nil || interval != nil }

  private static func parse(_ text: String, of option: String, by parse: (String) throws -> Double) throws -> Double {
    do { return try parse(text) } catch { throw Failure("\(option): \(error)", .usage) }
  }
}
