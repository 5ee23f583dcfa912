internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("Overrides")
struct OverrideTests {
  private func load(_ overrides: [(String, String)]) throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: smallScenario,
      overrides: overrides.map { ScenarioOverride(path: $0.0, value: $0.1) }
    )
  }

  @Test("a path consists of keys, and of names or indices of list elements")
  func paths() throws {
    let scenario = try load([
      ("phases.run.for", "10s"), ("engine.synchronous", "off"), ("actors.read.operations.get", "3"),
      ("actors.write.load", "{closed: {think: 5ms}}"), ("phases.0.actors.1", "write"),
      ("expect.0", "run duration < 20s"),
    ]).scenario
    #expect(scenario.phases[0].end == .duration(nanoseconds: 10_000_000_000))
    #expect(scenario.engine.synchronous == .off)
    #expect(scenario.actors[0].operations[0] == OperationWeight(.get, weight: 3))
    #expect(scenario.actors[1].load == .closed(thinkNanoseconds: 5_000_000))
    #expect(scenario.expectations[0].figure.metric == .duration)
  }

  @Test("a dot in parentheses does not end a component")
  func parentheses() throws {
    let path = "actors.read.operations.scan(1..100)"
    let scenario = try load([("actors.read.operations", "{scan(1..100): 1, get: 1}"), (path, "5")]).scenario
    #expect(scenario.actors[0].operations[0] == OperationWeight(OperationKind(.scan, 1...100), weight: 5))
    #expect(YAMLNode.components(ofPath: "a.b(1..2 x.y).c..d") == ["a", "b(1..2 x.y)", "c", "", "d"])
    let matrix = smallScenario + "\nmatrix: {\(path): [1, 2]}"
    let text = matrix.split(separator: "\n").map { line in
      line.contains("multiGet(4)") ? "    operations: {scan(1..100): 9}" : line
    }
    #expect(try ScenarioLoader.load(text: text.joined(separator: "\n")).variants.count == 2)
  }

  @Test("the keys of an operation are set beside its weight, also if its name has a dot")
  func keysOfOperation() throws {
    let keys = [("actors.read.operations.get.keys", "latest"), ("actors.read.operations.multiGet(4).weight", "5")]
    #expect(
      try load(keys).scenario.actors[0].operations == [
        OperationWeight(OperationKind(.get), weight: 9, keys: .latest),
        OperationWeight(OperationKind(.multiGet, 4), weight: 5),
      ]
    )
    let named = [("actors.read.operations", "{items.get: 3}"), ("actors.read.operations.items.get.keys", "sequential")]
    let operation = OperationWeight(OperationKind(.get), in: "items", weight: 3, keys: .sequential)
    #expect(try load(named).scenario.actors[0].operations == [operation])
    let varied = try load([("matrix", "{actors.read.operations.get.keys: [latest, uniform]}")])
    #expect(varied.variants.map { $0.scenario.actors[0].operations[0].keys } == [.latest, .uniform])
    #expect(throws: ScenarioDiagnostics.self) { try load([("actors.read.operations.items.set.keys", "latest")]) }
  }

  @Test("a missing last key is created, and the last of two overrides wins")
  func missingKey() throws {
    let loaded = try load([("actors.read.threads", "2"), ("actors.read.threads", "3"), ("tags", "[a, b]")])
    #expect(loaded.scenario.actors[0].threads == 3)
    #expect(loaded.scenario.tags == ["a", "b"])
    #expect(loaded.expandedYAML.contains("threads: 3"))
  }

  @Test("a missing section of the format is created, and the expanded text contains it")
  func missingSection() throws {
    let sections = ["engine:", "measure:", "    load: closed"]
    let lines = smallScenario.split(separator: "\n").filter { line in !sections.contains { line.hasPrefix($0) } }
    let loaded = try ScenarioLoader.load(
      text: lines.joined(separator: "\n"),
      overrides: [
        ScenarioOverride(path: "engine.checkpoint.every", value: "1s"),
        ScenarioOverride(path: "actors.read.load.burst", value: "{base: 1/s, peak: 2/s, every: 2s, for: 1s}"),
        ScenarioOverride(path: "actors.read.load.burst.peak", value: "3/s"),
        ScenarioOverride(path: "measure.every", value: "50ms"),
      ]
    )
    #expect(loaded.scenario.engine.checkpoint?.everyNanoseconds == 1_000_000_000)
    #expect(loaded.scenario.measure.everyNanoseconds == 50_000_000)
    #expect(!loaded.scenario.actors[0].load.isClosed)
    try #expect(ScenarioLoader.load(text: loaded.expandedYAML).scenario == loaded.scenario)
  }

  @Test("a word is replaced by a mapping if a path leads into it")
  func word() throws {
    let loaded = try load([
      ("actors.read.snapshot", "latest"), ("actors.read.snapshot.longLived", "never"), ("actors.write.load", "closed"),
      ("actors.write.load.rate", "5/s"),
    ])
    #expect(loaded.scenario.actors[0].snapshot == .longLived(.never))
    #expect(!loaded.scenario.actors[1].load.isClosed)
    // The path of a matrix may lead through a key that the file omits; the expanded text contains its default.
    let without = try load([("matrix", "{actors.read.snapshot.longLived: [every(1s), never]}")])
    let again = try ScenarioLoader.load(text: without.expandedYAML)
    #expect(again.variants == without.variants)
  }

  @Test("an override repairs an invalid file")
  func repair() throws {
    let text = smallScenario(line: 25, "    for: 2")
    let override = ScenarioOverride(path: "phases.run.for", value: "2s")
    #expect(
      try ScenarioLoader.load(text: text, overrides: [override]).scenario.phases[0].end
        == .duration(nanoseconds: 2_000_000_000)
    )
  }

  @Test(
    "a problem of an override is located in --set, at its ordinal and column",
    arguments: [
      (
        "phases.runs.for", "10s",
        "1:8: error: invalid path \"phases.runs.for\": there is no \"runs\"; did you mean \"run\"?"
      ),
      (
        "phase.run.for", "10s",
        "1:1: error: invalid path \"phase.run.for\": there is no \"phase\"; did you mean \"phases\"?"
      ),
      (
        "phases.4.for", "10s",
        "1:8: error: invalid path \"phases.4.for\": there is no \"4\"; expected one of run"
      ),
      (
        "seed.value", "1",
        "1:6: error: invalid path \"seed.value\": expected a mapping with the key \"value\", found \"7\""
      ),
      ("", "1", "1:1: error: invalid path \"\": a part of the path is empty"),
      ("engine..driver", "yap", "1:8: error: invalid path \"engine..driver\": a part of the path is empty"),
      ("seed", "[1", "1:6: error: the value of \"seed\" is not one YAML value: \"[1\""),
      ("seed", "", "1:6: error: the value of \"seed\" is not one YAML value: \"\""),
      ("seed", "many", "1:6: error: expected a whole number from 0 to 18446744073709551615, found \"many\""),
      (
        "engine.sinchronous", "off",
        "1:8: error: unknown key \"sinchronous\" in an engine; did you mean \"synchronous\"?"
      ),
      ("actors.write.load", "{rate: 0/s}", "1:26: error: expected more than 0, found \"0/s\""),
      (
        "measure.evry", "1s",
        "1:9: error: unknown key \"evry\" in the measurement settings; did you mean \"every\"?"
      ),
      (
        "actors.read.laod.rate", "5/s",
        """
        1:13: error: invalid path "actors.read.laod.rate": there is no "laod"; did you mean "load"?
        """
      ),
      (
        "actors.reed.load.rate", "5/s",
        """
        1:8: error: invalid path "actors.reed.load.rate": there is no "reed"; did you mean "read"?
        """
      ),
      (
        "actors.read.transaction.kind.of", "read",
        """
        1:25: error: invalid path "actors.read.transaction.kind.of": there is no "kind"; its value would be \
        one of read, readWrite
        """
      ),
      ("phases.run.events", "[]", "1:19: error: expected a list with an event in each entry, found an empty one"),
    ]
  )
  func problemOfOverride(_ path: String, _ value: String, _ expected: String) {
    let override = ScenarioOverride(path: path, value: value)
    #expect(problems(in: smallScenario, overrides: [override]) == ["--set:" + expected])
  }

  @Test("the file's problems come first, then those of overrides in their order")
  func order() {
    let found = problems(
      in: smallScenario(line: 3, "summary:"),
      overrides: [ScenarioOverride(path: "seed", value: "1"), ScenarioOverride(path: "nowhere.at", value: "1")]
    )
    #expect(found.map { String($0.prefix(12)) } == ["s.yaml:3:9: ", "--set:2:1: e"])
  }
}
