internal import BenchResults

/// The drivers that `run --driver` compares on one scenario.
///
/// The scenario must be valid as it is written, so a problem that it has with another driver is due to that driver. A
/// part with such a problem is left out for the driver, if the rest has the same meaning without it; otherwise the
/// variant is left out. Everything that is left out is recorded.
struct ComparedDrivers {
  /// The file name in the diagnostics of the drivers.
  static let file = "--driver"
  /// The runs of each variant, unless the scenario has a number.
  static let usualRepetitions = EffectEstimate.fewestPairs

  let drivers: [DriverKind]
  private var exclusions: [EngineComparison.Exclusion] = []
  private var warnings: [DiagnosticLog.Entry] = []

  init(_ drivers: [DriverKind]) { self.drivers = drivers }

  /// Returns the scenario with the drivers as the first axis of its matrix, in place of one of its own, and with a
  /// number of repetitions.
  func extending(_ root: YAMLNode) -> YAMLNode {
    guard case .mapping(var pairs, let isFlow) = root.content else { return root }
    let location = SourceLocation(file: Self.file, line: 1, column: 1)
    func scalar(_ text: String) -> YAMLNode { YAMLNode(content: .scalar(text, .plain), location: location) }
    func append(_ key: String, _ value: YAMLNode) {
      pairs.append(YAMLPair(key: key, keyLocation: location, value: value))
    }
    let values = YAMLNode(content: .sequence(drivers.map { scalar($0.rawValue) }, isFlow: true), location: location)
    let axis = YAMLPair(key: EngineComparison.path, keyLocation: location, value: values)
    if let index = pairs.firstIndex(where: { $0.key == ScenarioGrammar.matrix.name }) {
      let others = (pairs[index].value.pairs ?? []).filter { $0.key != axis.key }
      pairs[index].value.content = .mapping([axis] + others, isFlow: true)
    } else {
      append(ScenarioGrammar.matrix.name, YAMLNode(content: .mapping([axis], isFlow: true), location: location))
    }
    let repetitions = ScenarioGrammar.repetitions.name
    if root[repetitions] == nil, drivers.count > 1 { append(repetitions, scalar(String(Self.usualRepetitions))) }
    var result = root
    result.content = .mapping(pairs, isFlow: isFlow)
    return result
  }
}

// MARK: Variants

extension ComparedDrivers {
  /// Makes the variants of every driver. Reports a problem that keeps the drivers from being compared.
  ///
  /// - Parameter trees: The variants of the extended scenario.
  mutating func variants(
    of trees: [ScenarioMatrix.Tree],
    log: DiagnosticLog,
    decode: (ScenarioMatrix.Tree, DiagnosticLog) -> Scenario?
  ) -> [ScenarioVariant] {
    var variants: [ScenarioVariant] = []
    for driver in drivers {
      let own = trees.filter { $0.driver == driver.rawValue }
      let before = exclusions.count
      let made = own.compactMap { variant(of: $0, driver, among: own.count, log: log, decode) }
      variants += exclusions.count > before ? collapsed(made, driver) : made
      excludeMetrics(of: driver)
    }
    if variants.isEmpty, log.count == 0 {
      let reasons = exclusions.map { "\($0.driver): \($0.subject) (\($0.reason))" }
      log.report(
        "none of the drivers can run the scenario: " + reasons.joined(separator: "; "),
        at: SourceLocation(file: Self.file, line: 1, column: 1)
      )
    }
    for warning in warnings { log.report(warning) }
    return Self.withCommonExpectations(variants)
  }

  /// The comparison of the variants.
  var comparison: EngineComparison {
    var seen: Set<EngineComparison.Exclusion> = []
    let once = exclusions.filter { seen.insert($0).inserted }
    return EngineComparison(drivers: drivers.map(\.rawValue), exclusions: once)
  }

  /// Returns a variant without the parts that its driver lacks; nil if it cannot run.
  ///
  /// - Parameter count: The number of the driver's variants.
  private mutating func variant(
    of tree: ScenarioMatrix.Tree,
    _ driver: DriverKind,
    among count: Int,
    log: DiagnosticLog,
    _ decode: (ScenarioMatrix.Tree, DiagnosticLog) -> Scenario?
  ) -> ScenarioVariant? {
    var tree = tree
    var found: [(location: SourceLocation, exclusion: EngineComparison.Exclusion)] = []
    while true {
      let problems = DiagnosticLog()
      let scenario = decode(tree, problems)
      let errors = problems.entries.filter { $0.severity == .error }
      if var refusal = errors.first(where: { $0.consequence == .refuses }) {
        refusal.message += ", for all drivers, such as with --set engine.synchronous=full"
        log.report(refusal)
        return nil
      }
      guard !errors.isEmpty else {
        for (location, exclusion) in found { exclude(exclusion, at: location) }
        return scenario.map { ScenarioVariant(settings: tree.settings, scenario: $0) }
      }
      // Removals of one round may have the same location.
      var isShorter = false
      for error in errors {
        guard case .excludes(let location, let subject, let reason) = error.consequence else {
          isShorter = false
          break
        }
        let exclusion = EngineComparison.Exclusion(driver: driver.rawValue, subject: subject, reason: reason)
        if tree.node.remove(at: location) {
          isShorter = true
          found.append((error.location, exclusion))
        }
      }
      if !isShorter {
        let error = errors.first { $0.consequence == nil } ?? errors[0]
        let subject = count == 1 ? "the whole scenario" : "variant \(quoted(tree.settings.label))"
        let exclusion = EngineComparison.Exclusion(driver: driver.rawValue, subject: subject, reason: error.message)
        exclude(exclusion, at: error.location)
        return nil
      }
    }
  }

  private mutating func exclude(_ exclusion: EngineComparison.Exclusion, at location: SourceLocation) {
    if !exclusions.contains(exclusion) {
      let message = "not compared with the driver \(quoted(exclusion.driver)): "
      let clause = "\(exclusion.subject) (\(exclusion.reason))"
      warnings.append(.init(location: location, message: message + clause, severity: .warning))
    }
    exclusions.append(exclusion)
  }

  /// Excludes the metrics that the driver lacks and another of the drivers has.
  private mutating func excludeMetrics(of driver: DriverKind) {
    var metrics: [(reason: String, names: [String])] = []
    for metric in Metric.allCases where metric.driver == nil {
      guard let lack = driver.lacking(metric), drivers.contains(where: { $0.lacking(metric) == nil }) else { continue }
      if let index = metrics.firstIndex(where: { $0.reason == lack.reason }) {
        metrics[index].names.append(metric.rawValue)
      } else {
        metrics.append((lack.reason, [metric.rawValue]))
      }
    }
    exclusions += metrics.map { reason, names in
      let subject = "metrics: \(names[0])" + (names.count > 1 ? " and \(names.count - 1) more" : "")
      return EngineComparison.Exclusion(driver: driver.rawValue, subject: subject, reason: reason)
    }
  }

  /// Removes all but the first of equal variants of one driver: they differed only in parts that it lacks. A setting
  /// whose values no longer differ has the value `–`.
  private mutating func collapsed(_ variants: [ScenarioVariant], _ driver: DriverKind) -> [ScenarioVariant] {
    var kept: [ScenarioVariant] = []
    for variant in variants {
      guard let equal = kept.first(where: { $0.scenario.withoutExpectations == variant.scenario.withoutExpectations })
      else {
        kept.append(variant)
        continue
      }
      exclusions.append(
        .init(
          driver: driver.rawValue,
          subject: "variant \(quoted(variant.label))",
          reason: "without the parts that the driver lacks, it equals \(quoted(equal.label))"
        )
      )
    }
    guard kept.count < variants.count, let first = variants.first else { return kept }
    let merged = first.settings.indices.filter { index in
      Set(kept.map { $0.settings[index].value }).count == 1
        && Set(variants.map { $0.settings[index].value }).count > 1
    }
    return kept.map { variant in
      var settings = variant.settings
      for index in merged { settings[index].value = VariantSetting.merged }
      var scenario = variant.scenario
      scenario.expectations.removeAll { !$0.figure.belongs(to: settings) }
      return ScenarioVariant(settings: settings, scenario: scenario)
    }
  }

  /// Returns the variants with the expectations between variants that all of them have.
  private static func withCommonExpectations(_ variants: [ScenarioVariant]) -> [ScenarioVariant] {
    var result = variants
    for index in variants.indices {
      result[index].scenario.variantExpectations.removeAll { expectation in
        !variants.allSatisfy { $0.scenario.variantExpectations.contains(expectation) }
      }
    }
    return result
  }
}

extension Scenario {
  var withoutExpectations: Scenario {
    var result = self
    (result.expectations, result.variantExpectations, result.shownFigures) = ([], [], [])
    return result
  }
}
