/// The quantities and names of the language. `Scalars+Words` and `Scalars+Metrics` have the forms that consist of them.
public enum Scalars {
  private static let durationUnits = UnitTable(
    expectation: "a duration such as 250us, 5ms, 2s, 1m or 1h",
    units: ["ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000, "h": 3_600_000_000_000],
    // The micro sign and the Greek letter, which look alike.
    synonyms: ["\u{b5}s": "us", "\u{3bc}s": "us"],
    spellings: [
      "nsec": ["ns"], "nanosecond": ["ns"], "nanoseconds": ["ns"],
      "u": ["us"], "\u{b5}": ["us"], "\u{3bc}": ["us"], "usec": ["us"], "microsecond": ["us"], "microseconds": ["us"],
      "\u{3bc}sec": ["us"], "\u{b5}sec": ["us"],
      "msec": ["ms"], "millisecond": ["ms"], "milliseconds": ["ms"], "millis": ["ms"],
      "sec": ["s"], "secs": ["s"], "second": ["s"], "seconds": ["s"],
      "min": ["m"], "mins": ["m"], "minute": ["m"], "minutes": ["m"],
      "hr": ["h"], "hrs": ["h"], "hour": ["h"], "hours": ["h"],
    ],
    commonUnits: ["us", "ms", "s", "m", "h"],
    finest: "it is finer than 1 ns"
  )

  /// A duration in nanoseconds, more than 0.
  static let duration = durationUnits.scalar("duration", like: "250us", "5ms", "1.5s", "1m", "1h")
    .means(
      "A number with a unit; `µs` is `us`. `0s` is valid only for keys whose value is \"duration or `0s`\", in "
        + "`after`, in files of arrivals, in conditions and in expectations."
    )
  /// A duration in nanoseconds.
  public static let durationOrZero = durationUnits.scalar("durationOrZero", allowsZero: true, like: "0s", "5ms")
    .means("A duration, which may be zero.").with(\.reference, "duration or `0s`")

  /// A range of durations in nanoseconds, both ends included; or one duration.
  static let durations = Scalar(
    "durations",
    expected: "a duration such as 5ms, or a range such as 1ms..5ms"
  ) { (text) throws(ScalarProblem) in try parseRange(text, by: durationOrZero.parse) }
  .written(
    durationOrZero.description.pattern + #"(?:\.\."# + durationOrZero.description.pattern + ")?",
    like: "5ms",
    "1ms..5ms"
  )
  .means("A duration, which may be zero, or a range of durations, both ends included.")
  .with(\.reference, "duration, `0s`, or a range such as `1ms..5ms`")

  /// Returns a duration as a scenario would write it, in the largest unit of which it is a multiple.
  static func text(nanoseconds: UInt64) -> String {
    let unit = durationUnits.units.last { nanoseconds.isMultiple(of: $0.value) }
    return unit.map { "\(nanoseconds / $0.value)\($0.key)" } ?? ""
  }

  /// Units with an `i` are powers of 1024, the others powers of 1000.
  private static let sizes = UnitTable(
    expectation: "a size such as 512B, 4KiB, 4MiB or 1GiB",
    units: [
      "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
      "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
    ],
    spellings: [
      "byte": ["B"], "bytes": ["B"],
      "k": ["kB", "KiB"], "kb": ["kB", "KiB"], "ki": ["KiB"],
      "m": ["MB", "MiB"], "mb": ["MB", "MiB"], "mi": ["MiB"],
      "g": ["GB", "GiB"], "gb": ["GB", "GiB"], "gi": ["GiB"],
      "t": ["TB", "TiB"], "tb": ["TB", "TiB"], "ti": ["TiB"],
    ],
    commonUnits: ["B", "KiB", "MiB", "GiB"],
    finest: "it is finer than 1 byte"
  )

  /// A size in bytes, more than 0.
  static let size = sizes.scalar("size", like: "512B", "4KiB", "4MiB", "1GiB", "4kB", "4MB").map { Int($0) }
    .means(
      "A number with a unit. Units with an `i` are powers of 1024, those without are powers of 1000. `0B` is "
        + "valid only for keys whose value is \"size or `0B`\", in conditions and in expectations."
    )
  /// A size in bytes.
  static let sizeOrZero = sizes.scalar("sizeOrZero", allowsZero: true, like: "0B", "4MiB").map { Int($0) }
    .means("A size, which may be zero.").with(\.reference, "size or `0B`")
  /// The size of SQLite's pages in bytes.
  static let pageSize = Scalar(size.description, by: sizeOrZero.parse)
    .limited(to: "a power of two from 512B to 64KiB") { (512...65_536).contains($0) && $0.nonzeroBitCount == 1 }

  private static let counts = UnitTable(
    expectation: "a count such as 50000, 50_000, 50k or 2M",
    units: ["": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000],
    spellings: ["thousand": ["k"], "million": ["M"], "b": ["G"], "bn": ["G"], "billion": ["G"]],
    commonUnits: [],
    finest: "it must be a whole number"
  )

  static let count = counts.scalar("count", like: "50000", "50_000", "50k", "2M").map { Int($0) }
    .means("A whole number of at least 1.").with(\.leastNumber, 1)
  static let countOrZero = counts.scalar("countOrZero", allowsZero: true, like: "0", "50k").map { Int($0) }
    .means("A whole number, which may be 0.").with(\.leastNumber, 0).with(\.reference, "count or `0`")
  /// A mean of counts, which need not be whole: any number, and also a count with a suffix such as 50k.
  static let meanCount = Scalar(countOrZero.description) { (text) throws(ScalarProblem) in
    if let number = try? number.parse(text) { return number }
    return Double(try countOrZero.parse(text))
  }

  /// Returns the scalar of counts within bounds.
  ///
  /// - Parameter expected: the bounds for messages, such as `from 1 to 1000000 groups`.
  static func boundedCount(_ range: ClosedRange<Int>, expected: String) -> Scalar<Int> {
    Scalar(count.description, by: countOrZero.parse).limited(to: expected) { range.contains($0) }
  }

  /// The frequency of an operation, relative to the others of its actor.
  static let weight = Scalar(count.description, by: parseWeight)
    .limited(to: "a weight from 1 to 1000000") { (1...1_000_000).contains($0) }

  private static func parseWeight(_ text: String) throws(ScalarProblem) -> Int {
    if let number = try? DecimalText(text[...].drop { $0 == "+" }.prefix { $0 != "%" }), number.doubleValue > 0,
      text.hasSuffix("%") || number.fractionDigits > 0
    {
      let reason = "weights are whole numbers, such as 95 and 5"
      throw ScalarProblem(expected: "a weight from 1 to 1000000", found: text, because: reason)
    }
    return try countOrZero.parse(text)
  }

  /// A range of counts, both ends included, such as `1..8`; or one count, which is a range of one.
  static let range = Scalar("range", expected: "a range such as 1..8, or one count", by: parseCounts)
    .written(count.description.pattern + #"(?:\.\."# + count.description.pattern + ")?", like: "1..8", "5")
    .means("A range of counts, both ends included, from which a value is drawn uniformly each time; or one count.")
    .with(\.leastNumber, 1)

  /// The operations of one transaction.
  enum TransactionSize: Sendable, Equatable {
    /// A number of operations, which are drawn by their weights.
    case drawn(ClosedRange<Int>)
    /// Every operation as often as its weight.
    case each

    var text: String {
      switch self {
      case .drawn(let range): range.text
      case .each: "each"
      }
    }
  }

  static let transactionSize = Scalar(
    "transactionSize",
    expected: "a range such as 1..8, one count, or each",
    by: parseSize
  )
  .written(range.description.pattern + "|each", like: "1..8", "5", "each")
  .means("A number of operations, which are drawn by their weights; or `each`: every operation as often as its weight.")
  .with(\.leastNumber, 1).with(\.reference, "range or `each`")

  /// The most operations of one transaction; more are a typing error.
  static let mostOperations = 1_000_000

  private static func parseSize(_ text: String) throws(ScalarProblem) -> TransactionSize {
    if text == "each" { return .each }
    let range = range.limited(to: "from 1 to \(mostOperations) operations") {
      $0.lowerBound >= 1 && $0.upperBound <= mostOperations
    }
    return .drawn(try range.parse(text))
  }

  private static func parseCounts(_ text: String) throws(ScalarProblem) -> ClosedRange<Int> {
    try parseRange(text, by: countOrZero.parse)
  }

  /// Reads a range, or one value as a range of one. Throws if the first end is larger than the second.
  static func parseRange<Value: Comparable>(
    _ text: String,
    by parse: (String) throws(ScalarProblem) -> Value
  ) throws(ScalarProblem) -> ClosedRange<Value> {
    guard let dots = text.firstRange(of: "..") else {
      if let dash = text.dropFirst().firstIndex(of: "-"), text.first?.isNumber == true {
        let written = "\(text[..<dash])..\(text[text.index(after: dash)...])"
        throw ScalarProblem(expected: "a range such as 1..8", found: text, because: "write it as \(written)")
      }
      let value = try parse(text)
      return value...value
    }
    let lower = try parse(String(text[..<dots.lowerBound]))
    let upper = try parse(String(text[dots.upperBound...]))
    guard lower <= upper else { throw ScalarProblem(expected: "a range whose lower end is first", found: text) }
    return lower...upper
  }
}

extension Scalars {
  /// A rate per second, 0 or more, such as `200/s`, `1.5k/ms` or `30/min`. `k` and `M` are the only suffixes.
  static let rateOrZero = Scalar("rate", expected: "a rate such as 200/s, 5/ms or 30/min", by: parseRate)
    .with(\.pattern, ratePattern)

  /// A rate of arrivals per second: more than 0 and at most `RateCurve.greatestPerSecond`.
  static let rate =
    rateOrZero
    .written(DecimalText.notZeroPattern + ratePattern, like: "200/s", "5/ms", "30/min", "2k/s")
    .means(
      "A number per second, millisecond or minute, more than 0. The highest rates of a phase's actors add up "
        + "to at most 50M/s."
    )
    .limited(to: "more than 0") { $0 > 0 }
    .limited(to: "at most 50M/s", because: tooFast) { $0 <= Double(RateCurve.greatestPerSecond) }

  /// A rate of arrivals in a stage of a load.
  static let stageRate =
    Scalar("rateOrZero", expected: rateOrZero.description.expectation, by: parseRate)
    .with(\.reference, "rate or `0/s`")
    .written(ratePattern, like: "0/s", "500/s")
    .means("A rate, which may be zero.")
    .limited(to: "at most 50M/s", because: tooFast) { $0 <= Double(RateCurve.greatestPerSecond) }
  private static let tooFast = "a load generator cannot draw more arrivals in a second"

  private static let perSecond: KeyValuePairs<String, Double> = ["s": 1, "ms": 1_000, "min": 1.0 / 60]
  /// Spellings of these units that are refused.
  private static let unitSpellings: [String: [String]] = [
    "s": ["sec", "secs", "second", "seconds"], "ms": ["msec", "millisecond", "milliseconds", "millis"],
    "min": ["m", "mins", "minute", "minutes"],
  ]
  private static let rateSuffixes: KeyValuePairs<String, Double> = ["": 1, "k": 1_000, "M": 1_000_000]
  static let ratePattern = DecimalText.pattern + "[kM]?/(?:s|ms|min)"

  private static func parseRate(_ text: String) throws(ScalarProblem) -> Double {
    func problem(_ reason: String? = nil) -> ScalarProblem {
      ScalarProblem(expected: rateOrZero.description.expectation, found: text, because: reason)
    }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let (number, suffix) = DecimalText.split(String(parts[0]))
    let decimal: DecimalText
    do throws(DecimalText.Failure) { decimal = try DecimalText(number) } catch { throw problem(error.reason) }
    guard let multiplier = rateSuffixes.first(where: { $0.key == suffix })?.value else {
      throw problem(reason(forRate: text, number: number, suffix: suffix))
    }
    guard parts.count == 2 else {
      let units = perSecond.map { "\(parts[0])/\($0.key)" }.joined(separator: ", ")
      throw problem("a bare number has no unit: write one of \(units)")
    }
    guard let factor = perSecond.first(where: { $0.key == parts[1] })?.value else {
      throw problem(reason(forRate: text, number: number, suffix: suffix))
    }
    // A rate per minute is divided by 60, and not multiplied by 1/60, so that 30/min is exactly one half.
    return parts[1] == "min" ? decimal.doubleValue * multiplier / 60 : decimal.doubleValue * multiplier * factor
  }

  /// Returns the reason why a rate has an unknown suffix or unit, such as `1000 /s`, `1000 ops/s`, `2K/sec` or
  /// `1000 rps`.
  private static func reason(forRate text: String, number: Substring, suffix: Substring) -> String? {
    guard let slash = text.firstIndex(of: "/") else {
      let words = ["rps", "tps", "qps", "ops", "hz", "persecond"]
      return words.contains(suffix.lowercased().filter { $0 != " " }) ? "write it as \(number)/s" : nil
    }
    let unit = text[text.index(after: slash)...].filter { $0 != " " }
    let units = perSecond.map(\.key)
    guard let known = units.first(where: { $0 == unit.lowercased() || unitSpellings[$0]?.contains(unit) ?? false })
    else {
      let names = units.map { "/" + $0 }.joined(separator: ", ")
      return "the unit \(quoted("/" + unit)) is unknown; expected one of \(names)"
    }
    let word = suffix.filter { $0 != " " }
    let letter = rateSuffixes.first { $0.key == word || $0.key.lowercased() == word.lowercased() }?.key
    let nouns = ["", "op", "ops", "operations", "req", "requests", "transactions"]
    guard letter != nil || nouns.contains(word.lowercased()) else { return nil }
    let written = "\(number)\(letter ?? "")/\(known)"
    return suffix.contains(" ") && letter == word && unit == known
      ? "write it without a space: \(written)" : "write it as \(written)"
  }

  /// A fraction, more than 0 and at most 1, written as a percentage.
  public static let share = percentage(expected: "a share such as 20%, above 0% and at most 100%") { $0 > 0 }
    .with(\.examples, ["20%", "85.7%"]).means("A percentage, more than 0% and at most 100%.")

  /// A fraction in 0 ≤ x ≤ 1, written as a percentage.
  static let shareOrZero = percentage(expected: "a share such as 20%, at most 100%") { _ in true }
    .with(\.examples, ["20%", "0%"]).means("A percentage, at most 100%.")

  private static func percentage(
    expected: String,
    _ isAllowed: @escaping @Sendable (Double) -> Bool
  ) -> Scalar<Double> {
    Scalar("share", expected: expected) { (text) throws(ScalarProblem) in
      let reason = text.hasSuffix("%") ? nil : "a share ends in %"
      guard reason == nil, let percent = (try? DecimalText(text.dropLast()))?.doubleValue, percent <= 100,
        isAllowed(percent)
      else { throw ScalarProblem(expected: expected, found: text, because: reason) }
      return percent / 100
    }
    .with(\.pattern, DecimalText.pattern + "%")
  }

  /// A finite number, 0 or more.
  static let number = Scalar("number", expected: "a number without a unit such as 0.99", by: parseNumber)
    .written(DecimalText.pattern, like: "0.99").means("A number without a unit.")
    .with(\.leastNumber, 0).with(\.isWhole, false)

  private static func parseNumber(_ text: String) throws(ScalarProblem) -> Double {
    do throws(DecimalText.Failure) { return try DecimalText(text[...]).doubleValue } catch {
      throw ScalarProblem(expected: number.description.expectation, found: text, because: error.reason)
    }
  }

  static let fraction = Scalar("fraction", expected: "a number from 0 to 1 such as 0.5", by: parseFraction)
    .written(DecimalText.pattern, like: "0.5").means("A number from 0 to 1.")
    .with(\.leastNumber, 0).with(\.isWhole, false)
    .limited(to: "a number from 0 to 1 such as 0.5") { $0 <= 1 }

  private static func parseFraction(_ text: String) throws(ScalarProblem) -> Double {
    guard text.hasSuffix("%"), let percent = try? number.parse(String(text.dropLast())) else {
      return try number.parse(text)
    }
    let fraction = (percent * 10_000).rounded() / 1_000_000
    let expected = "a number from 0 to 1 such as 0.5"
    throw ScalarProblem(expected: expected, found: text, because: "write it as \(fraction)")
  }
}

extension Scalars {
  static let longestName = 64
  static let namePattern = "[A-Za-z0-9_-]{1,\(longestName)}"

  /// A name that a scenario gives. Few characters are allowed, because names are parts of paths and expectations.
  public static let name = Scalar("name", expected: "a name", by: parseName)
    .means("A name of up to \(longestName) letters, digits, - and _.")
  static let actorName = Scalar("actorName", expected: "the name of an actor", by: parseName)
    .written(namePattern, like: "scroll")
  static let connectionName = Scalar("connectionName", expected: "the name of a connection", by: parseName)
    .written(namePattern, like: "ui")
  static let viewName = Scalar("viewName", expected: "the name of a view", by: parseName)
    .written(namePattern, like: "newest")

  static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: false
    }
  }

  private static func parseName(_ text: String) throws(ScalarProblem) -> String {
    guard !text.isEmpty, text.utf8.count <= longestName, text.unicodeScalars.allSatisfy(isNameScalar) else {
      throw ScalarProblem(expected: "a name of up to \(longestName) letters, digits, - and _", found: text)
    }
    return text
  }

  /// The name of a file in the scenario's folder, or its path from there.
  static let file = Scalar("file", expected: "the name of a file in the scenario's folder", by: { $0 })
    .written("[^() ]+", like: "sizes.csv")
}
