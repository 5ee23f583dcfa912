internal import Testing

@testable import BenchResults
@testable import BenchScenario

/// The model of each section's keys.
@Suite("Sections")
struct SectionTests {
  private func scenario(_ overrides: (String, String)...) throws -> Scenario {
    let overrides = overrides.map { ScenarioOverride(path: $0.0, value: $0.1) }
    return try ScenarioLoader.load(text: smallScenario, overrides: overrides).scenario
  }

  @Test("omitted keys have the documented defaults")
  func defaults() throws {
    let scenario = try scenario()
    #expect(scenario.tags == [] && scenario.seed == 7)
    #expect(scenario.measure == MeasureSettings(everyNanoseconds: 50_000_000, histogramDigits: 3))
    #expect(scenario.connections[1] == ConnectionSettings(name: "two"))
    #expect(
      scenario.dataset == [DatasetCollection(name: "items", rows: 1000, value: ValueShape(size: .fixed(bytes: 64)))]
    )
    let writer = ActorSettings(
      name: "write",
      connections: ["two"],
      operations: [OperationWeight(.set, weight: 1)],
      transactionKind: .readWrite,
      collection: "items",
      load: .open(rate: .constant(perSecond: 100), arrival: .poisson)
    )
    #expect(scenario.actors[1] == writer)
    #expect(scenario.phases[0].actors[1] == PhaseActor(writer))
    #expect(EngineSettings() == EngineSettings(driver: .yap, synchronous: .full))
  }

  @Test("every option of the engine is read")
  func engine() throws {
    let text = """
      {driver: yap, synchronous: off, defaultObjectPolicy: containment, defaultMetadataPolicy: copy, pageSize: 8KiB,
       mmapSize: 0B, engineVFS: no, journalSizeLimit: 1MiB, aggressiveCheckpointAt: 4MiB, checkpoint: {every: 2s},
       busyTimeout: 0s}
      """
    let expected = EngineSettings(
      driver: .yap,
      synchronous: .off,
      defaultObjectPolicy: .containment,
      defaultMetadataPolicy: .copy,
      pageSizeBytes: 8192,
      mmapSizeBytes: 0,
      engineVFS: false,
      journalSizeLimitBytes: 1 << 20,
      aggressiveCheckpointAtBytes: 4 << 20,
      checkpoint: CheckpointSettings(mode: .passive, everyNanoseconds: 2_000_000_000),
      busyTimeoutNanoseconds: 0
    )
    #expect(try scenario(("engine", text)).engine == expected)
    #expect(try scenario(("engine", "{driver: null}"), ("invariants", "[]")).engine == EngineSettings(driver: .null))
  }

  @Test("a cache limit of 0 turns the cache off")
  func cachesOfNothing() throws {
    let limits = ("connections.one", "{objectCacheLimit: 0, metadataCacheLimit: 0, objectCache: on}")
    let caches = ("connections.one", "{objectCache: off, metadataCache: off}")
    try #expect(scenario(limits) == scenario(caches))
    try #expect(scenario(("connections.one", "{objectCache: off, objectCacheLimit: 0}")).connections[0].metadataCache)
    let matrix = ScenarioOverride(path: "matrix", value: "{connections.one.objectCacheLimit: [0, 20]}")
    let loaded = try ScenarioLoader.load(text: smallScenario, overrides: [matrix])
    #expect(loaded.variants.map(\.scenario.connections[0].objectCache) == [false, true])
    let override = ScenarioOverride(path: "connections.one", value: "{objectCacheLimit: 0}")
    let explained = try ScenarioLoader.load(text: smallScenario, overrides: [override]).explainedYAML()
    #expect(!explained.contains("objectCache: true, objectCacheLimit: 0"))
  }

  @Test(
    "loads",
    arguments: [
      ("{closed: {think: 500\u{b5}s..5ms}}", .closed(thinkTimes: 500_000...5_000_000)),
      ("{closed: {think: 0s..2\u{3bc}s}}", .closed(thinkTimes: 0...2_000)),
      ("{closed: {think: 5ms..5ms}}", .closed(thinkNanoseconds: 5_000_000)),
      ("closed", .closed(thinkNanoseconds: 0)), ("{closed: {think: 0s}}", .closed(thinkNanoseconds: 0)),
      ("{rate: 200/s}", .open(rate: .constant(perSecond: 200), arrival: .constant)),
      ("{ramp: {from: 1/s, to: 9/s}}", .open(rate: .ramp(fromPerSecond: 1, toPerSecond: 9), arrival: .constant)),
      ("{ramp: {from: 0/s, to: 9/s}}", .open(rate: .ramp(fromPerSecond: 0, toPerSecond: 9), arrival: .constant)),
      (
        "{stages: [{to: 9/s, for: 1s}, {to: 0/s, for: 500ms}, {from: 5/s, to: 6/s, for: 100ms}]}",
        .open(
          rate: .stages(
            RateStages([
              .init(fromPerSecond: 0, toPerSecond: 9, seconds: 1),
              .init(fromPerSecond: 9, toPerSecond: 0, seconds: 0.5),
              .init(fromPerSecond: 5, toPerSecond: 6, seconds: 0.1),
            ])
          ),
          arrival: .constant
        )
      ),
      (
        "{burst: {base: 1/s, peak: 2/s, lastPeak: 9/s, every: 2s, for: 1s}}",
        .open(
          rate: .burst(
            BurstRate(
              basePerSecond: 1,
              peakPerSecond: 2,
              lastPeakPerSecond: 9,
              everyNanoseconds: 2_000_000_000,
              forNanoseconds: 1_000_000_000
            )
          ),
          arrival: .constant
        )
      ),
      (
        "{sine: {low: 1/s, high: 9/s, period: 2s}, arrival: poisson}",
        .open(rate: .sine(lowPerSecond: 1, highPerSecond: 9, periodNanoseconds: 2_000_000_000), arrival: .poisson)
      ),
    ] as [(String, LoadModel)]
  )
  func loads(_ text: String, _ expected: LoadModel) throws {
    #expect(try scenario(("actors.write.load", text), ("expect", "[]")).actors[1].load == expected)
  }

  @Test("operations use the actor's collection, or the one that they name")
  func collections() throws {
    let actor = try scenario(
      ("dataset.other", "{rows: 5, inserts: 9, value: {size: 64B}}"),
      ("actors.write.operations", "{other.insert: 2, set: 1, items.get: 3, empty: 1}"),
      ("actors.write.transaction", "{operations: each}")
    ).actors[1]
    #expect(actor.operations.map(\.name) == ["other.insert", "set", "items.get", "empty"])
    #expect(actor.operations.map(actor.collection(of:)) == ["other", "items", "items", nil])
    #expect(actor.collections == ["other", "items"])
    #expect(actor.performsEach && actor.operationsPerTransaction == 7...7)
    let alone = try scenario(
      ("actors.read", "{connection: one, operations: {items.scan(1..9): 1, empty: 1}}")
    ).actors[0]
    #expect(alone.collection == nil && alone.collections == ["items"] && !alone.performsEach)
  }

  @Test("a transaction's kind follows the operations unless it is written")
  func transactionKinds() throws {
    #expect(try scenario().actors.map(\.transactionKind) == [.read, .readWrite])
    #expect(
      try scenario(("actors.read.transaction", "{kind: readWrite, operations: 2..4, api: sync}")).actors[0].writes
    )
    #expect(try scenario(("actors.read.operations", "{empty: 1}")).actors[0].transactionKind == .read)
  }

  @Test("a long-lived read may share its connection with actors that need the same snapshot")
  func sharedReads() throws {
    let other =
      "{connection: one, snapshot: {longLived: every(16ms)}, operations: {get: 1}, collection: items, "
      + "connectionLifetime: kept}"
    let scenario = try scenario(
      ("actors.read.snapshot", "{longLived: every(16ms)}"),
      ("actors.other", other),
      ("phases.run.actors", "[read, write, other]"),
      ("expect", "[\"run/read.advance service.p99 < 1s\"]")
    )
    #expect(scenario.actors[0].snapshot == .longLived(.every(nanoseconds: 16_000_000)))
    #expect(scenario.expectations[0].figure.scope.operation == "advance")
  }

  @Test(
    "a long-lived read may react to changes with reads of all changed rows, or of some",
    arguments: ["all", "20", "2k"]
  )
  func reactions(_ rows: String) throws {
    let reacting = "{longLived: onNotification, react: \(rows)}"
    let scenario = try scenario(
      ("phases.run.actors", "{read: {snapshot: \(reacting)}, write: {}}"),
      ("expect", "[\"run/read notification.toRead.p99 < 1s\"]")
    )
    #expect(scenario.actors[0].reactingRows == nil)
    let settings = scenario.phases[0].actors[0].settings
    #expect(settings.snapshot == .longLived(.onNotification))
    #expect(settings.reactingRows == ["all": .max, "20": 20, "2k": 2_000][rows])
  }

  @Test("a phase may end after a number of operations, but then no rate can ramp over its time")
  func operationsEnd() {
    let end = smallScenario(line: 25, "    operations: 5k")
    #expect(problems(in: end) == [])
    func found(_ load: String) -> [String] {
      problems(in: end, overrides: [ScenarioOverride(path: "actors.write.load", value: load)])
    }
    let changing =
      "s.yaml:26:20: error: the actor \"write\" has a load that changes over the phase, whose length is not known; end "
      + "the phase by \"for\""
    #expect(found("{ramp: {from: 1/s, to: 9/s}}") == [changing])
    #expect(found("{burst: {base: 1/s, peak: 5/s, lastPeak: 9/s, every: 2s, for: 1s}}") == [changing])
    #expect(found("{burst: {base: 1/s, peak: 5/s, every: 2s, for: 1s}}") == [])
    #expect(found("{stages: [{to: 9/s, for: 1h}]}") == [])
    #expect(
      found("{stages: [{to: 9/s, for: 1s}, {to: 0/s, for: 1s}]}") == [
        "s.yaml:26:20: error: the actor \"write\" has a load that ends with its last stage, perhaps before the "
          + "operations of the phase; end the phase by \"for\""
      ]
    )
  }

  @Test("histograms have from 1 to 5 digits", arguments: [1, 5])
  func histogramDigits(_ digits: Int) throws {
    #expect(try scenario(("measure.histogramDigits", "\(digits)")).measure.histogramDigits == digits)
  }

  @Test("datasets are added up")
  func largeDataset() {
    let found = problems(
      in: smallScenario,
      overrides: [
        ScenarioOverride(path: "dataset.a", value: "{rows: 40M, value: {size: 1KiB}}"),
        ScenarioOverride(path: "dataset.b", value: "{rows: 40M, value: {size: 512B..1536B}}"),
      ]
    )
    #expect(found == ["--set:2:18: error: the dataset would hold about 76 GiB; expected at most 64 GiB"])
  }

  @Test(
    "Booleans are read in all spellings of YAML",
    arguments: [("on", true), ("off", false), ("true", true)]
  )
  func booleans(_ text: String, _ expected: Bool) throws {
    #expect(try scenario(("connections.one", "{objectCache: \(text)}")).connections[0].objectCache == expected)
  }

  @Test("empty sections are reported as empty", arguments: ["dataset", "connections", "actors"])
  func emptySections(_ section: String) {
    let found = problems(in: smallScenario, overrides: [ScenarioOverride(path: section, value: "{}")])
    #expect(found.contains { $0.hasPrefix("--set:1:\(section.count + 2): error: expected a mapping of names to") })
  }

  @Test("a scenario without phases has one problem, and no actor is reported as unused")
  func noPhases() {
    let found = problems(in: smallScenario, overrides: [ScenarioOverride(path: "phases", value: "[]")])
    #expect(found == ["--set:1:8: error: expected a list with a phase in each entry, found an empty one"])
  }
}
