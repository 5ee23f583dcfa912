public import BenchResults
internal import HarnessPrimitives

/// One benchmark: the settings of one variant of a scenario file, with the defaults of the language filled in.
public struct Scenario: Sendable, Equatable {
  public var name: String
  public var summary: String
  public var tags: [String] = []
  /// nil if the file gives none: the command `run` then draws one, and writes it into its copy of the scenario.
  public var seed: UInt64?
  public var engine = EngineSettings()
  /// The collections in the file's order.
  public var dataset: [DatasetCollection] = []
  public var views: [ViewSettings] = []
  public var connections: [ConnectionSettings]
  public var actors: [ActorSettings]
  public var phases: [PhaseSettings]
  public var measure = MeasureSettings()
  /// The expectations of each run of this variant.
  public var expectations: [Expectation] = []
  /// The expectations that compare variants. They are the same in each variant.
  public var variantExpectations: [Expectation] = []
  /// Figures that the report shows first, beside those of expectations.
  public var shownFigures: [FigureID] = []
  public var invariants: [Invariant] = []
}

extension Scenario {
  /// Whether the engine runs in a process of its own, because an event ends that process.
  public var hasEngineProcess: Bool { phases.contains { $0.events.contains(where: \.action.endsProcess) } }

  /// Whether reads of single rows report their outcome in the connection's caches. An engine in a process of its own
  /// reports none.
  public var hasCacheOutcomes: Bool { engine.driver.has(.caches) && !hasEngineProcess }

  /// The views that are registered before the dataset is loaded: those that no event registers.
  public var firstViews: [ViewSettings] { views.filter { !isLate($0) } }

  /// The views that an event registers.
  public var lateViews: [ViewSettings] { views.filter(isLate) }

  private func isLate(_ view: ViewSettings) -> Bool {
    phases.contains { $0.events.contains { $0.action.view == view.name } }
  }

  /// The planned time of all phases together, with `within` counted in full. Phases that only counts end and the
  /// loading of the dataset are not included.
  public var plannedDurationNanoseconds: UInt64 { phases.plannedNanoseconds }
}

// MARK: Smoke runs

extension Scenario {
  /// The default limit of a phase in a smoke run. A phase that waits for a comparison has a limit of its own.
  public static let longestSmokePhaseNanoseconds: UInt64 = 300_000_000

  /// Returns the scenario with few rows and short phases: its run measures nothing, but shows that it can run.
  public func smoke(longestPhaseNanoseconds: UInt64 = longestSmokePhaseNanoseconds) -> Scenario {
    let mostRows = 1_000
    var result = self
    for index in dataset.indices { result.dataset[index].rows = min(dataset[index].rows, mostRows) }
    result.phases = phases.map { $0.smoke(longestNanoseconds: longestPhaseNanoseconds) }
    // A smoke run does not judge its expectations, so none of them may end it.
    for index in expectations.indices { result.expectations[index].isAbort = false }
    return result
  }
}

extension PhaseSettings {
  fileprivate func smoke(longestNanoseconds: UInt64) -> PhaseSettings {
    let longestWaitNanoseconds: UInt64 = 20_000_000_000  // the phase ends as soon as its condition holds
    let mostOperations = 1_000
    let mostOfATransaction = 100  // a transaction must not take longer than a phase
    var result = self
    result.end.nanoseconds = end.nanoseconds.map { min($0, longestNanoseconds) }
    result.end.withinNanoseconds = end.withinNanoseconds.map { min($0, longestWaitNanoseconds) }
    if end.until?.isSteadiness ?? false {
      // A steady state shows only after seconds, so a smoke run does not wait for it.
      (result.end.until, result.end.withinNanoseconds) = (nil, nil)
      result.end.nanoseconds = end.plannedNanoseconds.map { min($0, longestNanoseconds) }
    }
    result.end.operations = end.operations.map { min($0, mostOperations) }
    result.end.commits = end.commits.map { min($0, mostOperations) }
    result.end.rows = end.rows.map { min($0, mostOperations) }
    for index in actors.indices {
      result.actors[index].settings.operationCount = actors[index].settings.operationCount.map {
        min($0, mostOperations)
      }
    }
    let share = result.length / length
    for index in actors.indices {
      let range = actors[index].settings.operationsPerTransaction
      result.actors[index].settings.operationsPerTransaction = range.clamped(to: 1...mostOfATransaction)
      result.actors[index].settings.load.scale(by: share)
    }
    for index in events.indices { result.events[index].scale(by: share) }
    return result
  }
}

extension PhaseSettings {
  /// The planned length in nanoseconds or, without one, the first count that ends the phase; at least 1.
  fileprivate var length: Double {
    max(end.plannedNanoseconds.map { Double($0) } ?? Double(countedEnds.first?.count ?? 1), 1)
  }
}

extension LoadModel {
  /// Scales the stages of a load, for a phase that is cut to `share` of its length.
  fileprivate mutating func scale(by share: Double) {
    guard share < 1, case .open(.stages(let stages), let arrival) = self else { return }
    self = .open(rate: .stages(stages.scaled(by: share)), arrival: arrival)
  }
}

extension PhaseEvent {
  /// Scales the event's time, and the duration of a stall, for a phase that is cut to `share` of its length.
  fileprivate mutating func scale(by share: Double) {
    guard share < 1 else { return }
    if case .time(let nanoseconds) = at { at = .time(nanoseconds: UInt64(saturating: Double(nanoseconds) * share)) }
    if case .stall(let actor, let nanoseconds) = action {
      action = .stall(actor: actor, nanoseconds: max(UInt64(saturating: Double(nanoseconds) * share), 1))
    }
  }
}
