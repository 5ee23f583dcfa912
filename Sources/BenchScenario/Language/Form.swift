/// The log and the files that readers of values need.
struct ReadingContext {
  let log: DiagnosticLog
  /// The files that the scenario names.
  let files: NamedFiles
}

/// The form of a value: its kind in the grammar, its reader and its writer.
struct Form<Value>: Sendable {
  let kind: ValueKind
  /// Reads a node. Reports a problem, and then returns nil.
  let read: @Sendable (YAMLNode, ReadingContext) -> Value?
  /// Returns the value as a scenario would write it.
  /// - Throws: `ScalarProblem` for a value that was read from a file, whose name is not known.
  let node: @Sendable (Value) throws(ScalarProblem) -> YAMLNode
}

extension Form {
  /// A value that is one text.
  init(
    _ kind: ValueKind,
    parse: @escaping @Sendable (String) throws(ScalarProblem) -> Value,
    text: @escaping @Sendable (Value) -> String
  ) {
    self.init(
      kind: kind,
      read: { $1.log.parse($0, expected: kind.expectation, by: parse) },
      node: { (value) throws(ScalarProblem) in .text(text(value)) }
    )
  }

  init(_ scalar: Scalar<Value>, text: @escaping @Sendable (Value) -> String) {
    self.init(.scalar(scalar.description), parse: scalar.parse, text: text)
  }
}

// MARK: Forms of texts

extension Form where Value: ScenarioWord {
  static var word: Self { Self(.words(Value.words), parse: Value.parse, text: { $0.rawValue }) }
}

extension Form<Bool> {
  static let boolean = Self(.boolean, parse: parse, text: { $0.description })

  private static func parse(_ text: String) throws(ScalarProblem) -> Bool {
    switch text {
    case "true", "on", "yes": return true
    case "false", "off", "no": return false
    default: throw ScalarProblem(expected: "true or false", found: text)
    }
  }
}

extension Form where Value: FixedWidthInteger & Sendable {
  /// A whole number in a range.
  static func integer(_ range: ClosedRange<Value>) -> Self {
    let kind = ValueKind.integer(UInt64(range.lowerBound)...UInt64(range.upperBound))
    return Self(
      kind,
      parse: { (text) throws(ScalarProblem) in
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x5f }), text.first != "_", text.last != "_",
          let value = Value(text.filter { $0 != "_" }), range.contains(value)
        else { throw ScalarProblem(expected: kind.expectation, found: text) }
        return value
      },
      text: { $0.description }
    )
  }
}

extension Form<String> {
  static let name = Self(.name, parse: Scalars.name.parse) { $0 }

  /// A text on one line. Reports show it in tables and lists, where a line break would cut it.
  static let text = Self(
    .text,
    parse: { (text) throws(ScalarProblem) in
      guard !text.contains(where: \.isNewline) else { throw ScalarProblem(expected: "a text on one line", found: text) }
      return text
    },
    text: { $0 }
  )
}

extension Form<UInt64> {
  static let duration = Self(Scalars.duration, text: Scalars.text(nanoseconds:))
  static let durationOrZero = Self(Scalars.durationOrZero, text: Scalars.text(nanoseconds:))
}

extension Form<Int> {
  static let size = Self(Scalars.size, text: Scalars.text(bytes:))
  static let sizeOrZero = Self(Scalars.sizeOrZero, text: Scalars.text(bytes:))
  static let count = Self(Scalars.count, text: { $0.description })
  static let countOrZero = Self(Scalars.countOrZero, text: { $0.description })
}

extension Form<Double> {
  static let rate = Self(Scalars.rate, text: Scalars.text(perSecond:))
  static let stageRate = Self(Scalars.stageRate, text: Scalars.text(perSecond:))
  static let fraction = Self(Scalars.fraction, text: Scalars.text(number:))
}

// MARK: Forms of several values

extension Form {
  /// A list of texts, each of them once.
  static func list<Element: Equatable & Sendable>(
    _ kind: ValueKind,
    parse: @escaping @Sendable (String) throws(ScalarProblem) -> Element,
    text: @escaping @Sendable (Element) -> String
  ) -> Self where Value == [Element] {
    Self(
      kind: kind,
      read: { node, context in
        guard let elements = node.elements else {
          context.log.report(expected: kind.expectation, found: node)
          return nil
        }
        var result: [Element] = []
        for element in elements {
          guard let value = context.log.parse(element, expected: "a word", by: parse) else { continue }
          if result.contains(value) {
            context.log.report("\(element.found) is listed twice", at: element.location)
          } else {
            result.append(value)
          }
        }
        return result
      },
      node: { (values) throws(ScalarProblem) in .list(values.map { .text(text($0)) }) }
    )
  }

  static func words<Word: ScenarioWord & Equatable>() -> Self where Value == [Word] {
    list(.listOfWords(Word.words), parse: Word.parse, text: { $0.rawValue })
  }

  /// A mapping with the keys of a section.
  static func section(_ section: Section<Value>) -> Self where Value: Sendable {
    Self(
      kind: .mapping(section.grammar),
      read: { section.read($0, $1)?.value },
      node: { (value) throws(ScalarProblem) in try section.node(of: value) }
    )
  }
}
