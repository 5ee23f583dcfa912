internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("Events of a phase")
struct EventTests {
  private let text = smallScenario(
    line: 25,
    """
        for: 2s
        events:
          - {at: 1500ms, do: stall(write 1s)}
          - {at: 1s, do: vacuum}
          - {at: 0s, do: checkpoint(passive)}
          - {at: 1s, do: flushMemory}
    """
  )

  private func found(_ claim: String, _ overrides: (String, String)...) -> [String] {
    let all = overrides + [("expect", "[\"\(claim)\"]")]
    return problems(in: text, overrides: all.map { ScenarioOverride(path: $0.0, value: $0.1) })
  }

  @Test("are sorted by time, and those of the same time keep their order")
  func order() throws {
    let phase = try ScenarioLoader.load(text: text).scenario.phases[0]
    #expect(phase.events.map(\.at.nanoseconds) == [0, 1_000_000_000, 1_000_000_000, 1_500_000_000])
    #expect(
      phase.events.map(\.action.description) == ["checkpoint(passive)", "vacuum", "flushMemory", "stall(write 1s)"]
    )
  }

  @Test("are printed as they are written", arguments: Scalars.eventActions.descriptions.map(\.example))
  func description(_ example: String) throws {
    try #expect(Scalars.eventAction.parse(example).description == example)
  }

  @Test("at counts are read, follow those at times, and are printed as they are written")
  func counts() throws {
    let counted = text.replacing("at: 0s", with: "at: commits(1k)").replacing("at: 1500ms", with: "at: checkpoints(2)")
    let phase = try ScenarioLoader.load(text: counted).scenario.phases[0]
    #expect(
      phase.events.map(\.at) == [
        .time(nanoseconds: 1_000_000_000), .time(nanoseconds: 1_000_000_000), .checkpoints(2), .commits(1_000),
      ]
    )
    #expect(phase.events.map(\.at.description) == ["1s", "1s", "checkpoints(2)", "commits(1000)"])
    #expect(
      try ScenarioLoader.load(text: counted).smoke().scenario.phases[0].events.map(\.at.description).last
        == "commits(1000)"
    )
  }

  @Test("at counts need a driver that keeps data")
  func countsOfNull() {
    let found = problems(
      in: smallScenario(line: 25, "    for: 2s\n    events: [{at: commits(5), do: stall(read 1s)}]")
        .replacing("{driver: yap, synchronous: normal}", with: "{driver: null}")
        .replacing("invariants: [knownAnswers]", with: "")
    )
    #expect(
      found == ["s.yaml:26:19: error: the driver \"null\" has neither commits nor checkpoints; write a time such as 5s"]
    )
  }

  @Test("may move a snapshot that otherwise stays, and may have a late time in a phase that counts operations")
  func allowed() {
    let moving = [
      ("actors.read.snapshot", "{longLived: never}"), ("phases.run.events", "[{at: 1s, do: advance(read)}]"),
    ]
    #expect(problems(in: smallScenario, overrides: moving.map { ScenarioOverride(path: $0.0, value: $0.1) }) == [])
    let counting = smallScenario(line: 25, "    operations: 5\n    events: [{at: 1h, do: vacuum}]")
    #expect(problems(in: counting) == [])
    // An override can change an event that the file has.
    #expect(found("run/events.vacuum response.max < 1s", ("phases.run.events.1.at", "100ms")) == [])
  }

  @Test("may register each view once, in any phase")
  func registrations() {
    let views = ("views", "[{name: newest, collection: items}, {name: other, collection: items}]")
    let register = "{at: 1s, do: register(newest)}"
    let claim = "run/events.register service.max < 5s"
    let both = ("phases.run.events", "[\(register), {at: 1s, do: register(other)}]")
    #expect(found(claim, views, both) == [])
    let twice = ("phases.run.events", "[\(register), {at: 0s, do: register(newest)}]")
    #expect(
      found(claim, views, twice)
        == ["--set:2:33: error: the view \"newest\" is registered by an event already; leave one of them out"]
    )
    let misspelt = ("phases.run.events", "[\(register), {at: 1s, do: register(othr)}]")
    #expect(found(claim, views, misspelt).map { $0.hasSuffix("did you mean \"other\"?") } == [true])
    // The only problem is that the driver has no views.
    let driver = [("engine", "{driver: sqlite}"), ("connections.one", "{}"), ("expect", "[]"), views, both]
    let sqlite = problems(in: text, overrides: driver.map { ScenarioOverride(path: $0.0, value: $0.1) })
    #expect(sqlite.map { $0.contains("has no views") } == [true], "\(sqlite)")
  }

  @Test("that register views do not affect the other views, which are registered at the beginning")
  func lateViews() throws {
    let views = ScenarioOverride(path: "views", value: "[{name: a, collection: items}, {name: b, collection: items}]")
    let events = ScenarioOverride(path: "phases.run.events", value: "[{at: 1s, do: register(b)}]")
    let scenario = try ScenarioLoader.load(text: text, overrides: [views, events]).scenario
    #expect(scenario.firstViews.map(\.name) == ["a"])
    #expect(scenario.lateViews.map(\.name) == ["b"])
  }

  @Test("have times for expectations")
  func expectations() {
    for metric in ["wait.max", "service.p50", "response.mean"] {
      #expect(found("run/events.stall \(metric) < 5s") == [])
      #expect(found("abort run/events.checkpoint \(metric) < 5s") == [])
    }
  }

  @Test(
    "have no other metrics",
    arguments: [
      ("run/events response.max < 1s", "have no common figures; write for instance \"run/events.checkpoint\""),
      ("run/events.vacum response.max < 1s", "has no event \"vacum\"; did you mean \"vacuum\"?"),
      ("run/events.vacuum throughput.mean > 1/s", "an event has \"wait\", \"service\" and \"response\" only"),
      ("run/events cache.object.hits.sum > 1", "have no common figures; write for instance \"run/events.checkpoint\""),
    ]
  )
  func unreachable(_ claim: String, _ reason: String) {
    let found = found(claim)
    #expect(found.count == 1)
    #expect(found.first?.hasSuffix(reason) == true, "\(found)")
  }

  @Test("reserve their name, so no actor may have it")
  func name() {
    let other = smallScenario(line: 12, "  events:").replacing("[read, write]", with: "[events, write]")
    #expect(
      problems(in: other) == [
        "s.yaml:12:3: error: the name \"events\" is reserved for the events of a phase; rename the actor"
      ]
    )
  }

  @Test("have no metrics in a phase that is not recorded")
  func notRecorded() {
    #expect(found("run/events.vacuum service.max < 1s", ("phases.run.record", "false")).count == 1)
  }

  @Test("keep their relative times in a smoke run")
  func smoke() throws {
    let scenario = try ScenarioLoader.load(text: text).scenario
    let smoke = scenario.smoke()
    #expect(smoke.phases[0].events.map(\.at.nanoseconds) == [0, 150_000_000, 150_000_000, 225_000_000])
    #expect(smoke.phases[0].events.last?.action == .stall(actor: "write", nanoseconds: 150_000_000))
    #expect(smoke.smoke() == smoke)
    var counted = scenario
    counted.phases[0].end = .operations(4_000)
    #expect(counted.smoke().phases[0].events[1].at.nanoseconds == 250_000_000)
  }

  @Test("are all in the reference")
  func reference() {
    for word in Scalars.eventActions.names { #expect(ScenarioReference.text.contains("`\(word)")) }
  }
}
