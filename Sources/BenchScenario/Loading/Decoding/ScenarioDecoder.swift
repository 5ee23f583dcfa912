internal import BenchResults

/// Converts the tree of a variant's YAML to a `Scenario`.
///
/// Every part is read, even if others have problems, so that all mistakes are reported together. A result with problems
/// is not used. Checks between parts, which `ScenarioValidator` makes, use only parts without problems, so that one
/// mistake is not reported twice.
struct ScenarioDecoder {
  let log: DiagnosticLog
  /// The name that the scenario must have; nil if it may have any, as without a file and in the copy of a run.
  let fileName: String?
  /// The files that the scenario names.
  let files: NamedFiles
  /// The values that the variant has in the matrix.
  let settings: [VariantSetting]
  /// The values of all variants.
  let variants: [[VariantSetting]]

  func scenario(_ root: YAMLNode) -> Scenario? {
    guard let reader = MappingReader(root, ScenarioGrammar.scenario, log: log) else { return nil }
    _ = reader.integer("format")
    let engine = engine(reader)
    let dataset = reader.named("dataset", collection)
    let connections = reader.named("connections") { name, node in connection(name, node, of: engine.driver) }
    let validator = ScenarioValidator(
      log: log,
      driver: engine.driver,
      connections: connections,
      dataset: dataset,
      views: views(reader, dataset: dataset, driver: engine.driver),
      measure: measure(reader),
      settings: settings,
      variants: variants
    )
    validator.checkDataset()
    let actors = reader.named("actors") { name, node in actor(name, node, validator: validator) }
    let phases = phases(reader, actors: actors, validator)
    validator.check(actors, phases, of: reader)
    let expectations = expectations(reader, phases: phases, validator)
    let scenario = Scenario(
      name: name(reader),
      summary: reader.text("summary") ?? "",
      tags: reader.list("tags", by: Scalars.name.parse),
      seed: reader.integer("seed"),
      engine: engine,
      dataset: dataset.values,
      views: validator.views,
      connections: connections.values,
      actors: actors.values,
      phases: phases.values,
      measure: validator.measure,
      expectations: expectations.filter { expectation in
        expectation.figureOfOtherVariant == nil && expectation.figure.belongs(to: settings)
      },
      variantExpectations: expectations.filter { $0.figureOfOtherVariant != nil },
      invariants: reader.list("invariants", by: Invariant.parse)
    )
    validator.check(scenario.invariants, phases, of: reader)
    return scenario
  }

  private func name(_ reader: MappingReader) -> String {
    guard let name = reader.name("name") else { return "" }
    if let fileName, fileName != name {
      log.report(
        "the name \(quoted(name)) is not the file's name; expected \(quoted(fileName))",
        at: reader.valueLocation("name")
      )
    }
    return name
  }

  private func measure(_ reader: MappingReader) -> MeasureSettings {
    var result = MeasureSettings()
    guard let measure = reader.reader("measure", ScenarioGrammar.measure) else { return result }
    result.everyNanoseconds = measure.scalar("every", Scalars.duration) ?? result.everyNanoseconds
    result.histogramDigits = measure.integer("histogramDigits").map { Int($0) } ?? result.histogramDigits
    return result
  }

  private func expectations(
    _ scenario: MappingReader,
    phases: PhaseParts,
    _ validator: ScenarioValidator
  ) -> [Expectation] {
    guard let node = scenario.node("expect") else { return [] }
    guard let elements = node.elements else {
      log.report(expected: ValueKind.expectations.expectation, found: node)
      return []
    }
    let scalar = Scalars.expectation
    var expectations: [Expectation] = []
    for element in elements {
      let expectation = log.parse(element, expected: scalar.description.expectation, by: scalar.parse)
      guard let expectation else { continue }
      validator.check(expectation, phases, at: element.location)
      validator.check(expectation, isNoneOf: expectations, at: element.location)
      expectations.append(expectation)
    }
    return expectations
  }
}

// MARK: The engine and its data

extension ScenarioDecoder {
  private func engine(_ scenario: MappingReader) -> EngineSettings {
    guard let reader = scenario.reader("engine", ScenarioGrammar.engine) else { return EngineSettings() }
    let known: DriverKind? = reader.has("driver") ? reader.word("driver") : .yap
    if let known { refuseOptions(of: reader, known, "the driver") }
    let driver = known ?? .yap
    let synchronous: SynchronousLevel? = reader.word("synchronous")
    if let synchronous, let lack = driver.lacking(synchronous) {
      reader.report(
        "the driver \(quoted(driver.rawValue)) has no \(quoted(synchronous.rawValue)): \(lack)",
        at: "synchronous",
        .refuses
      )
    }
    return EngineSettings(
      driver: driver,
      synchronous: synchronous ?? .full,
      defaultObjectPolicy: reader.word("defaultObjectPolicy"),
      defaultMetadataPolicy: reader.word("defaultMetadataPolicy"),
      pageSizeBytes: reader.scalar("pageSize", Scalars.pageSize),
      mmapSizeBytes: reader.scalar("mmapSize", Scalars.sizeOrZero),
      journalSizeLimitBytes: reader.scalar("journalSizeLimit", Scalars.sizeOrZero),
      aggressiveCheckpointAtBytes: reader.scalar("aggressiveCheckpointAt", Scalars.size),
      checkpoint: checkpoint(reader, driver),
      busyTimeoutNanoseconds: reader.scalar("busyTimeout", Scalars.durationOrZero)
    )
  }

  /// Reports each option that the driver does not have, because it would have no effect.
  private func refuseOptions(of reader: MappingReader, _ driver: DriverKind, _ owner: String) {
    for key in reader.grammar.names where reader.has(key) && !driver.knows(key, in: reader.grammar) {
      reader.report(
        "\(owner) \(quoted(driver.rawValue)) has no option \(quoted(key)); leave it out",
        at: key,
        .excludes(reader.keyLocation(key), "option \(quoted(key))", because: "it has no such option")
      )
    }
  }

  private func checkpoint(_ reader: MappingReader, _ driver: DriverKind) -> CheckpointSettings? {
    guard let checkpoint = reader.reader("checkpoint", ScenarioGrammar.checkpoint) else { return nil }
    let mode: CheckpointModeSetting? = checkpoint.word("mode")
    if let mode, let lack = driver.lacking(mode) {
      log.report(
        "the driver \(quoted(driver.rawValue)) has no mode \(quoted(mode.rawValue)): \(lack)",
        at: checkpoint.valueLocation("mode"),
        .excludes(reader.keyLocation("checkpoint"), "checkpoints (\(mode.rawValue))", because: lack.reason)
      )
    }
    let everyNanoseconds = checkpoint.scalar("every", Scalars.duration) ?? 0
    return CheckpointSettings(mode: mode ?? .passive, everyNanoseconds: everyNanoseconds)
  }

  private func connection(_ name: String, _ node: YAMLNode, of driver: DriverKind) -> ConnectionSettings? {
    guard let reader = MappingReader(node, ScenarioGrammar.connection, log: log) else { return nil }
    refuseOptions(of: reader, driver, "a connection of the driver")
    let objectCache = reader.boolean("objectCache") ?? true
    let metadataCache = reader.boolean("metadataCache") ?? true
    for (cache, isOn) in [("objectCache", objectCache), ("metadataCache", metadataCache)] where !isOn {
      let limit = cache + "Limit"
      guard reader.has(limit) else { continue }
      reader.report("\(quoted(limit)) limits a cache that \(quoted(cache)) turns off; leave one out", at: limit)
    }
    return ConnectionSettings(
      name: name,
      count: reader.integer("count").map { Int($0) } ?? 1,
      objectPolicy: reader.word("objectPolicy"),
      metadataPolicy: reader.word("metadataPolicy"),
      objectCache: objectCache,
      objectCacheLimit: cacheLimit(reader, of: "objectCache"),
      metadataCache: metadataCache,
      metadataCacheLimit: cacheLimit(reader, of: "metadataCache"),
      permitted: reader.has("permitted") ? reader.list("permitted", by: PermittedTransaction.parse) : nil
    )
  }

  private func cacheLimit(_ reader: MappingReader, of cache: String) -> Int {
    let scalar = Scalars.countOrZero.limited(to: "more than 0", because: "write \"\(cache): off\" for no cache") {
      $0 > 0
    }
    return reader.scalar(cache + "Limit", scalar) ?? ConnectionSettings.defaultCacheLimit
  }

  private func collection(_ name: String, _ node: YAMLNode) -> DatasetCollection? {
    guard let reader = MappingReader(node, ScenarioGrammar.collection, log: log) else { return nil }
    return DatasetCollection(
      name: name,
      rows: reader.scalar("rows", Scalars.count) ?? 1,
      inserts: reader.scalar("inserts", Scalars.count) ?? 0,
      key: reader.scalar("key", Scalars.keyForm) ?? .ordered,
      value: shape(reader, "value") ?? ValueShape(size: .fixed(bytes: ValueShape.headerBytes)),
      metadata: shape(reader, "metadata"),
      codec: reader.word("codec") ?? .raw
    )
  }

  private func shape(_ reader: MappingReader, _ key: String) -> ValueShape? {
    guard let shape = reader.reader(key, ScenarioGrammar.shape) else { return nil }
    func size(_ text: String) throws(ScalarProblem) -> SizeDistribution {
      let size = try files.sizeDistribution(text)
      guard size.smallestNamedBytes >= ValueShape.headerBytes else {
        throw ScalarProblem(
          expected: "a size of at least 32B",
          found: text,
          because: "every value starts with a header of 32B, by which reads are checked"
        )
      }
      guard size.largestNamedBytes <= ValueShape.largestBytes else {
        throw ScalarProblem(expected: "a size of at most 1GB", found: text, because: "SQLite refuses a larger value")
      }
      return size
    }
    let distribution = shape.scalar("size", by: size)
    let compressible = shape.scalar("compressible", Scalars.fraction) ?? 0
    return distribution.map { ValueShape(size: $0, compressible: compressible) }
  }

  private func views(
    _ scenario: MappingReader,
    dataset: NamedParts<DatasetCollection>,
    driver: DriverKind
  ) -> [ViewSettings] {
    guard let node = scenario.node("views"),
      let elements = log.elements(of: node, expected: scenario.expectation("views"))
    else { return [] }
    if let reason = driver.lacking(.views) {
      scenario.report(
        "the driver \(quoted(driver.rawValue)) has no views; leave \"views\" out, or choose the driver \"yap\"",
        at: "views",
        .excludes(scenario.keyLocation("views"), "views", because: reason)
      )
    }
    var views: [ViewSettings] = []
    for element in elements {
      guard let reader = MappingReader(element, ScenarioGrammar.view, log: log) else { continue }
      let name = reader.name("name")
      let collection = reader.name("collection")
      let group = reader.scalar("group", Scalars.viewGroup) ?? .all
      let sort = reader.word("sort") ?? ViewSort.row
      if let collection {
        dataset.check(collection, noun: "collection", at: reader.valueLocation("collection"), log: log)
      }
      guard let name, let collection else { continue }
      if views.contains(where: { $0.name == name }) {
        log.report("there are two views with the name \(quoted(name))", at: reader.valueLocation("name"))
      }
      views.append(ViewSettings(name: name, collection: collection, group: group, sort: sort))
    }
    return views
  }
}
