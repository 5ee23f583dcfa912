internal import NumericConversion

/// Turns the tree of a scenario's file into the model.
///
/// Every part is read, whatever is wrong with the others, so that all mistakes are told together; one in the log means
/// that nothing may run. Checks between parts look only at parts that were read whole: one mistake is told once.
struct ScenarioDecoder {
  let log: DiagnosticLog
  /// What `name` must be; `nil` where there is no file.
  let fileName: String?
  /// Those that the scenario names.
  let files: NamedFiles

  func scenario(_ root: YAMLNode) -> Scenario? {
    guard let reader = MappingReader(root, ScenarioGrammar.scenario, log: log) else { return nil }
    _ = reader.integer("format")
    let engine = engine(reader)
    let dataset = dataset(reader)
    let connections = named(reader, "connections") { name, node in connection(name, node, engine.driver) }
    let views = views(reader, dataset: dataset, driver: engine.driver)
    let measure = measure(reader)
    let context = ActorContext(
      driver: engine.driver,
      connections: connections,
      dataset: dataset,
      views: views,
      samplingNanoseconds: measure.everyNanoseconds
    )
    let actors = named(reader, "actors") { name, node in actor(name, node, context) }
    checkNoneIsCalledEvents(actors)
    let phases = phases(reader, actors: actors, context: context)
    checkSampling(reader, measure, phases)
    checkSeconds(reader, phases)
    checkNestingBesideEnds(phases, actors: actors)
    var scenario = Scenario(
      name: name(reader),
      summary: reader.text("summary") ?? "",
      tags: list(reader, "tags") { (text) throws(ScalarProblem) in try NameScalar.parse(text) },
      seed: reader.integer("seed"),
      engine: engine,
      dataset: dataset.values,
      connections: connections.values,
      actors: actors.values,
      phases: phases.values,
      measure: measure,
      expectations: expectations(reader, phases: phases, driver: engine.driver),
      invariants: invariants(reader, driver: engine.driver, dataset: dataset, phases: phases)
    )
    scenario.views = views
    return scenario
  }

  private func name(_ reader: MappingReader) -> String {
    guard let name = reader.name("name"), let place = reader.node("name")?.place else { return "" }
    if let fileName, fileName != name {
      log.report("the name \(quoted(name)) is not the file's name; expected \(quoted(fileName))", at: place)
    }
    return name
  }

  private func measure(_ reader: MappingReader) -> MeasureSettings {
    var result = MeasureSettings()
    guard let measure = reader.reader("measure", ScenarioGrammar.measure) else { return result }
    result.everyNanoseconds = measure.duration("every") ?? result.everyNanoseconds
    result.histogramDigits = measure.integer("histogramDigits").map { Int($0) } ?? result.histogramDigits
    return result
  }

  /// A run must not ask for more samples than can be read again. Of phases that count operations nobody knows.
  private func checkSampling(_ scenario: MappingReader, _ measure: MeasureSettings, _ phases: PhaseParts) {
    let planned = phases.values.reduce(0 as UInt64) { sum, phase in
      let (longer, overflow) = sum.addingReportingOverflow(phase.end.plannedNanoseconds)
      return overflow ? .max : longer
    }
    let most = UInt64(PackedSamples.mostSamples)
    let samples = planned / measure.everyNanoseconds
    guard samples > most else { return }
    let enough = planned / most + (planned % most == 0 ? 0 : 1)
    log.report(
      "a sample every \(DurationScalar.text(measure.everyNanoseconds)) makes \(samples) in "
        + "\(DurationScalar.text(planned)) of phases, and a run keeps at most \(most); expected \"measure.every\" to "
        + "be at least \(DurationScalar.text(enough))",
      at: scenario.node("measure")?["every"]?.place ?? scenario.keyPlace("phases")
    )
  }

  /// Nor for more seconds of actors.
  private func checkSeconds(_ scenario: MappingReader, _ phases: PhaseParts) {
    let seconds = phases.values.reduce(0.0) { sum, phase in
      sum + Double(phase.end.plannedNanoseconds) / 1e9 * Double(phase.actors.count)
    }
    let most = PackedIntervals<IntervalResult>.mostIntervals / TimeKind.allCases.count
    guard seconds > Double(most) else { return }
    log.report(
      "the phases have \(Int(saturating: min(seconds, 1e15))) seconds of actors, and a run keeps at most "
        + "\(most); expected shorter phases, or fewer actors in them",
      at: scenario.keyPlace("phases")
    )
  }

  /// Reads a list of scalars, each of them once.
  func list<Value: Equatable>(
    _ reader: MappingReader,
    _ key: String,
    _ parse: (String) throws(ScalarProblem) -> Value
  ) -> [Value] {
    guard let node = reader.node(key), let kind = reader.grammar.key(key)?.kind else { return [] }
    guard let elements = node.elements else {
      log.report("expected \(kind.expectation), found \(node.found)", at: node.place)
      return []
    }
    var result: [Value] = []
    for element in elements {
      let value = MappingReader.scalar(element, expected: "a word", log: log, parse)
      guard let value else { continue }
      if result.contains(value) {
        log.report("\(element.found) is here twice", at: element.place)
      } else {
        result.append(value)
      }
    }
    return result
  }

  /// Reads a section of names; one that is there must name something.
  func named<Value>(
    _ reader: MappingReader,
    _ key: String,
    _ decode: (String, YAMLNode) -> Value?
  ) -> NamedParts<Value> {
    guard let node = reader.node(key), let kind = reader.grammar.key(key)?.kind else {
      return NamedParts(isComplete: !(reader.grammar.key(key)?.isRequired ?? false))
    }
    guard let pairs = node.pairs, !pairs.isEmpty else {
      let found = node.pairs == nil ? node.found : "an empty one"
      log.report("expected \(kind.expectation), found \(found)", at: node.place)
      return NamedParts(isComplete: false)
    }
    var result = NamedParts<Value>()
    for pair in pairs {
      let problemsBefore = log.count
      _ = log.reporting(at: pair.keyPlace) { () throws(ScalarProblem) in try NameScalar.parse(pair.key) }
      let value = decode(pair.key, pair.value)
      result.append(
        .init(
          name: pair.key,
          place: pair.keyPlace,
          node: pair.value,
          value: log.count == problemsBefore ? value : nil
        )
      )
    }
    return result
  }
}
