internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("The variants of a comparison of drivers")
struct ComparedDriversTests {
  private func load(
    _ drivers: [DriverKind],
    in text: String = smallScenario,
    with overrides: (String, String)...
  ) throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: text,
      file: "s.yaml",
      overrides: overrides.map { ScenarioOverride(path: $0.0, value: $0.1) },
      drivers: drivers
    )
  }

  /// The parts that are left out for a driver, without metrics.
  private func subjects(_ loaded: LoadedScenario, _ driver: String) -> [String] {
    loaded.engines?.exclusions(of: driver).map(\.subject).filter { !$0.hasPrefix("metrics: ") } ?? []
  }

  private func problems(_ drivers: [DriverKind], _ overrides: (String, String)...) -> [String] {
    do {
      _ = try ScenarioLoader.load(
        text: smallScenario,
        file: "s.yaml",
        overrides: overrides.map { ScenarioOverride(path: $0.0, value: $0.1) },
        drivers: drivers
      )
      return []
    } catch {
      return error.diagnostics.map(\.description)
    }
  }

  @Test("are named by the drivers, in the order of the command, and run five times")
  func names() throws {
    let loaded = try load([.sqlite, .yap])
    #expect(loaded.variants.map(\.name) == ["driver=sqlite", "driver=yap"])
    #expect(loaded.variants.map(\.label) == ["sqlite", "yap"])
    #expect(loaded.variants.map(\.scenario.engine.driver) == [.sqlite, .yap])
    #expect(loaded.variants.allSatisfy { $0.scenario.engine.synchronous == .normal })
    #expect(loaded.repetitions == 6)
    #expect(try load([.sqlite, .yap], with: ("repeat", "2")).repetitions == 2)
    #expect(try load([.sqlite]).repetitions == 1)
    #expect(loaded.comparedDrivers == [.sqlite, .yap])
  }

  @Test("come from a text that is the scenario as it is written, from which they can be loaded again")
  func text() throws {
    let loaded = try load([.yap, .sqlite])
    #expect(try loaded.expandedYAML == load([]).expandedYAML)
    let again = try ScenarioLoader.load(text: loaded.expandedYAML, drivers: loaded.comparedDrivers)
    #expect(again.variants == loaded.variants && again.engines == loaded.engines)
  }

  @Test("do without options, invariants, expectations and events that a driver lacks, and the others keep them")
  func exclusions() throws {
    let loaded = try load(
      [.yap, .sqlite, .null],
      with: ("invariants", "[knownAnswers, cacheCoherence]"),
      ("expect", "[run cache.object.hits.sum > 5, run wal.bytes.max < 5MiB, run/write response.p99 < 50ms]"),
      ("phases.run.events", "[{at: 1s, do: vacuum}]"),
      ("engine.defaultObjectPolicy", "share"),
      ("engine.checkpoint", "{mode: passive, every: 1s}")
    )
    let scenarios = loaded.variants.map(\.scenario)
    #expect(scenarios.map(\.engine.driver) == [.yap, .sqlite, .null])
    #expect(scenarios.map(\.expectations.count) == [3, 2, 1])
    #expect(scenarios.map(\.invariants) == [[.knownAnswers, .cacheCoherence], [.knownAnswers], []])
    #expect(scenarios.map(\.phases[0].events.count) == [1, 1, 0])
    #expect(scenarios.map(\.engine.defaultObjectPolicy) == [.share, nil, nil])
    #expect(scenarios.map { $0.engine.checkpoint != nil } == [true, true, false])
    #expect(subjects(loaded, "yap") == [])
    #expect(
      subjects(loaded, "sqlite") == [
        "option \"defaultObjectPolicy\"", "option \"objectCacheLimit\"",
        "expectation \"run cache.object.hits.sum > 5\"", "invariant \"cacheCoherence\"",
      ]
    )
    let null = subjects(loaded, "null")
    #expect(null.contains("option \"synchronous\"") && null.contains("all invariants"))
    #expect(null.contains("event \"vacuum\"") && null.contains("expectation \"run wal.bytes.max < 5MiB\""))
    let coherence = loaded.engines?.exclusions(of: "sqlite").first { $0.subject.contains("cacheCoherence") }
    #expect(coherence?.reason == "it has no caches of objects")
  }

  @Test("have a warning at each part that is left out")
  func warnings() throws {
    #expect(
      try load([.yap, .sqlite]).warnings.map(\.description) == [
        "s.yaml:9:9: warning: not compared with the driver \"sqlite\": option \"objectCacheLimit\" (it has no such "
          + "option)"
      ]
    )
  }

  @Test("list the metrics that a driver lacks and another one has")
  func metrics() throws {
    let reasons = try load([.yap, .sqlite]).engines?.exclusions.filter { $0.subject.hasPrefix("metrics: ") }
    #expect(reasons?.map(\.driver) == ["sqlite", "sqlite"])
    #expect(
      reasons?.map(\.reason) == [
        "it does not report which rows other connections have changed", "it has no caches of objects",
      ]
    )
    #expect(try load([.sqlite]).engines?.exclusions.contains { $0.subject.hasPrefix("metrics: ") } == false)
  }

  @Test("do without a touch if other operations remain")
  func touch() throws {
    let some = try load([.yap, .sqlite], with: ("actors.write.operations", "{set: 1, touch: 2}"))
    #expect(some.variants.map { $0.scenario.actors[1].operations.count } == [2, 1])
    #expect(subjects(some, "sqlite").contains("operation \"touch\" of \"write\""))
    let all = try load([.yap, .sqlite], with: ("actors.write.operations", "{touch: 2}"))
    #expect(all.variants.map(\.label) == ["yap"])
  }

  @Test(
    "are left out as a whole if an actor or a phase needs what the driver lacks",
    arguments: [
      ("actors.write.operations", "{set: 1, nestedRead(one): 1}", "detects no deadlocks"),
      ("actors.write.transaction", "{api: async}", "has no asynchronous calls"),
      ("actors.read.snapshot", "{longLived: onNotification, react: all}", "has no \"react\""),
    ]
  )
  func wholeVariant(path: String, value: String, reason: String) throws {
    let loaded = try load([.yap, .sqlite], with: (path, value))
    #expect(loaded.variants.map(\.label) == ["yap"])
    let exclusion = try #require(loaded.engines?.exclusions.first)
    #expect(exclusion.subject == "the whole scenario" && exclusion.reason.contains(reason))
    // Of a variant that does not run, nothing else is listed but metrics.
    #expect(subjects(loaded, "sqlite").count == 1)
  }

  @Test("with views are left out if an actor reads one, and otherwise do without them")
  func views() throws {
    let views = ("views", "[{name: list, collection: items}]")
    let unread = try load([.yap, .sqlite], with: views)
    #expect(unread.variants.map(\.scenario.views.count) == [1, 0])
    #expect(subjects(unread, "sqlite").contains("views"))
    let read = try load([.yap, .sqlite], with: views, ("actors.read.operations", "{viewAt: 1}"))
    #expect(read.variants.map(\.label) == ["yap"])
    #expect(read.engines?.exclusions.first?.reason.contains("has no views, and \"viewAt\" reads one") == true)
  }

  @Test("that differ only in what a driver lacks run once for it")
  func equalVariants() throws {
    let text = smallScenario + "\nmatrix: {engine.defaultObjectPolicy: [share, copy], actors.read.threads: [1, 2]}"
    let loaded = try load([.yap, .sqlite], in: text)
    #expect(
      loaded.variants.map(\.label) == [
        "yap, share, 1", "yap, share, 2", "yap, copy, 1", "yap, copy, 2", "sqlite, –, 1", "sqlite, –, 2",
      ]
    )
    #expect(loaded.variants[5].scenario.phases[0].actors[0].settings.threads == 2)
    #expect(subjects(loaded, "sqlite").filter { $0.hasPrefix("variant") }.count == 2)
  }

  @Test("replace the drivers of the scenario's own matrix, and its expectations of other drivers are left out")
  func ownAxis() throws {
    let text =
      smallScenario(line: 29, "  - \"[sqlite] run/write response.p99 < 50ms\"")
      .replacing("{objectCacheLimit: 10}", with: "{}") + "\nmatrix: {engine.driver: [yap, sqlite]}\nrepeat: 3"
    let loaded = try load([.yap, .null], in: text, with: ("invariants", "[]"))
    #expect(loaded.variants.map(\.label) == ["yap", "null"])
    #expect(loaded.variants.allSatisfy { $0.scenario.expectations.isEmpty })
    #expect(loaded.repetitions == 3)
    #expect(subjects(loaded, "yap") == ["expectation \"[sqlite] run/write response.p99 < 50ms\""])
  }

  @Test("all have the same durability, or nothing is compared")
  func durability() throws {
    #expect(
      problems([.yap, .lmdb]) == [
        "s.yaml:5:23: error: the driver \"lmdb\" has no \"normal\": it has no level with the same durability; write "
          + "\"off\" or \"full\", for all drivers, such as with --set engine.synchronous=full"
      ]
    )
    let full = try load([.yap, .lmdb], with: ("engine.synchronous", "full"))
    #expect(full.variants.map(\.scenario.engine.synchronous) == [.full, .full])
  }

  @Test("do not hide a mistake of the scenario")
  func mistakes() {
    let found = problems([.yap, .sqlite], ("actors.read.operations", "{gett: 1}"))
    #expect(found.count == 1 && found[0].contains("did you mean \"get\"?"))
    let changed = problems([.yap, .sqlite], ("engine.driver", "sqlite"), ("connections.one", "{}"))
    #expect(changed.count == 1 && changed[0].hasPrefix("--set:1:1: error: the matrix varies \"engine.driver\""))
    let none = problems([.sqlite], ("actors.write.transaction", "{api: async}"))
    #expect(none.count == 1 && none[0].hasPrefix("--driver:1:1: error: none of the drivers can run the scenario: "))
  }
}
