/// A closed list of words of which a scenario writes one.
protocol ScenarioWord: RawRepresentable<String>, CaseIterable, Sendable {
  /// What it is, such as `a driver`.
  static var noun: String { get }
  /// Words of the format that cannot be run yet; they may have a case or not.
  static var plannedWords: [String] { get }
}

extension ScenarioWord {
  static var plannedWords: [String] { [] }

  /// The words that can be written today.
  static var supportedWords: [String] {
    allCases.map(\.rawValue).filter { !plannedWords.contains($0) }
  }

  static var expectation: String { "\(noun): " + supportedWords.joined(separator: ", ") }

  static func parse(_ text: String) throws(ScalarProblem) -> Self {
    if plannedWords.contains(text) { throw ScalarProblem("\(quoted(text)) is not supported yet") }
    if let word = Self(rawValue: text) { return word }
    let near = Suggestion.nearest(to: text, among: allCases.map(\.rawValue) + plannedWords)
    throw ScalarProblem(expected: expectation, found: text, because: near.map { "did you mean \(quoted($0))?" })
  }
}
