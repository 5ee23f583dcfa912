/// One benchmark, as its file describes it, checked and with every default filled in.
public struct Scenario: Sendable, Equatable {
  public var name: String
  public var summary: String
  public var tags: [String]
  /// `nil` means that the run draws one and writes it into its own copy of the scenario.
  public var seed: UInt64?
  public var engine: EngineSettings
  /// In the file's order.
  public var dataset: [DatasetCollection]
  public var views: [ViewSettings] = []
  public var connections: [ConnectionSettings]
  public var actors: [ActorSettings]
  public var phases: [PhaseSettings]
  public var measure: MeasureSettings
  public var expectations: [Expectation]
  public var invariants: [Invariant]

  public init(
    name: String,
    summary: String,
    tags: [String] = [],
    seed: UInt64? = nil,
    engine: EngineSettings = EngineSettings(),
    dataset: [DatasetCollection] = [],
    connections: [ConnectionSettings],
    actors: [ActorSettings],
    phases: [PhaseSettings],
    measure: MeasureSettings = MeasureSettings(),
    expectations: [Expectation] = [],
    invariants: [Invariant] = []
  ) {
    self.name = name
    self.summary = summary
    self.tags = tags
    self.seed = seed
    self.engine = engine
    self.dataset = dataset
    self.connections = connections
    self.actors = actors
    self.phases = phases
    self.measure = measure
    self.expectations = expectations
    self.invariants = invariants
  }
}

extension Scenario {
  /// Whether the engine runs in a process of its own, because an event ends it.
  public var hasEngineProcess: Bool { phases.contains { $0.events.contains(where: \.action.endsProcess) } }

  /// The views that are there from the beginning: those that no event registers.
  public var firstViews: [ViewSettings] {
    let late = viewsOfEvents
    return views.filter { !late.contains($0.name) }
  }

  /// The views that an event registers.
  public var lateViews: [ViewSettings] {
    let late = viewsOfEvents
    return views.filter { late.contains($0.name) }
  }

  private var viewsOfEvents: Set<String> { Set(phases.flatMap(\.events).compactMap(\.action.view)) }

  /// The longest that the phases take together, `within` counted in full. Loading the dataset is not in it.
  public var plannedDurationNanoseconds: UInt64 {
    phases.reduce(0) { sum, phase in
      let (result, overflow) = sum.addingReportingOverflow(phase.end.plannedNanoseconds)
      return overflow ? .max : result
    }
  }
}
