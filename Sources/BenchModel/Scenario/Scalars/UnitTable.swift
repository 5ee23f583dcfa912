/// A whole quantity with a unit: durations, sizes and counts are read by one rule each.
struct UnitTable: Sendable {
  /// What is expected, with examples, such as `a duration such as 5ms or 2s`.
  let expectation: String
  /// Unit to how many base units it has. The empty unit stands for a bare number.
  let units: KeyValuePairs<String, UInt64>
  /// The units that a message about a bare number names.
  let commonUnits: [String]
  /// The base unit, as it reads in `it is finer than 1 ns`.
  let baseUnit: String
  /// The largest value.
  let limit: UInt64

  func parse(_ text: String) throws(ScalarProblem) -> UInt64 {
    let (number, unit) = DecimalText.split(text)
    let factor = units.first { $0.key == unit }?.value
    let value: UInt64
    do throws(DecimalText.Failure) {
      // An unknown unit is told only after the number is known to be one.
      value = try DecimalText(number).multiplied(by: factor ?? 1)
    } catch {
      throw ScalarProblem(expected: expectation, found: text, because: reason(error))
    }
    guard factor != nil else {
      throw ScalarProblem(expected: expectation, found: text, because: reason(number: number, unit: String(unit)))
    }
    guard value <= limit else {
      throw ScalarProblem(expected: expectation, found: text, because: reason(.tooLarge))
    }
    return value
  }

  private func reason(number: Substring, unit: String) -> String {
    if unit.isEmpty {
      return "a bare number has no unit: write one of " + commonUnits.map { "\(number)\($0)" }.joined(separator: ", ")
    }
    if unit.first == " ", let known = units.first(where: { $0.key == unit.drop { $0 == " " } })?.key {
      return "write it without a space: \(number)\(known)"
    }
    let names = units.map(\.key).filter { !$0.isEmpty }
    return "the unit \(quoted(unit)) is unknown" + Suggestion.clause(for: unit, among: names)
  }

  private func reason(_ failure: DecimalText.Failure) -> String? {
    switch failure {
    case .notANumber: nil
    case .negative: "it cannot be negative"
    case .tooLarge: "it is too large"
    case .tooFine: "it is finer than 1 \(baseUnit)"
    }
  }
}
