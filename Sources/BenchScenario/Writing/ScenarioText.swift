extension Scenario {
  /// Returns the scenario as YAML that loads as an equal scenario. Only keys whose values are not their defaults are
  /// written, and a mapping that fits on a line is on one line.
  /// - Throws: `ScalarProblem` for arrivals or sizes that were read from a file, whose name the scenario does not have.
  public func text() throws(ScalarProblem) -> String {
    let writer = ScenarioWriter(scenario: self)
    return try writer.root().wrapped(at: ScenarioWriter.width).serialised()
  }
}

/// Writes the parts of a scenario as nodes.
struct ScenarioWriter {
  /// The length of the text of a mapping or a list above which it is written on several lines.
  static let width = 100

  let scenario: Scenario

  func root() throws(ScalarProblem) -> YAMLNode {
    var root = WrittenMapping()
    root.add("format", "1")
    root.add("name", scenario.name)
    root.add("summary", scenario.summary)
    root.add("tags", scenario.tags.isEmpty ? nil : .list(scenario.tags.map(YAMLNode.text)))
    root.add("seed", scenario.seed.map { "\($0)" })
    root.add("engine", engine())
    root.add(
      "dataset",
      try named(scenario.dataset, name: \.name) { (collection) throws(ScalarProblem) in
        try self.collection(collection)
      }
    )
    root.add("views", scenario.views.isEmpty ? nil : .list(scenario.views.map(view), isFlow: false))
    root.add(
      "connections",
      try named(scenario.connections, name: \.name) { (connection) throws(ScalarProblem) in
        self.connection(connection)
      }
    )
    root.add(
      "actors",
      try named(scenario.actors, name: \.name) { (actor) throws(ScalarProblem) in
        try self.actor(actor)
      }
    )
    var phases: [YAMLNode] = []
    for phase in scenario.phases { phases.append(try self.phase(phase)) }
    root.add("phases", .list(phases, isFlow: false))
    root.add("measure", measure())
    let expectations = scenario.expectations + scenario.variantExpectations
    root.add("expect", expectations.isEmpty ? nil : .list(expectations.map { .text($0.source) }, isFlow: false))
    let invariants = scenario.invariants.map { YAMLNode.text($0.rawValue) }
    root.add("invariants", invariants.isEmpty ? nil : .list(invariants))
    return root.node(isFlow: false)
  }

  /// Returns a mapping of names to parts; nil without parts.
  private func named<Part>(
    _ parts: [Part],
    name: (Part) -> String,
    _ node: (Part) throws(ScalarProblem) -> YAMLNode
  ) throws(ScalarProblem) -> YAMLNode? {
    guard !parts.isEmpty else { return nil }
    var mapping = WrittenMapping()
    for part in parts { mapping.add(name(part), try node(part)) }
    return mapping.node(isFlow: false)
  }

  private func engine() -> YAMLNode? {
    let engine = scenario.engine
    var mapping = WrittenMapping()
    mapping.add("driver", engine.driver.rawValue)
    mapping.add("synchronous", engine.synchronous == .full ? nil : engine.synchronous.rawValue)
    mapping.add("defaultObjectPolicy", engine.defaultObjectPolicy?.rawValue)
    mapping.add("defaultMetadataPolicy", engine.defaultMetadataPolicy?.rawValue)
    mapping.add("pageSize", engine.pageSizeBytes.map(Scalars.text(bytes:)))
    mapping.add("mmapSize", engine.mmapSizeBytes.map(Scalars.text(bytes:)))
    mapping.add("journalSizeLimit", engine.journalSizeLimitBytes.map(Scalars.text(bytes:)))
    mapping.add("aggressiveCheckpointAt", engine.aggressiveCheckpointAtBytes.map(Scalars.text(bytes:)))
    if let checkpoint = engine.checkpoint {
      var settings = WrittenMapping()
      settings.add("mode", checkpoint.mode == .passive ? nil : checkpoint.mode.rawValue)
      settings.add("every", Scalars.text(nanoseconds: checkpoint.everyNanoseconds))
      mapping.add("checkpoint", settings.node())
    }
    mapping.add("busyTimeout", engine.busyTimeoutNanoseconds.map(Scalars.text(nanoseconds:)))
    return mapping.node()
  }

  private func collection(_ collection: DatasetCollection) throws(ScalarProblem) -> YAMLNode {
    var mapping = WrittenMapping()
    mapping.add("rows", "\(collection.rows)")
    mapping.add("inserts", collection.inserts == 0 ? nil : "\(collection.inserts)")
    mapping.add("key", collection.key == .ordered ? nil : collection.key.text)
    mapping.add("value", try shape(collection.value))
    if let metadata = collection.metadata { mapping.add("metadata", try shape(metadata)) }
    mapping.add("codec", collection.codec == .raw ? nil : collection.codec.rawValue)
    return mapping.node()
  }

  private func shape(_ shape: ValueShape) throws(ScalarProblem) -> YAMLNode {
    var mapping = WrittenMapping()
    mapping.add("size", try shape.size.text())
    mapping.add("compressible", shape.compressible == 0 ? nil : Scalars.text(number: shape.compressible))
    return mapping.node()
  }

  private func view(_ view: ViewSettings) -> YAMLNode {
    var mapping = WrittenMapping()
    mapping.add("name", view.name)
    mapping.add("collection", view.collection)
    mapping.add("group", view.group == .all ? nil : view.group.text)
    mapping.add("sort", view.sort == .row ? nil : view.sort.rawValue)
    return mapping.node()
  }

  private func connection(_ connection: ConnectionSettings) -> YAMLNode {
    func limit(_ limit: Int?, isCached: Bool) -> String? {
      limit == ConnectionSettings.defaultCacheLimit || !isCached ? nil : limit.map { "\($0)" }
    }
    var mapping = WrittenMapping()
    mapping.add("count", connection.count == 1 ? nil : "\(connection.count)")
    mapping.add("objectPolicy", connection.objectPolicy?.rawValue)
    mapping.add("metadataPolicy", connection.metadataPolicy?.rawValue)
    mapping.add("objectCache", connection.objectCache ? nil : "false")
    mapping.add("objectCacheLimit", limit(connection.objectCacheLimit, isCached: connection.objectCache))
    mapping.add("metadataCache", connection.metadataCache ? nil : "false")
    mapping.add("metadataCacheLimit", limit(connection.metadataCacheLimit, isCached: connection.metadataCache))
    mapping.add("permitted", connection.permitted.map { .list($0.map { .text($0.rawValue) }) })
    return mapping.node()
  }

  private func measure() -> YAMLNode? {
    let usual = MeasureSettings()
    guard scenario.measure != usual else { return nil }
    let (every, digits) = (scenario.measure.everyNanoseconds, scenario.measure.histogramDigits)
    var mapping = WrittenMapping()
    mapping.add("every", every == usual.everyNanoseconds ? nil : Scalars.text(nanoseconds: every))
    mapping.add("histogramDigits", digits == usual.histogramDigits ? nil : "\(digits)")
    return mapping.node()
  }
}

/// A mapping that is being written.
struct WrittenMapping {
  private var pairs: [YAMLPair] = []

  var isEmpty: Bool { pairs.isEmpty }

  /// Adds a value, unless it is nil.
  mutating func add(_ key: String, _ value: YAMLNode?) {
    guard let value else { return }
    pairs.append(YAMLPair(key: key, keyLocation: YAMLNode.nowhere, value: value))
  }

  /// Adds a text, unless it is nil.
  mutating func add(_ key: String, _ text: String?) { add(key, text.map(YAMLNode.text)) }

  /// Returns the mapping with its keys in this order; nil for no change.
  func sorted(by keys: [String]?) -> WrittenMapping {
    guard let keys else { return self }
    var result = self
    result.pairs = keys.compactMap { key in pairs.first { $0.key == key } }
    return result
  }

  func node(isFlow: Bool = true) -> YAMLNode {
    YAMLNode(content: .mapping(pairs, isFlow: isFlow), location: YAMLNode.nowhere)
  }
}

extension YAMLNode {
  /// The location of nodes that were not read from a file.
  fileprivate static let nowhere = SourceLocation(file: "", line: 1, column: 1)

  static func text(_ text: String) -> YAMLNode { YAMLNode(content: .scalar(text, .plain), location: nowhere) }

  static func list(_ elements: [YAMLNode], isFlow: Bool = true) -> YAMLNode {
    YAMLNode(content: .sequence(elements, isFlow: isFlow), location: nowhere)
  }
}
