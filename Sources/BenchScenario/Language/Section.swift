/// The keys of one kind of mapping: the only place that states them. The grammar for messages, the schema and the
/// reference follow from the keys, and so do the reader, the writer and the defaults.
struct Section<Value: Sendable>: Sendable {
  let grammar: MappingGrammar
  let keys: [Key<Value>]
  /// The value of a mapping without keys, and so the defaults. Its values of required keys are not used.
  let blank: Value
  /// Reports contradictions between the keys.
  private let rules: @Sendable (Value, SectionReader<Value>) -> Void

  init(
    _ noun: String,
    like example: String? = nil,
    blank: Value,
    dependent: (key: String, on: String)? = nil,
    notes: [String] = [],
    @KeyBuilder<Value> keys makeKeys: () -> [Key<Value>],
    rules: @escaping @Sendable (Value, SectionReader<Value>) -> Void = { _, _ in }
  ) {
    let keys = makeKeys()
    (self.blank, self.keys, self.rules) = (blank, keys, rules)
    grammar = MappingGrammar(
      noun: noun,
      example: example,
      exactlyOne: keys.filter(\.isAlternative).map(\.name),
      dependent: dependent,
      notes: notes,
      keys: keys.map { $0.description(blank: blank) }
    )
  }

  /// Returns the name of the key whose value a property holds.
  func name(of path: PartialKeyPath<Value>) -> String {
    guard let key = keys.first(where: { $0.has(path) }) else {
      preconditionFailure("no key of \(grammar.noun) has \(path)")
    }
    return key.name
  }

  /// Reads a mapping. Reports its problems; a value with a problem is the value of `blank`. Returns nil for a node that
  /// is not a mapping.
  ///
  /// - Parameter isReadable: whether the values are read; called once the keys are known.
  func read(
    _ node: YAMLNode,
    _ context: ReadingContext,
    if isReadable: (SectionReader<Value>) -> Bool = { _ in true }
  ) -> (value: Value, reader: SectionReader<Value>)? {
    guard var reader = SectionReader(node, self, log: context.log), isReadable(reader) else { return nil }
    var value = blank
    for key in keys {
      guard let node = reader.node(key.name) else { continue }
      if !key.read(node, context, &value) { reader.unread.insert(key.name) }
    }
    rules(value, reader)
    return (value, reader)
  }

  /// Returns the mapping of the keys whose values are not the defaults.
  ///
  /// - Parameter only: the keys to write, in this order, even if their values are the defaults; nil for no restriction.
  /// - Throws: `ScalarProblem` for a value that was read from a file.
  func node(of value: Value, only: [String]? = nil, isFlow: Bool = true) throws(ScalarProblem) -> YAMLNode {
    let written =
      only.map { names in names.compactMap { name in keys.first { $0.name == name } } }
      ?? keys.filter { !$0.isOmitted(value, blank) }
    var mapping = WrittenMapping()
    for key in written { mapping.add(key.name, try key.node(value)) }
    return mapping.node(isFlow: isFlow)
  }
}

extension Section {
  /// For each key that is not required, the change of a value to the key's default.
  ///
  /// - Parameter path: the property of a key to leave out.
  func defaults(except path: PartialKeyPath<Value>? = nil) -> [@Sendable (inout Value) -> Void] {
    keys.filter { key in !key.isRequired && !(path.map(key.has) ?? false) }.map { [blank] key in
      { key.copy(&$0, blank) }
    }
  }
}

/// Makes the list of a section's keys. Unlike in an array, the compiler checks each key alone.
@resultBuilder enum KeyBuilder<Root: Sendable> {
  static func buildExpression(_ key: Key<Root>) -> Key<Root> { key }
  static func buildBlock(_ keys: Key<Root>...) -> [Key<Root>] { keys }
}
