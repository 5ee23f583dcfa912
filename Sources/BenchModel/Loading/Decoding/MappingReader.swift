/// Reads one mapping by its grammar: a key that the grammar has not is told at once, a value of the wrong form where it
/// stands. What cannot be read is `nil`, so that the rest is read all the same; the log decides in the end.
struct MappingReader {
  let grammar: MappingGrammar
  let place: Place
  let log: DiagnosticLog
  private let pairs: [YAMLPair]

  /// - Returns: `nil` where the node is no mapping, which is reported.
  init?(_ node: YAMLNode, _ grammar: MappingGrammar, log: DiagnosticLog) {
    guard let pairs = node.pairs else {
      log.report("expected \(grammar.expectation), found \(node.found)", at: node.place)
      return nil
    }
    self.grammar = grammar
    self.log = log
    self.pairs = pairs
    place = node.place
    var misspelt: Set<String> = []
    for pair in pairs {
      guard let key = grammar.key(pair.key) else {
        let remedy = Suggestion.remedy(for: pair.key, among: grammar.supportedNames)
        log.report("unknown key \(quoted(pair.key)) in \(grammar.noun); \(remedy)", at: pair.keyPlace)
        Suggestion.nearest(to: pair.key, among: grammar.supportedNames).map { _ = misspelt.insert($0) }
        continue
      }
      if !key.isSupported { log.report("\(quoted(pair.key)) is not supported yet", at: pair.keyPlace) }
    }
    // A key that was misspelt is not missing as well.
    for key in grammar.keys where key.isRequired && !has(key.name) && !misspelt.contains(key.name) {
      log.report("\(grammar.noun) needs \(quoted(key.name)): \(key.kind.expectation)", at: place)
    }
  }

  func has(_ key: String) -> Bool { pairs.contains { $0.key == key } }

  func node(_ key: String) -> YAMLNode? {
    assert(grammar.key(key)?.isSupported ?? false, "the key is not described: \(key)")
    return pairs.first { $0.key == key }?.value
  }

  /// Where the key stands, or its mapping where it is missing.
  func keyPlace(_ key: String) -> Place { pairs.first { $0.key == key }?.keyPlace ?? place }

  func reader(_ key: String, _ grammar: MappingGrammar) -> MappingReader? {
    node(key).flatMap { MappingReader($0, grammar, log: log) }
  }

  /// Reads a scalar with its own parser.
  func scalar<Value>(_ key: String, _ parse: (String) throws(ScalarProblem) -> Value) -> Value? {
    guard let node = node(key) else { return nil }
    return Self.scalar(node, expected: grammar.key(key)?.kind.expectation ?? "a text", log: log, parse)
  }

  static func scalar<Value>(
    _ node: YAMLNode,
    expected: String,
    log: DiagnosticLog,
    _ parse: (String) throws(ScalarProblem) -> Value
  ) -> Value? {
    guard let text = node.text, !text.isEmpty else {
      log.report("expected \(expected), found \(node.found)", at: node.place)
      return nil
    }
    return log.reporting(at: node.place) { () throws(ScalarProblem) in try parse(text) }
  }
}

extension MappingReader {
  func text(_ key: String) -> String? {
    scalar(key) { (text) throws(ScalarProblem) in
      // It stands in tables and lists, where a line break would tear it apart.
      guard !text.contains(where: \.isNewline) else { throw ScalarProblem(expected: "a text on one line", found: text) }
      return text
    }
  }

  func name(_ key: String) -> String? {
    scalar(key) { (text) throws(ScalarProblem) in try NameScalar.parse(text) }
  }

  func word<Word: ScenarioWord>(_ key: String, as: Word.Type = Word.self) -> Word? {
    scalar(key) { (text) throws(ScalarProblem) in try Word.parse(text) }
  }

  func boolean(_ key: String) -> Bool? {
    scalar(key) { (text) throws(ScalarProblem) in
      switch text {
      case "true", "on", "yes": return true
      case "false", "off", "no": return false
      default: throw ScalarProblem(expected: "true or false", found: text)
      }
    }
  }

  /// A whole number within the range that the grammar gives.
  func integer(_ key: String) -> UInt64? {
    guard let kind = grammar.key(key)?.kind, case .integer(let range) = kind else { return nil }
    return scalar(key) { (text) throws(ScalarProblem) in
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x5f }), text.first != "_", text.last != "_",
        let value = UInt64(text.filter { $0 != "_" }), range.contains(value)
      else { throw ScalarProblem(expected: kind.expectation, found: text) }
      return value
    }
  }

  /// A count of at least one.
  func count(_ key: String) -> Int? {
    scalar(key) { (text) throws(ScalarProblem) in try positive(try CountScalar.parse(text), text) }
  }

  /// A size above 0, unless the grammar gives zero a meaning.
  func size(_ key: String) -> Int? {
    let isZeroAllowed = if case .sizeOrZero = grammar.key(key)?.kind { true } else { false }
    return scalar(key) { (text) throws(ScalarProblem) in
      let bytes = try SizeScalar.parse(text)
      return isZeroAllowed ? bytes : try positive(bytes, text)
    }
  }

  /// A duration above 0, unless the grammar gives zero a meaning.
  func duration(_ key: String) -> UInt64? {
    let isZeroAllowed = if case .durationOrZero = grammar.key(key)?.kind { true } else { false }
    return scalar(key) { (text) throws(ScalarProblem) in
      let nanoseconds = try DurationScalar.parse(text)
      return isZeroAllowed ? nanoseconds : try positive(nanoseconds, text)
    }
  }

  /// A rate above 0, since at 0 nothing would ever arrive, that a load generator can keep.
  func rate(_ key: String) -> Double? {
    scalar(key) { (text) throws(ScalarProblem) in
      let rate = try positive(try RateScalar.parse(text), text)
      guard rate <= Double(RateCurve.greatestPerSecond) else {
        throw ScalarProblem(
          expected: "at most 50M/s",
          found: text,
          because: "a load generator cannot draw more arrivals in a second"
        )
      }
      return rate
    }
  }

  private func positive<Value: Comparable & ExpressibleByIntegerLiteral>(
    _ value: Value,
    _ text: String
  ) throws(ScalarProblem) -> Value {
    guard value > 0 else { throw ScalarProblem(expected: "more than 0", found: text) }
    return value
  }
}
