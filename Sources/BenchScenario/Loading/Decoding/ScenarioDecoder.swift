internal import BenchResults

/// Converts the tree of a variant's YAML to a `Scenario`.
///
/// Every part is read, even if others have problems, so that all mistakes are reported together. A result with problems
/// is not used. Checks between parts, which `ScenarioValidator` makes, use only parts without problems, so that one
/// mistake is not reported twice.
struct ScenarioDecoder {
  let log: DiagnosticLog
  let source: VariantDecoding
  /// The values that the variant has in the matrix.
  let settings: [VariantSetting]
  /// The values of all variants.
  let variants: [[VariantSetting]]

  var context: ReadingContext { ReadingContext(log: log, files: source.files) }

  func scenario(_ root: YAMLNode) -> Scenario? {
    guard let (read, reader) = ScenarioGrammar.scenario.read(root, context) else { return nil }
    var scenario = read
    scenario.engine = engine(reader)
    let driver = scenario.engine.driver
    let dataset = reader.named(\.dataset, collection)
    let connections = reader.named(\.connections) { name, node in connection(name, node, of: driver) }
    let validator = ScenarioValidator(
      log: log,
      driver: driver,
      connections: connections,
      dataset: dataset,
      views: views(reader, dataset: dataset, driver: driver),
      measure: scenario.measure,
      settings: settings,
      variants: variants
    )
    validator.checkDataset()
    let actors = reader.named(\.actors) { name, node in actor(name, node, validator: validator) }
    let phases = phases(reader, actors: actors, validator)
    validator.check(actors, phases, of: reader)
    let expectations = list(Scalars.expectation, at: \.expectations, reader) { expectation, earlier, location in
      validator.check(expectation, phases, at: location)
      validator.check(expectation, isNoneOf: earlier, at: location)
    }
    scenario.shownFigures = list(Scalars.figure, at: \.shownFigures, reader) { figure, earlier, location in
      validator.check(figure, phases, at: location)
      if earlier.contains(figure) { log.report("\(quoted(figure.description)) is listed twice", at: location) }
    }
    checkName(scenario.name, reader)
    scenario.dataset = dataset.values
    scenario.views = validator.views
    scenario.connections = connections.values
    scenario.actors = actors.values
    scenario.phases = phases.values
    scenario.expectations = expectations.filter { expectation in
      expectation.figureOfOtherVariant == nil && expectation.figure.belongs(to: settings)
    }
    scenario.variantExpectations = expectations.filter { $0.figureOfOtherVariant != nil }
    validator.check(scenario.invariants, phases, of: reader)
    return scenario
  }

  private func checkName(_ name: String, _ reader: SectionReader<Scenario>) {
    guard reader.isRead(\.name), let fileName = source.fileName, fileName != name else { return }
    log.report(
      "the name \(quoted(name)) is not the file's name; expected \(quoted(fileName))",
      at: reader.valueLocation(\.name)
    )
  }

  /// Reads a list of texts.
  /// - Parameter check: Reports the problems of an element, with those before it.
  private func list<Element>(
    _ scalar: Scalar<Element>,
    at path: PartialKeyPath<Scenario>,
    _ scenario: SectionReader<Scenario>,
    check: (Element, _ earlier: [Element], SourceLocation) -> Void
  ) -> [Element] {
    guard let node = scenario.node(path) else { return [] }
    guard let elements = node.elements else {
      log.report(expected: ValueKind.scalars(scalar.description).expectation, found: node)
      return []
    }
    var list: [Element] = []
    for element in elements {
      guard let read = log.parse(element, expected: scalar.description.expectation, by: scalar.parse) else { continue }
      check(read, list, element.location)
      list.append(read)
    }
    return list
  }
}

// MARK: The engine and its data

extension ScenarioDecoder {
  private func engine(_ scenario: SectionReader<Scenario>) -> EngineSettings {
    guard let node = scenario.node(\.engine), let (engine, reader) = ScenarioGrammar.engine.read(node, context) else {
      return EngineSettings()
    }
    let driver = engine.driver
    if !reader.has(\.driver) || reader.isRead(\.driver) { refuseOptions(of: reader, driver, "the driver") }
    if !reader.has(\.synchronous) || reader.isRead(\.synchronous), let lack = driver.lacking(engine.synchronous) {
      reader.report(
        "the driver \(quoted(driver.rawValue)) has no \(quoted(engine.synchronous.rawValue)): \(lack)",
        at: \.synchronous,
        .refuses
      )
    }
    if let mode = engine.checkpoint?.mode, let lack = driver.lacking(mode) {
      let location = reader.node(\.checkpoint)?[ScenarioGrammar.checkpoint.name(of: \.mode)]?.location
      log.report(
        "the driver \(quoted(driver.rawValue)) has no mode \(quoted(mode.rawValue)): \(lack)",
        at: location ?? reader.valueLocation(\.checkpoint),
        .excludes(reader.keyLocation(\.checkpoint), "checkpoints (\(mode.rawValue))", because: lack.reason)
      )
    }
    return engine
  }

  /// Reports each option that the driver does not have, because it would have no effect.
  private func refuseOptions<Value>(of reader: SectionReader<Value>, _ driver: DriverKind, _ owner: String) {
    for key in reader.grammar.names where reader.has(key) && !driver.knows(key, in: reader.grammar) {
      reader.report(
        "\(owner) \(quoted(driver.rawValue)) has no option \(quoted(key)); leave it out",
        at: key,
        .excludes(reader.keyLocation(key), "option \(quoted(key))", because: "it has no such option")
      )
    }
  }

  private func connection(_ name: String, _ node: YAMLNode, of driver: DriverKind) -> ConnectionSettings? {
    guard let (read, reader) = ScenarioGrammar.connection.read(node, context) else { return nil }
    var connection = read
    connection.name = name
    refuseOptions(of: reader, driver, "a connection of the driver")
    func settle(
      _ cache: WritableKeyPath<ConnectionSettings, Bool>,
      _ limit: WritableKeyPath<ConnectionSettings, Int?>
    ) {
      if connection[keyPath: limit] == 0 {
        (connection[keyPath: cache], connection[keyPath: limit]) = (false, ConnectionSettings.defaultCacheLimit)
      } else if !connection[keyPath: cache], reader.has(limit) {
        let (limitName, name) = (quoted(reader.name(limit)), quoted(reader.name(cache)))
        reader.report("\(limitName) limits a cache that \(name) turns off; leave one out", at: limit)
      }
    }
    settle(\.objectCache, \.objectCacheLimit)
    settle(\.metadataCache, \.metadataCacheLimit)
    return connection
  }

  private func collection(_ name: String, _ node: YAMLNode) -> DatasetCollection? {
    var collection = ScenarioGrammar.collection.read(node, context)?.value
    collection?.name = name
    return collection
  }

  private func views(
    _ scenario: SectionReader<Scenario>,
    dataset: NamedParts<DatasetCollection>,
    driver: DriverKind
  ) -> [ViewSettings] {
    guard let elements = scenario.elements(\.views) else { return [] }
    if let reason = driver.lacking(.views) {
      scenario.report(
        "the driver \(quoted(driver.rawValue)) has no views; leave \"views\" out, or choose the driver \"yap\"",
        at: \.views,
        .excludes(scenario.keyLocation(\.views), "views", because: reason)
      )
    }
    var views: [ViewSettings] = []
    for element in elements {
      guard let (view, reader) = ScenarioGrammar.view.read(element, context) else { continue }
      if reader.isRead(\.collection) {
        dataset.check(view.collection, noun: "collection", at: reader.valueLocation(\.collection), log: log)
      }
      guard reader.isRead(\.name), reader.isRead(\.collection) else { continue }
      if views.contains(where: { $0.name == view.name }) {
        log.report("there are two views with the name \(quoted(view.name))", at: reader.valueLocation(\.name))
      }
      views.append(view)
    }
    return views
  }
}
