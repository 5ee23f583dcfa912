/// A decimal number without sign and exponent: digits, `_` between digits, and at most one point between digits.
///
/// Its digits are kept as a whole number, so that `1.5s` is exactly 1,500,000,000 ns, without rounding.
struct DecimalText: Equatable {
  /// All digits, read as one whole number: 15 for `1.5`.
  let digits: UInt64
  /// The number of digits after the point.
  let fractionDigits: Int

  enum Failure: Error, Equatable {
    case notANumber
    case negative
    case tooLarge
    case tooFine
  }

  /// Matches digits with `_` between them.
  private static let digitsPattern = "[0-9]+(?:_[0-9]+)*"
  /// A regular expression that matches every text that the initialiser accepts, and numbers that are too large.
  static let pattern = digitsPattern + #"(?:\."# + digitsPattern + ")?"
  /// A regular expression that looks ahead for a digit other than 0, for quantities that must be more than 0.
  static let notZeroPattern = "(?=[0-9_.]*[1-9])"

  init(_ text: Substring) throws(Failure) {
    if text.first == "-" { throw .negative }
    var digits: UInt64 = 0
    var fractionDigits = 0
    var seenPoint = false
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (scaled, overflow) = digits.multipliedReportingOverflow(by: 10)
        let (sum, carry) = scaled.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
        if overflow || carry { throw .tooLarge }
        digits = sum
        if seenPoint { fractionDigits += 1 }
      case UInt8(ascii: "_") where isDigit(previous): break
      case UInt8(ascii: ".") where isDigit(previous) && !seenPoint: seenPoint = true
      default: throw .notANumber
      }
      previous = byte
    }
    guard isDigit(previous) else { throw .notANumber }
    self.digits = digits
    self.fractionDigits = fractionDigits
  }

  /// Returns the exact product. Throws `.tooFine` if it is not a whole number.
  func multiplied(by unit: UInt64) throws(Failure) -> UInt64 {
    let product = digits.multipliedFullWidth(by: unit)
    var divisor: UInt64 = 1
    for _ in 0..<fractionDigits {
      let (next, overflow) = divisor.multipliedReportingOverflow(by: 10)
      if overflow { throw .tooFine }
      divisor = next
    }
    guard product.high < divisor else { throw .tooLarge }
    let (quotient, remainder) = divisor.dividingFullWidth(product)
    guard remainder == 0 else { throw .tooFine }
    return quotient
  }

  /// The number as a `Double`; always finite, because `digits` has at most 20 digits.
  var doubleValue: Double {
    var divisor = 1.0
    for _ in 0..<fractionDigits { divisor *= 10 }
    return Double(digits) / divisor
  }

  /// Splits a quantity such as `250us` into `250` and `us`.
  static func split(_ text: String) -> (number: Substring, unit: Substring) {
    let isNumeric = { (character: Character) in character.isASCII && (character.isNumber || "_.-+".contains(character))
    }
    let end = text.firstIndex { !isNumeric($0) } ?? text.endIndex
    return (text[..<end], text[end...])
  }
}

private func isDigit(_ byte: UInt8) -> Bool {
  byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}

/// The units of a quantity that is a whole number of base units: of durations, sizes or counts.
struct UnitTable: Sendable {
  /// The expected form, for messages, such as `a duration such as 5ms or 2s`.
  let expectation: String
  /// Each unit with its number of base units. A number without a unit has the empty one.
  let units: KeyValuePairs<String, UInt64>
  /// Further accepted spellings of units.
  var synonyms: KeyValuePairs<String, String> = [:]
  /// Spellings that are refused, in lower case, with the units that they may mean. Units that differ only in case from
  /// a spelling need no entry.
  var spellings: KeyValuePairs<String, [String]> = [:]
  /// The units that a message about a missing unit proposes.
  let commonUnits: [String]
  /// The text of the reason why a value that is not a whole number of base units is refused.
  let finest: String

  /// - Returns: the number of base units, at most `Int64.max`.
  func parse(_ text: String) throws(ScalarProblem) -> UInt64 {
    let (number, unit) = DecimalText.split(text)
    let factor = factor(of: unit)
    let value: UInt64
    do throws(DecimalText.Failure) {
      // If the number is invalid too, that is reported instead of the unknown unit.
      value = try DecimalText(number).multiplied(by: factor ?? 1)
    } catch {
      let reason = error == .tooFine ? finest : error.reason
      throw ScalarProblem(expected: expectation, found: text, because: reason)
    }
    guard factor != nil else {
      throw ScalarProblem(expected: expectation, found: text, because: reason(number: number, unit: String(unit)))
    }
    guard value <= UInt64(Int64.max) else {
      throw ScalarProblem(expected: expectation, found: text, because: DecimalText.Failure.tooLarge.reason)
    }
    return value
  }

  private func reason(number: Substring, unit: String) -> String {
    if unit.isEmpty {
      return "a bare number has no unit: write one of " + commonUnits.map { "\(number)\($0)" }.joined(separator: ", ")
    }
    let bare = unit.drop { $0 == " " }
    if bare != unit[...], factor(of: bare) != nil { return "write it without a space: \(number)\(bare)" }
    if let sum = sum(of: "\(number)\(unit)") { return "write it with one unit: \(sum)" }
    let unit = String(unit.drop { $0 == " " })
    let meant = meant(by: unit.lowercased())
    guard let first = meant.first else {
      let names = units.map(\.key).filter { !$0.isEmpty }
      return "the unit \(quoted(unit)) is unknown; expected one of " + names.joined(separator: ", ")
    }
    // Two units are both stated with their size, because a guess may be wrong by a factor.
    let words = meant.count == 1 ? [quoted(first)] : meant.map { "\(quoted($0)) (\(factor(of: $0[...]) ?? 0))" }
    return "the unit \(quoted(unit)) is unknown, did you mean \(words.joined(separator: " or "))?"
  }

  private func factor(of unit: Substring) -> UInt64? {
    let name = synonyms.first { $0.key == unit }?.value ?? String(unit)
    return units.first { $0.key == name }?.value
  }

  /// The units that a spelling in lower case may mean. Nearness of letters is no reason: `us` is near to `ns`.
  private func meant(by spelling: String) -> [String] {
    spellings.first { $0.key == spelling }?.value
      ?? units.map(\.key).filter { !$0.isEmpty && $0.lowercased() == spelling }
  }

  /// Returns a sum of quantities such as `1m30s` in one unit; nil for any other text.
  private func sum(of text: String) -> String? {
    var rest = text[...]
    var total: UInt64 = 0
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && $0.isNumber }
      let unit = rest.dropFirst(number.count).prefix { $0.isLetter }
      guard let count = UInt64(number), count < 1_000_000, let factor = factor(of: unit),
        factor <= 3_600_000_000_000
      else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(count * factor)
      guard !overflow else { return nil }
      total = sum
      rest = rest.dropFirst(number.count + unit.count)
    }
    let whole = units.filter { !$0.key.isEmpty && total.isMultiple(of: $0.value) }.max { $0.value < $1.value }
    return whole.map { "\(total / $0.value)\($0.key)" }
  }

  /// A regular expression that matches the units.
  var unitPattern: String {
    let units = self.units.map(\.key) + synonyms.map(\.key)
    let optional = units.contains("") ? "?" : ""
    return "(?:" + units.filter { !$0.isEmpty }.joined(separator: "|") + ")" + optional
  }

  /// Returns the scalar of these quantities, which must be more than 0 unless `allowsZero`.
  func scalar(_ name: String, allowsZero: Bool = false, like examples: String...) -> Scalar<UInt64> {
    let scalar = Scalar(name, expected: expectation, by: parse)
      .with(\.pattern, (allowsZero ? "" : DecimalText.notZeroPattern) + DecimalText.pattern + unitPattern)
      .with(\.examples, examples)
    return allowsZero ? scalar : scalar.limited(to: "more than 0") { $0 > 0 }
  }
}

extension DecimalText.Failure {
  /// The reason for a message; nil if the message needs none. `UnitTable` has the reason of `tooFine`.
  var reason: String? {
    switch self {
    case .notANumber, .tooFine: nil
    case .negative: "it cannot be negative"
    case .tooLarge: "it is too large"
    }
  }
}
