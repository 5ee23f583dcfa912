internal import BenchResults

/// The change of a figure from base to head.
enum ChangeText {
  /// Returns `from 0` or `to 0` if the figure is 0 on one side only; nil for others.
  static func zero(base: Double, head: Double) -> String? {
    base == 0 && head != 0 ? "from 0" : base != 0 && head == 0 ? "to 0" : nil
  }

  static func text(_ percent: Double?, base: Double, head: Double) -> String {
    zero(base: base, head: head) ?? percent.map(Quantity.change(percent:)) ?? Quantity.missing
  }
}

extension FigureResult {
  /// The change, such as `+7.12 %`, `from 0` or `to 0`.
  var changeText: String { ChangeText.text(changePercent, base: base, head: head) }

  /// The change with its interval if there is one, such as `+7.12 % [+5.90 to +8.40]`.
  var changeAndIntervalText: String { changeText + (interval95Percent == nil ? "" : " [\(intervalText)]") }

  private var intervalText: String { interval95Percent?.text ?? Quantity.missing }

  private var verdictText: ReportText {
    let word = verdict.rawValue.uppercased()
    let text: ReportText = verdict.isChange && decides ? "\(strong: .text(word))" : .text(word.lowercased())
    return text + (decides ? "" : " (informative)")
      + .text(reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; "))
  }

  private var probabilityText: String {
    if isExact { return "exact" }
    return (adjustedPValue ?? pValue).map { $0 < 0.0001 ? "< 0.0001" : Quantity.threeDigits($0) } ?? Quantity.missing
  }

  /// Returns a table with a row for each figure.
  static func table(of figures: [FigureResult]) -> ReportTable {
    var table = ReportTable([
      ("figure", .left), ("base", .right), ("head", .right), ("change", .right), ("95 % interval", .right),
      ("verdict", .left), ("p", .right), ("margin", .right), ("detectable", .right), ("pairs", .right),
    ])
    for figure in figures {
      table.append([
        .text(figure.name.text), .text(figure.unit.text(figure.base)), .text(figure.unit.text(figure.head)),
        .text(figure.changeText), .text(figure.intervalText), figure.verdictText, .text(figure.probabilityText),
        .text("\(Quantity.threeDigits(figure.marginPercent)) %"),
        .text(figure.detectablePercent.map { "\(Quantity.threeDigits($0)) %" } ?? Quantity.missing),
        .text(String(figure.pairs)),
      ])
    }
    return table
  }
}

extension PercentInterval {
  /// The ends of the interval, such as `+5.90 to +8.40`.
  fileprivate var text: String { "\(Quantity.signed(low)) to \(Quantity.signed(high))" }
}

/// The false alarms of the machine, and the signs that it changed during a comparison.
enum ComparisonTrustSection {
  static func section(of result: ComparisonOutcome) -> ReportSection {
    var items: [ReportText] = []
    if let calibration = result.calibration {
      let rate = Double(calibration.falseAlarms) / Double(max(1, calibration.figures))
      items.append(
        "In \(Quantity.count(calibration.comparisons, of: "comparison")) of a build with itself on this machine, "
          + "\(String(calibration.falseAlarms)) of \(Quantity.count(calibration.figures, of: "figure")) were reported "
          + "as changed: \(Quantity.percent(rate)), between \(Quantity.percent(calibration.lowerRate)) and "
          + "\(Quantity.percent(calibration.upperRate)) with 95 % confidence."
      )
      // `TwoStages` permits a false alarm in this share of comparisons, so the share of figures must be smaller.
      if calibration.lowerRate > 0.02 {
        items.append(
          "\(strong: "This rate is too high:") do not rely on verdicts on this machine until the cause is found."
        )
      }
    } else {
      items.append(
        "This machine has not been calibrated: \(code: "yapbench calibrate") measures its noise and its false alarms."
      )
    }
    if let change = result.machineChange { items.append(text(of: change)) }
    items += result.excluded?.causes.map(text) ?? []
    func limit(_ figure: FigureResult) -> Double { 2 / Double(max(1, figure.pairs)).squareRoot() }
    let deciding = result.figures.filter(\.decides)
    let drifting = deciding.filter { $0.lag1Autocorrelation ?? 0 > limit($0) }
    if !drifting.isEmpty {
      items.append(
        "Consecutive pairs are correlated in \(names(of: drifting)): the machine drifted during the comparison."
      )
    }
    let alternating = deciding.filter { $0.lag1Autocorrelation ?? 0 < -limit($0) }
    if !alternating.isEmpty {
      items.append(
        "Consecutive pairs alternate in \(names(of: alternating)): the position in a pair, first or second, has "
          + "an effect. The random order balances it."
      )
    }
    return ReportSection(anchor: "trust", title: "Trust", blocks: [.list(items)])
  }

  /// Returns the number of figures and the first three names, such as `4 figures (a p50, b p50, c p50, …)`.
  private static func names(of figures: [FigureResult]) -> String {
    let names = figures.prefix(3).map(\.name.text).joined(separator: ", ")
    return "\(Quantity.count(figures.count, of: "figure")) (\(names)\(figures.count > 3 ? ", …" : ""))"
  }

  private static func text(of cause: ExcludedFigures.Cause) -> ReportText {
    let pairs = Quantity.count(cause.pairs, of: "pair")
    let excluded = cause.times.map { "\(Quantity.count($0, of: "time")) of \(pairs)" } ?? "\(pairs) with all figures"
    return "Excluded: \(excluded): \(cause.text)."
  }

  private static func text(of change: MachineChange) -> ReportText {
    let interval = change.interval95Percent.map { " [\($0.text)]" } ?? ""
    let percent = "\(Quantity.change(percent: change.changePercent))\(interval)"
    let text: ReportText =
      "A fixed piece of work, timed before each run, took \(percent) longer before runs of the head."
    guard change.isTooLarge else { return text }
    return "\(strong: "UNTRUSTED:") " + text + " The preceding runs changed the state of the machine, so differences "
      + "between the sides are meaningless."
  }
}
