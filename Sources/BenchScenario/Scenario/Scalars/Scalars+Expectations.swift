internal import BenchResults

extension Scalars {
  /// An expectation: `[abort] FIGURE OP BOUND`. A figure is `PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE]`, optionally
  /// after a choice of variants in brackets. A bound is a value, `[FACTOR *] FIGURE` or `[FACTOR *] machine.COST`.
  ///
  /// An `abort` is also evaluated at each sample on what the phase has measured so far, and the run ends at the first
  /// sample at which it does not hold. `ScenarioValidator` checks that the variants, the phase, the actor and the
  /// operation exist and have the metric.
  public static let expectation = Scalar(
    "expectation",
    expected: "an expectation: PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE, such as "
      + "\"run/import response.p99 < 50ms\"",
    by: parseExpectation
  )
  .written(
    " *(?:abort +)?" + choicePattern + "(?:[^ /]+ +"
      + Metric.pattern(of: Metric.allCases, withAggregate: true, otherBound: figurePattern) + "|[^ /]+/[^ ]+ +"
      + Metric.pattern(of: Metric.allCases.filter(\.isKeptByActor), withAggregate: true, otherBound: figurePattern)
      + ") *",
    like: "stall/import response.p99 < 50ms",
    "abort run wal.bytes.max < 1GiB",
    "recover/write response.p99 < 2 * calm/write response.p99",
    "run/import service.p50 < 3 * machine.sync",
    "[share] run/show service.p50 <= 0.5 * [containment] run/show service.p50"
  )
  .means(
    "PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE; the value may be another figure or a cost of the machine, "
      + "times a factor."
  )

  /// A figure: `PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE]`, with ` %` after it for the metric's share of its whole.
  static let figure = Scalar<FigureID>(
    "figure",
    expected: "a figure: PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE], such as \"run/import response.p99\"",
    by: parseFigure
  )
  .written(
    " *[^ ]+ +[^ ]+(?: +%)? *",
    like: "stall/import response.p99",
    "run wal.bytes.max",
    "run/show cache.object.hits.sum %"
  )
  .means("PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE], and \" %\" for a share, as expectations name figures.")

  private static func parseFigure(_ text: String) throws(ScalarProblem) -> FigureID {
    var words = words(of: text)[...]
    let isShare = words.last == "%"
    if isShare { words.removeLast() }
    guard words.count == 2, !words.contains(where: isChoice) else {
      throw ScalarProblem(expected: figure.description.expectation, found: text)
    }
    var figure = try figure(words, of: text)
    figure.isShare = isShare
    try checkShare(figure)
    return figure.id
  }

  private static let choicePattern = #"(?:\[[^\]]+\] *)?"#
  /// A regular expression of a bound that is a figure or a cost of the machine.
  private static let figurePattern =
    "(?:" + DecimalText.pattern + #" +\* +)?(?:"# + choicePattern + #"[^ ]+ +[^ ]+|machine\.(?:"#
    + MachineCosts.Kind.allCases.map(\.rawValue).joined(separator: "|") + "))"
  /// The beginning of a bound that is a cost of the machine.
  private static let machinePrefix = "machine."

  private static func parseExpectation(_ text: String) throws(ScalarProblem) -> Expectation {
    var words = words(of: text)[...]
    let isAbort = beginsWithAbort(words)
    if isAbort { words.removeFirst() }
    guard let position = operatorPosition(words), position + 1 < words.endIndex else { throw malformed(text) }
    var figure = try figure(words[..<position], of: text)
    let comparison = try comparison(words[position])
    let boundWords = words[(position + 1)...]
    let bound: Expectation.Bound
    if boundWords.count == 1, let value = boundWords.first, !value.hasPrefix(machinePrefix) {
      figure.isShare = value.hasSuffix("%")
      bound = .value(try self.value(value, of: figure))
    } else {
      bound = try self.bound(boundWords, of: figure, in: text)
      if isAbort {
        throw ScalarProblem("\"abort\" compares with a value; leave out \"abort\", or compare with a value")
      }
    }
    let result = Expectation(source: text, isAbort: isAbort, figure: figure, comparison: comparison, bound: bound)
    if comparison == .equal {
      if result.figureOfOtherVariant != nil { throw neverEqual("figures of two variants") }
      if case .machine = bound { throw neverEqual("a figure and a cost of the machine") }
    }
    return result
  }

  private static func neverEqual(_ pair: String) -> ScalarProblem {
    ScalarProblem("\(pair) are never exactly equal; expected one of < <= > >=")
  }

  private static func malformed(_ text: String) -> ScalarProblem {
    ScalarProblem(expected: expectation.description.expectation, found: text, because: reason(forMalformed: text))
  }

  /// Returns the reason why a text has not the parts of an expectation; nil if none is known.
  private static func reason(forMalformed text: String) -> String? {
    let words = words(of: text).filter { !isChoice($0) }
    if words.contains(where: { ["&&", "and", "||", "or"].contains($0) }) {
      return "write each condition as an expectation of its own"
    }
    if words.last == "abort" { return "write \"abort\" first" }
    if words.count == 3, Comparison(rawValue: words[1]) != nil, !words[0].contains("/") {
      return "write the phase before the metric"
    }
    let operators = Comparison.allCases.map(\.rawValue).sorted { $0.count > $1.count }
    guard let found = operators.first(where: { text.contains($0) }), !words.contains(found) else { return nil }
    return "write a space before and after \(quoted(found))"
  }

  /// Splits at spaces. A choice of variants in brackets is one word.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var rest = text[...].drop { $0 == " " }
    while !rest.isEmpty {
      let closing = rest.first == "[" ? rest.firstIndex(of: "]") : nil
      let end = closing.map { rest.index(after: $0) } ?? rest.firstIndex(of: " ") ?? rest.endIndex
      words.append(String(rest[..<end]))
      rest = rest[end...].drop { $0 == " " }
    }
    return words
  }

  /// Whether the first word is the prefix `abort`. A phase may have this name too.
  private static func beginsWithAbort(_ words: ArraySlice<String>) -> Bool {
    guard words.first == "abort" else { return false }
    // A figure has two words. Without an operator, a value of one word is assumed.
    let position = words.firstIndex { Comparison(rawValue: $0) != nil } ?? max(words.endIndex - 2, words.startIndex)
    return words[..<position].count { !isChoice($0) } == 3
  }

  /// Returns the position of the operator, or of the word in its place; nil if the number of words is wrong.
  private static func operatorPosition(_ words: ArraySlice<String>) -> Int? {
    words.firstIndex { Comparison(rawValue: $0) != nil }
      ?? (words.count { !isChoice($0) } == 4 ? words.endIndex - 2 : nil)
  }

  private static func isChoice(_ word: String) -> Bool { word.hasPrefix("[") && word.hasSuffix("]") }

  /// Reads `[VARIANT] PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE]`.
  private static func figure(_ words: ArraySlice<String>, of text: String) throws(ScalarProblem) -> ExpectedFigure {
    var words = words
    var choice: VariantChoice?
    if let first = words.first, isChoice(first) {
      choice = VariantChoice(String(first.dropFirst().dropLast()))
      words.removeFirst()
    }
    guard words.count == 2, let first = words.first, let last = words.last else { throw malformed(text) }
    let scope = try scope(first)
    let (metric, aggregate) = try metric(last)
    if aggregate == nil, let suggested = metric.aggregation.suggested {
      throw ScalarProblem(
        "\(quoted(metric.rawValue)) needs an aggregate; write for instance \(metric.rawValue).\(suggested)"
      )
    }
    if scope.actor != nil, !metric.isKeptByActor {
      throw ScalarProblem("\(quoted(metric.rawValue)) is a metric of a whole phase; write \(scope.phase) \(last)")
    }
    return ExpectedFigure(choice: choice, id: FigureID(metric, aggregate, of: scope))
  }

  private static func value(_ text: String, of figure: ExpectedFigure) throws(ScalarProblem) -> Double {
    try checkShare(figure)
    return try (figure.isShare ? shareOrZero : figure.metric.unit.scalar).parse(text)
  }

  /// Checks that a figure that is a share has one.
  private static func checkShare(_ figure: ExpectedFigure) throws(ScalarProblem) {
    guard figure.isShare else { return }
    guard figure.metric.whole != nil else {
      let shared = Metric.allCases.filter { $0.whole != nil }.map { quoted($0.rawValue) }
      let examples = [shared.first, shared.last].compactMap { $0 }.joined(separator: " or ")
      throw ScalarProblem(
        "\(quoted(figure.metric.rawValue)) has no share in per cent; only a part of a whole has one, such as "
          + examples
      )
    }
    if let aggregate = figure.aggregate, aggregate != .sum {
      throw ScalarProblem("a share covers the whole phase; write \(figure.metric.rawValue).sum")
    }
  }

  /// Reads `[FACTOR *] FIGURE` or `[FACTOR *] machine.COST`.
  private static func bound(
    _ words: ArraySlice<String>,
    of figure: ExpectedFigure,
    in text: String
  ) throws(ScalarProblem) -> Expectation.Bound {
    var words = words
    var factor = 1.0
    if words.dropFirst().first == "*", let first = words.first {
      factor = try number.parse(first)
      guard factor > 0 else { throw ScalarProblem(expected: "a factor of more than 0", found: first) }
      words = words.dropFirst(2)
    } else if words.first?.first?.isNumber ?? true {
      throw malformed(text)
    }
    if words.count == 1, let word = words.first, word.hasPrefix(machinePrefix) {
      return .machine(try machineCost(word, of: figure), factor: factor)
    }
    let other = try self.figure(words, of: text)
    guard other.unit == figure.unit else {
      throw ScalarProblem(
        "\(quoted(figure.metric.rawValue)) is \(figure.unit.noun) and \(quoted(other.metric.rawValue)) is "
          + "\(other.unit.noun); compare figures of one kind"
      )
    }
    return .figure(other, factor: factor)
  }

  private static func machineCost(_ word: String, of figure: ExpectedFigure) throws(ScalarProblem) -> MachineCosts.Kind
  {
    guard let kind = MachineCosts.Kind(rawValue: String(word.dropFirst(machinePrefix.count))) else {
      let names = MachineCosts.Kind.allCases.map { machinePrefix + $0.rawValue }
      throw ScalarProblem("the machine has no cost \(quoted(word)); \(Suggestion.remedy(for: word, among: names))")
    }
    guard figure.unit == .nanoseconds else {
      throw ScalarProblem(
        "\(quoted(figure.metric.rawValue)) is \(figure.unit.noun) and \(quoted(word)) is a duration; compare a "
          + "duration with it"
      )
    }
    return kind
  }

  private static func scope(_ text: String) throws(ScalarProblem) -> FigureScope {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else {
      throw ScalarProblem(expected: expectation.description.expectation, found: text)
    }
    var scope = FigureScope(String(parts[0]))
    guard parts.count == 2 else { return scope }
    let names = parts[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    scope.actor = String(names[0])
    guard names.count == 2 else { return scope }
    let operation = String(names[1])
    // `ScenarioValidator` checks the words of events, which are not operations.
    if operation == "advance" || scope.actor == EventResult.actorName {
      scope.operation = operation
      return scope
    }
    let words = YAMLNode.components(ofPath: operation)
    // Reports name operations in this form, so that `multiGet(1k)` finds the operation `multiGet(1000)`.
    (scope.operation, scope.outcome) = try Self.operation(words)
    return scope
  }

  /// Reads `OPERATION`, `COLLECTION.OPERATION`, and the same with `.OUTCOME`.
  private static func operation(_ words: [String]) throws(ScalarProblem) -> (name: String, outcome: CacheOutcome?) {
    func isOperation(_ word: String) -> Bool { operations.names.contains(String(word.prefix { $0 != "(" })) }
    let isOutcome = words.count > 1 && CacheOutcome(rawValue: words[1]) != nil
    let namesCollection = words.count > 1 && (isOperation(words[1]) || !isOperation(words[0]) && !isOutcome)
    let rest = words.dropFirst(namesCollection ? 2 : 1)
    let kind = try operations.parse(words[namesCollection ? 1 : 0])
    let name = OperationWeight.name(of: kind, in: namesCollection ? words[0] : nil)
    return (name, rest.isEmpty ? nil : try outcome(rest.joined(separator: ".")))
  }

  private static func outcome(_ text: String) throws(ScalarProblem) -> CacheOutcome {
    guard let outcome = CacheOutcome(rawValue: text) else {
      let remedy = Suggestion.remedy(for: text, among: CacheOutcome.allCases.map(\.rawValue))
      throw ScalarProblem("a read has no outcome \(quoted(text)); \(remedy)")
    }
    return outcome
  }
}

extension FigureUnit {
  /// The kind of value, for messages.
  fileprivate var noun: String {
    switch self {
    case .nanoseconds: "a duration"
    case .bytes: "a size"
    case .perSecond: "a rate"
    case .count: "a count"
    case .share: "a share"
    case .seconds: "a number of seconds"
    case .byteSeconds: "a number of byte-seconds"
    default: "a number"
    }
  }
}
