internal import BenchResults

/// The numeric setting in which the variants of a matrix differ, as the axis of charts.
struct VariantAxis {
  /// The setting and its owner, such as `transaction.operations`.
  let key: String
  let unit: FigureUnit
  /// The indices of the variants, by ascending values.
  let order: [Int]
  /// The value of each variant, in the order of the variants.
  let values: [Double]
  /// The values as the scenario writes them.
  private let names: [String]

  /// - Returns: nil unless the variants have one setting, whose values are different numbers of one unit. Texts around
  ///   the numbers must be equal, as in `commits(50)` and `commits(2k)`.
  init?(_ variants: [ScenarioResult.Variant]) {
    guard variants.count > 1, let path = variants[0].settings.first?.path,
      variants.allSatisfy({ $0.settings.count == 1 })
    else { return nil }
    let parts = variants.compactMap { Self.number(in: $0.settings[0].value) }
    guard parts.count == variants.count,
      parts.dropFirst().allSatisfy({
        ($0.before, $0.after, $0.unit) == (parts[0].before, parts[0].after, parts[0].unit)
      })
    else { return nil }
    key = path.split(separator: ".").filter { Int($0) == nil }.suffix(2).joined(separator: ".")
    (unit, values) = (parts[0].unit, parts.map(\.value))
    names = variants.map { $0.settings[0].value }
    guard Set(values).count == values.count else { return nil }
    order = values.indices.sorted { [values] in values[$0] < values[$1] }
  }

  /// Logarithmic if each value is at least one and a half times the value before it, otherwise linear from 0. The ticks
  /// are the values.
  var scale: ChartScale {
    let sorted = order.map { values[$0] }
    let (lowest, highest) = (sorted[0], sorted[sorted.count - 1])
    let isGeometric =
      sorted.count > 2 && lowest > 0 && zip(sorted, sorted.dropFirst()).allSatisfy { $1 >= 1.5 * $0 }
    // A label takes about a sixth of the width.
    let step = (sorted.count - 1) / Self.mostLabels + 1
    let ticks = order.enumerated().map { position, variant in
      ChartScale.Tick(value: values[variant], name: position.isMultiple(of: step) ? names[variant] : nil)
    }
    // Room for the marks at both ends.
    return ChartScale(
      unit: unit,
      isLogarithmic: isGeometric,
      low: isGeometric ? lowest / 1.2 : min(0, lowest),
      high: isGeometric ? highest * 1.2 : highest * 1.05,
      ticks: ticks
    )
  }

  private static let mostLabels = 6

  /// Reads a value with one number: the texts before and after it, and the number in its base unit.
  private static func number(in text: String) -> (before: Substring, value: Double, unit: FigureUnit, after: Substring)?
  {
    guard let match = text.firstMatch(of: /^([^0-9]*?)(\d[\d_]*(?:\.\d+)?) ?([A-Za-zµμ%]*(?:\/[a-z]+)?)([^0-9]*)$/),
      let number = Double(match.2.filter { $0 != "_" }), let unit = units[String(match.3)]
    else { return nil }
    return (match.1, number * unit.factor, unit.unit, match.4)
  }

  /// The units in which scenarios write numbers.
  private static let units: [String: (factor: Double, unit: FigureUnit)] = {
    let multiples: [(String, Double)] = [("", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9)]
    let binary: [(String, Int)] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)]
    let times: [(String, Double)] = [
      ("ns", 1), ("us", 1e3), ("µs", 1e3), ("μs", 1e3), ("ms", 1e6), ("s", 1e9), ("m", 6e10), ("h", 3.6e12),
    ]
    let periods: [(String, Double)] = [("/s", 1), ("/m", 1 / 60), ("/min", 1 / 60), ("/h", 1 / 3_600)]
    var units: [String: (factor: Double, unit: FigureUnit)] = ["%": (1, .percent), "B": (1, .bytes)]
    for (name, factor) in multiples {
      units[name] = (factor, .number)
      for (period, share) in periods { units[name + period] = (factor * share, .perSecond) }
      if !name.isEmpty { units[name + "B"] = (factor, .bytes) }
    }
    for (name, factor) in binary { units[name] = (Double(factor), .bytes) }
    for (name, factor) in times { units[name] = (factor, .nanoseconds) }
    return units
  }()
}
