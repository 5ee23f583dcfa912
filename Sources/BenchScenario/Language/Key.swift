/// One key of a mapping: its name, the form of its value, and the property of `Root` that holds the value.
///
///     Key("rows", .count, in: \.rows).required.means("The number of rows to load.")
///
/// The default of a key that is not required is the property's value in the section's `blank`.
struct Key<Root: Sendable>: Sendable {
  /// Without the default.
  private var grammar: KeyDescription
  /// The properties that the key sets.
  private var paths: [any PartialKeyPath<Root> & Sendable]
  /// Whether exactly one of the section's alternatives must be present.
  private(set) var isAlternative = false
  private var showsDefault = true
  private var isAlwaysWritten = false
  private var isNotWritten: @Sendable (Root) -> Bool = { _ in false }

  /// Reads the value of the key. Returns false after reporting a problem.
  let read: @Sendable (YAMLNode, ReadingContext, inout Root) -> Bool
  /// Returns the value of the key; nil if it has none.
  let node: @Sendable (Root) throws(ScalarProblem) -> YAMLNode?
  /// Whether two values of the section are equal in the key.
  private let isEqual: @Sendable (Root, Root) -> Bool
  /// Sets the key of the first value to the second value's.
  private(set) var copy: @Sendable (inout Root, Root) -> Void

  /// - Parameters:
  ///   - get: Returns the value that a scenario would write; nil for none.
  ///   - set: Sets a value that was read.
  init<Value: Equatable & Sendable>(
    _ name: String,
    _ form: Form<Value>,
    paths: [any PartialKeyPath<Root> & Sendable] = [],
    get: @escaping @Sendable (Root) -> Value?,
    set: @escaping @Sendable (inout Root, Value) -> Void
  ) {
    (grammar, self.paths) = (KeyDescription(name: name, kind: form.kind), paths)
    read = { node, context, root in
      guard let value = form.read(node, context) else { return false }
      set(&root, value)
      return true
    }
    node = { (root) throws(ScalarProblem) in
      guard let value = get(root) else { return nil }
      return try form.node(value)
    }
    isEqual = { get($0) == get($1) }
    copy = { root, other in if let value = get(other) { set(&root, value) } }
  }

  init<Value: Equatable & Sendable>(
    _ name: String,
    _ form: Form<Value>,
    in path: any WritableKeyPath<Root, Value> & Sendable
  ) {
    self.init(
      name,
      form,
      paths: [path],
      get: { $0[keyPath: path as WritableKeyPath<Root, Value>] },
      set: { $0[keyPath: path as WritableKeyPath<Root, Value>] = $1 }
    )
  }

  /// A key of a property that is nil without it.
  init<Value: Equatable & Sendable>(
    _ name: String,
    _ form: Form<Value>,
    in path: any WritableKeyPath<Root, Value?> & Sendable
  ) {
    self.init(
      name,
      form,
      paths: [path],
      get: { $0[keyPath: path as WritableKeyPath<Root, Value?>] },
      set: { $0[keyPath: path as WritableKeyPath<Root, Value?>] = $1 }
    )
    copy = {
      $0[keyPath: path as WritableKeyPath<Root, Value?>] = $1[keyPath: path as WritableKeyPath<Root, Value?>]
    }
  }

  /// A key that the decoder reads, because its value depends on other sections.
  init<Value>(
    _ name: String,
    _ kind: ValueKind,
    in path: any WritableKeyPath<Root, Value> & Sendable,
    node: @escaping @Sendable (Root) throws(ScalarProblem) -> YAMLNode?
  ) {
    self.init(name, kind, node: node)
    paths = [path]
  }

  /// A key that determines the number of runs, and has no property in the scenario.
  init(
    _ name: String,
    _ kind: ValueKind,
    node: @escaping @Sendable (Root) throws(ScalarProblem) -> YAMLNode?
  ) {
    (grammar, paths) = (KeyDescription(name: name, kind: kind), [])
    (self.node, read, isEqual, copy) = (node, { _, _, _ in true }, { _, _ in false }, { _, _ in })
  }
}

extension Key {
  var name: String { grammar.name }
  var isRequired: Bool { grammar.isRequired }

  private func changed<Field>(_ field: WritableKeyPath<Self, Field>, _ value: Field) -> Self {
    var result = self
    result[keyPath: field] = value
    return result
  }

  func means(_ summary: String) -> Self { changed(\.grammar.summary, summary) }

  var required: Self { changed(\.grammar.isRequired, true) }

  /// One of several keys, of which exactly one must be present.
  var alternative: Self { changed(\.isAlternative, true) }

  /// The default is zero or derived from other keys, and `means` describes it.
  var withoutDefault: Self { changed(\.showsDefault, false) }

  /// A scenario that is written has the key even if its value is the default.
  var alwaysWritten: Self { changed(\.isAlwaysWritten, true) }

  /// There is no default beside one of these keys, or only if it has one of the values.
  func unless(_ keys: [String], is values: [String] = []) -> Self {
    changed(\.grammar.absent, (keys, values))
  }

  /// A scenario that is written does not have the key if the condition holds.
  func notWritten(if condition: @escaping @Sendable (Root) -> Bool) -> Self { changed(\.isNotWritten, condition) }

  func has(_ path: PartialKeyPath<Root>) -> Bool { paths.contains { $0 as PartialKeyPath<Root> == path } }

  func isOmitted(_ value: Root, _ blank: Root) -> Bool {
    isNotWritten(value) || !isRequired && !isAlwaysWritten && isEqual(value, blank)
  }

  func description(blank: Root) -> KeyDescription {
    var result = grammar
    result.usual = isRequired || !showsDefault ? nil : (try? node(blank))?.text
    return result
  }
}
