internal import BenchResults

/// The keys of the language: one row for each key of each section. The loader and the writer work by these rows, and
/// the schema, the reference and the defaults are generated from them. `Form` and `Scalars` have the forms of values.
enum ScenarioGrammar {
  static let scenario = Section(
    "a scenario",
    blank: Scenario(name: "", summary: "", connections: [], actors: [], phases: []),
    notes: ScenarioNotes.scenario
  ) {
    format
    include
    Key("name", .name, in: \.name).required
      .means("The scenario's name, which must be the name of its file without the extension.")
    Key("summary", .text, in: \.summary).required.means("The purpose of the scenario, in one sentence.")
    Key("tags", .list(.names, parse: Scalars.name.parse, text: { $0 }), in: \.tags)
      .means("Words by which scenarios are selected.")
    Key("seed", .integer(0...UInt64.max), in: \.seed)
      .means(
        "The seed of all random numbers. Without this key, the run draws a seed and writes it to its copy of "
          + "the scenario."
      )
    Key("engine", .mapping(engine.grammar), in: \.engine) { (scenario) throws(ScalarProblem) in
      try engine.node(of: scenario.engine)
    }
    .means("The engine and its options.")
    Key("dataset", .named(collection.grammar), in: \.dataset) { (scenario) throws(ScalarProblem) in
      try collection.named(scenario.dataset, \.name)
    }
    .means("Collections that are loaded before the first phase.")
    Key("views", .list(view.grammar), in: \.views) { (scenario) throws(ScalarProblem) in
      try view.list(of: scenario.views, isFlow: false)
    }
    .means("Views that are registered before the dataset is loaded, or by the event `register`.")
    Key("connections", .named(connection.grammar), in: \.connections) { (scenario) throws(ScalarProblem) in
      try connection.named(scenario.connections, \.name)
    }.required
      .means("Named connections to the engine.")
    Key("actors", .named(actor.grammar), in: \.actors) { (scenario) throws(ScalarProblem) in
      try actor.named(scenario.actorsWithStatedViews, \.name)
    }.required
      .means("Groups of workers that use the connections. The workers of a group have the same load.")
    Key("phases", .list(phase.grammar), in: \.phases) { (scenario) throws(ScalarProblem) in
      try phase.list(of: scenario.phases, isFlow: false)
    }.required
      .means("The parts of the run, in order, with the actors of each.")
    matrix
    repetitions
    Key("measure", .section(measure), in: \.measure).means("The sampling interval and the precision of latencies.")
    Key("expect", .scalars(Scalars.expectation.description), in: \.expectations) { (scenario) throws(ScalarProblem) in
      let expectations = scenario.expectations + scenario.variantExpectations
      return expectations.isEmpty ? nil : .list(expectations.map { .text($0.source) }, isFlow: false)
    }
    .means("Bounds on metrics, which decide the verdict of the run.")
    Key("show", .scalars(Scalars.figure.description), in: \.shownFigures) { (scenario) throws(ScalarProblem) in
      let figures = scenario.shownFigures
      return figures.isEmpty ? nil : .list(figures.map { .text($0.description) }, isFlow: false)
    }
    .means("Figures that the report shows first, beside those of expectations.")
    Key("invariants", .words(), in: \.invariants).means("Properties of the data that are checked while the load runs.")
  }

  static let format = Key<Scenario>("format", .integer(1...1), get: { _ in 1 }, set: { _, _ in }).required
    .means("The version of the scenario format.")

  static let include = Key<Scenario>("include", .files) { (_) throws(ScalarProblem) in nil }
    .means("Files whose keys this scenario has too, unless it states them itself; see [include](#include).")

  static let matrix = Key<Scenario>("matrix", .matrix) { (_) throws(ScalarProblem) in nil }
    .means(
      "Paths of settings, each with the values that it takes. Each combination of values is a variant, which "
        + "runs separately."
    )

  static let repetitions = Key<Scenario>("repeat", repetitionCount.kind) { (_) throws(ScalarProblem) in .text("1") }
    .means("The number of runs of each variant. Ratios of variants have intervals from 6 runs on.").notWritten { _ in
      true
    }

  /// The runs of one variant; a confidence interval needs about twenty.
  static let repetitionCount = Form<Int>.integer(1...100)
}

extension Section {
  /// Returns a list of mappings; nil without elements.
  func list(of values: [Value], isFlow: Bool = true) throws(ScalarProblem) -> YAMLNode? {
    let nodes = try values.map { (value) throws(ScalarProblem) in try node(of: value) }
    return nodes.isEmpty ? nil : .list(nodes, isFlow: isFlow)
  }

  /// Returns a mapping of names to mappings; nil without values.
  func named(_ values: [Value], _ name: (Value) -> String) throws(ScalarProblem) -> YAMLNode? {
    var mapping = WrittenMapping()
    for value in values { mapping.add(name(value), try node(of: value)) }
    return mapping.isEmpty ? nil : mapping.node(isFlow: false)
  }
}

extension Scenario {
  /// The actors without the name of a view that is the only one of its collection.
  fileprivate var actorsWithStatedViews: [ActorSettings] {
    actors.map { actor in
      var actor = actor
      if views.count(where: { $0.collection == actor.collection }) < 2 { actor.view = nil }
      return actor
    }
  }
}
