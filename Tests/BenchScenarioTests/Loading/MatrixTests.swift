internal import Foundation
internal import TestSupport
internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("The variants of a scenario")
struct MatrixTests {
  private func load(_ lines: String, overrides: [(String, String)] = []) throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: smallScenario + "\n" + lines,
      file: "s.yaml",
      overrides: overrides.map { ScenarioOverride(path: $0.0, value: $0.1) }
    )
  }

  @Test("without a matrix there is one variant without a name, and it runs once")
  func none() throws {
    let loaded = try load("")
    #expect(loaded.variants.map(\.name) == [nil])
    #expect(loaded.variants.map(\.label) == [""])
    #expect(loaded.repetitions == 1)
    #expect(loaded.scenario == loaded.variants[0].scenario)
  }

  @Test("are the product of all values, where the last path changes fastest, and each has its values in its scenario")
  func product() throws {
    let loaded = try load("matrix: {engine.synchronous: [off, full], actors.read.threads: [1, 2]}\nrepeat: 3")
    #expect(
      loaded.variants.map(\.name) == [
        "synchronous=off,threads=1", "synchronous=off,threads=2", "synchronous=full,threads=1",
        "synchronous=full,threads=2",
      ]
    )
    #expect(loaded.variants.map(\.label) == ["off, 1", "off, 2", "full, 1", "full, 2"])
    #expect(loaded.variants.map(\.scenario.engine.synchronous) == [.off, .off, .full, .full])
    #expect(loaded.variants.map { $0.scenario.phases[0].actors[0].settings.threads } == [1, 2, 1, 2])
    #expect(loaded.variants.allSatisfy { $0.scenario.seed == 7 })
    #expect(loaded.repetitions == 3)
    #expect(loaded.runCount == 12)
  }

  @Test("are named by the shortest distinct ends of their paths, and by values in flow style")
  func names() throws {
    let matrix = """
      matrix:
        connections.one.objectPolicy: [share]
        connections.two.objectPolicy:
          - copy
        actors.write.load:
          - {ramp: {from: 1/s, to: 5/s}}
          - rate: 10/s
      """
    #expect(
      try load(matrix).variants.map(\.name) == [
        "one.objectPolicy=share,two.objectPolicy=copy,load={ramp: {from: 1/s, to: 5/s}}",
        "one.objectPolicy=share,two.objectPolicy=copy,load={rate: 10/s}",
      ]
    )
  }

  @Test("may have labels as their names, with whole mappings as values")
  func labels() throws {
    let matrix = """
      matrix:
        connections.one:
          small: {objectCacheLimit: 5, metadataCache: off}
          none: {objectCache: off}
        actors.read.threads: {few: 1, many: 9}
      """
    let loaded = try load(matrix)
    #expect(
      loaded.variants.map(\.name) == [
        "one=small,threads=few", "one=small,threads=many", "one=none,threads=few", "one=none,threads=many",
      ]
    )
    #expect(loaded.variants[1].label == "small, many")
    #expect(loaded.variants.map(\.scenario.connections[0].objectCache) == [true, true, false, false])
    #expect(loaded.variants.map(\.scenario.connections[0].metadataCache) == [false, false, true, true])
    #expect(try loaded.choosing(["none,many"]).variants == [loaded.variants[3]])
    #expect(try ScenarioLoader.load(text: loaded.expandedYAML) == loaded)
    #expect(throws: ScenarioDiagnostics.self) { try loaded.choosing(["{objectCache: off}"]) }
  }

  @Test("the expanded text contains the matrix, and yields the same variants")
  func expanded() throws {
    let loaded = try load("matrix: {engine.synchronous: [off, full]}\nrepeat: 2", overrides: [("repeat", "5")])
    #expect(loaded.repetitions == 5)
    var again = try ScenarioLoader.load(text: loaded.expandedYAML)
    #expect(again.comparableText == loaded.comparableText)
    again.overrides = loaded.overrides
    #expect(again == loaded)
  }

  @Test("a value that makes another key invalid is reported at that key, with the variant")
  func problemElsewhere() {
    let matrix = "matrix: {actors.write.operations: [{set: 1}, {remove: 1}]}"
    let text = smallScenario(line: 29, "  - \"run/write.set service.p99 < 50ms\"") + "\n" + matrix
    #expect(
      problems(in: text) == [
        "s.yaml:29:5: error: unreachable expectation: the actor \"write\" has no operation \"set\" in the phase "
          + "\"run\"; expected one of remove; found in the variant \"operations={remove: 1}\""
      ]
    )
  }

  @Test("a problem of several variants names the first of them, and a problem of all variants names none")
  func problemOfSeveral() {
    let matrix = "matrix: {connections.one.objectCache: [true, false], engine.synchronous: [off, full]}"
    #expect(
      problems(in: smallScenario(line: 4, "seed: x") + "\n" + matrix) == [
        "s.yaml:4:7: error: expected a whole number from 0 to 18446744073709551615, found \"x\"",
        "s.yaml:9:9: error: \"objectCacheLimit\" limits a cache that \"objectCache\" turns off; leave one out; found "
          + "in 2 of 4 variants, the first of them \"objectCache=false,synchronous=off\"",
      ]
    )
  }

  @Test("a value may supply what the scenario lacks without the matrix")
  func missingWithout() throws {
    let text = smallScenario(line: 25, "    record: true") + "\nmatrix: {phases.run.for: [1s, 2s]}"
    let loaded = try ScenarioLoader.load(text: text)
    #expect(loaded.variants.map(\.scenario.plannedDurationNanoseconds) == [1_000_000_000, 2_000_000_000])
  }

  @Test("a path in the matrix cannot be overridden, and the matrix itself can")
  func overrides() throws {
    let text = smallScenario + "\nmatrix: {engine.synchronous: [off, full]}"
    #expect(
      problems(in: text, overrides: [ScenarioOverride(path: "engine.synchronous", value: "off")]) == [
        "--set:1:1: error: the matrix varies \"engine.synchronous\"; choose among its values with --only, or replace "
          + "them with --set 'matrix={…}'"
      ]
    )
    let override = ScenarioOverride(path: "matrix", value: "{actors.read.threads: [1, x]}")
    #expect(
      problems(in: text, overrides: [override]) == [
        "--set:1:34: error: expected a whole number from 1 to 1024, found \"x\""
      ]
    )
  }

  @Test(
    "are selected by a value, a setting, several of these, or the whole name",
    arguments: [
      (["off"], [0, 1]), (["threads=2"], [1, 3]), (["full,threads=1"], [2]), (["off, 2"], [1]),
      (["synchronous=off,threads=1", "2"], [0, 1, 3]), ([], [0, 1, 2, 3]),
    ] as [([String], [Int])]
  )
  func chosen(_ choices: [String], _ places: [Int]) throws {
    let loaded = try load("matrix: {engine.synchronous: [off, full], actors.read.threads: [1, 2]}")
    let chosen = try loaded.choosing(choices)
    #expect(chosen.variants == places.map { loaded.variants[$0] })
    #expect(chosen.choices == choices)
    #expect(chosen.expandedYAML == loaded.expandedYAML)
  }

  @Test("a selection that matches no variant is reported at its ordinal, with the possible values")
  func wrongChoice() throws {
    let loaded = try load("matrix: {engine.synchronous: [normal, full]}")
    #expect(
      choiceProblems(of: loaded, ["full", "norml", "other"]) == [
        "--only:2:1: error: there is no variant \"norml\"; did you mean \"normal\"?",
        "--only:3:1: error: there is no variant \"other\"; expected one of synchronous=normal; synchronous=full",
      ]
    )
    #expect(
      choiceProblems(of: try load(""), ["share"]) == [
        "--only:1:1: error: there is no variant \"share\"; the scenario \"small\" has no \"matrix\""
      ]
    )
  }

  @Test("are kept by their settings, and a scenario without any is dropped")
  func kept() throws {
    let loaded = try load("matrix: {engine.synchronous: [off, full], actors.read.threads: [1, 2]}")
    let kept = loaded.keeping { $0.engine.synchronous == .full }
    #expect(kept?.variants == Array(loaded.variants[2...]))
    #expect(loaded.keeping { $0.engine.synchronous == .normal } == nil)
  }

  private func choiceProblems(of loaded: LoadedScenario, _ choices: [String]) -> [String] {
    do {
      _ = try loaded.choosing(choices)
      return []
    } catch {
      return error.diagnostics.map(\.description)
    }
  }

  @Test("a smoke run shortens each variant, and runs it once")
  func smoke() throws {
    let smoke = try load("matrix: {engine.synchronous: [off, full]}\nrepeat: 3").smoke()
    #expect(smoke.repetitions == 1)
    #expect(smoke.variants.map(\.scenario.plannedDurationNanoseconds) == [300_000_000, 300_000_000])
    #expect(smoke.variants.map(\.name) == ["synchronous=off", "synchronous=full"])
  }

  @Test("the policy comparison has three variants, each repeated six times")
  func policyComparison() throws {
    let path = Repository.root.appendingPathComponent("Scenarios/policy/three-policies.yaml").path
    let loaded = try ScenarioLoader.load(path: path)
    #expect(loaded.variants.map(\.label) == ["containment", "copy", "share"])
    #expect(loaded.variants.map(\.scenario.engine.defaultObjectPolicy) == [.containment, .copy, .share])
    #expect(loaded.repetitions == 6)
    #expect(loaded.scenario.dataset[0].codec == .json)
    #expect(loaded.scenario.invariants == [.knownAnswers, .cacheCoherence, .noAliasing])
    #expect(loaded.scenario.plannedDurationNanoseconds == 6_000_000_000)
  }
}
