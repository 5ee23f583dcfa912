internal import Foundation
internal import TestSupport
internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("Included files")
struct InclusionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let lines = smallScenario.split(separator: "\n").map(String.init)
  /// The small scenario without its dataset, connections and actors, which `shared` has.
  private static let own = (["format: 1", "include: _shared.yaml"] + lines[1..<5] + lines[22...])
    .joined(separator: "\n")
  private static let shared = lines[5..<22].joined(separator: "\n")

  /// Writes files, and loads `small.yaml`.
  private func load(
    _ small: String,
    _ others: [String: String] = ["_shared.yaml": shared],
    overrides: [ScenarioOverride] = []
  ) throws -> LoadedScenario {
    for (name, text) in others { try folder.write(text, to: name) }
    return try ScenarioLoader.load(path: folder.write(small, to: "small.yaml"), overrides: overrides)
  }

  /// The problems, with paths from the folder on.
  private func problems(_ small: String, _ others: [String: String] = ["_shared.yaml": shared]) throws -> [String] {
    do {
      _ = try load(small, others)
      return []
    } catch let error as ScenarioDiagnostics {
      return error.diagnostics.map { $0.description.replacing(folder.path + "/", with: "") }
    }
  }

  private func including(_ text: String) -> String { "include: \(text)\n" + smallScenario }

  @Test("a scenario in two files is the same as in one, and so is the copy of a run")
  func same() throws {
    let whole = try ScenarioLoader.load(text: smallScenario)
    let parts = try load(Self.own)
    #expect(parts.variants == whole.variants && parts.warnings == [])
    #expect(parts.expandedYAML == whole.expandedYAML && parts.comparableText == whole.comparableText)
    #expect(try ScenarioLoader.load(text: parts.expandedYAML).variants == whole.variants)
    let changed = Self.shared.replacing("rows: 1k", with: "rows: 2k")
    #expect(try load(Self.own, ["_shared.yaml": changed]).comparableText != whole.comparableText)
  }

  @Test("the scenario's own keys win, in parts of one name one by one, and included parts come first")
  func merge() throws {
    let base = """
      name: base
      engine: {synchronous: full, pageSize: 8KiB}
      connections: {three: {}, one: {metadataCacheLimit: 5}}
      actors: {more: {connection: three, operations: {exists: 1}, collection: items}}
      phases: [{name: warm, for: 1s, actors: [more]}, {name: run, for: 9s, operations: 7}]
      expect: ["warm duration < 9s"]
      matrix: {actors.more.threads: [1, 2]}
      """
    let loaded = try load(including("base.yaml") + "\nmatrix: {connections.three.count: [2]}", ["base.yaml": base])
    let scenario = loaded.scenario
    #expect(scenario.name == "small")
    #expect(scenario.engine.synchronous == .normal && scenario.engine.pageSizeBytes == 8 << 10)
    #expect(scenario.connections.map(\.name) == ["three", "one", "two"])
    #expect(scenario.connections[1].objectCacheLimit == 10 && scenario.connections[1].metadataCacheLimit == 5)
    #expect(scenario.actors.map(\.name) == ["more", "read", "write"])
    #expect(scenario.phases.map(\.name) == ["warm", "run"])
    #expect(scenario.phases[1].end.nanoseconds == 2_000_000_000 && scenario.phases[1].end.operations == 7)
    #expect(scenario.expectations.map(\.source) == ["run/write response.p99 < 50ms"])
    #expect(loaded.variants.map(\.label) == ["1, 2", "2, 2"])
  }

  @Test("of several files a later one wins, paths begin in the folder of their file, and two files may include one")
  func several() throws {
    let others = [
      "shared/a.yaml": "include: deep/c.yaml\nmeasure: {every: 10ms}\n",
      "shared/b.yaml": "include: [deep/c.yaml]\nmeasure: {histogramDigits: 4}\ntags: [b]\n",
      "shared/deep/c.yaml": "include: ../../_shared.yaml\ntags: [c]\nmeasure: {histogramDigits: 2, every: 20ms}\n",
      "_shared.yaml": Self.shared,
    ]
    let text = Self.own.replacing("measure: {every: 50ms}\n", with: "")
    let loaded = try load(text.replacing("_shared.yaml", with: "[shared/a.yaml, shared/b.yaml]"), others)
    #expect(loaded.scenario.tags == ["b"])
    #expect(loaded.scenario.measure.everyNanoseconds == 20_000_000 && loaded.scenario.measure.histogramDigits == 4)
    #expect(loaded.scenario.actors.map(\.name) == ["read", "write"])
  }

  @Test("a problem is located in the file that has it")
  func locations() throws {
    let misspelt = Self.shared.replacing("zipfian(0.99)", with: "zipfain(0.99)")
    let inShared = try problems(Self.own, ["_shared.yaml": misspelt])
    #expect(inShared.count == 1 && inShared[0].hasPrefix("_shared.yaml:11:11: error: expected a key distribution"))
    let inOwn = try problems(Self.own.replacing("[read, write]", with: "[reed, write]"))
    #expect(inOwn == ["small.yaml:10:14: error: there is no actor \"reed\"; did you mean \"read\"?"])
    let both = Self.own + "\nactors: {read: {connection: uno}}"
    let twice = Self.shared + "\ndataset: {}"
    #expect(
      try problems(both, ["_shared.yaml": twice]) == [
        "_shared.yaml:18:1: error: duplicate key \"dataset\"",
        "small.yaml:15:29: error: there is no connection \"uno\"; expected one of one, two",
      ]
    )
    let missing = try problems("include: _shared.yaml\nname: small")
    #expect(missing.count == 3 && missing.allSatisfy { $0.hasPrefix("small.yaml:1:1: error: a scenario needs \"") })
  }

  @Test("a file that cannot be included is a problem of the line that names it")
  func unusable() throws {
    func problem(_ include: String, _ others: [String: String] = [:]) throws -> String {
      let found = try problems(including(include), others)
      return found.count == 1 ? found[0] : "\(found)"
    }
    let advice = "its path begins in the folder of this file"
    #expect(
      try problem("[none.yaml]")
        == "small.yaml:1:11: error: the file \"none.yaml\" cannot be included: there is no such file; \(advice)"
    )
    #expect(try problem(".").hasSuffix("this is a folder; expected a regular file; \(advice)"))
    #expect(
      try problem("small.yaml") == "small.yaml:1:10: error: files include each other in a circle: small.yaml, "
        + "small.yaml; leave one \"include\" out"
    )
    let circle = ["a.yaml": "include: sub/b.yaml", "sub/b.yaml": "\ninclude: ../a.yaml"]
    #expect(
      try problem("a.yaml", circle) == "sub/b.yaml:2:10: error: files include each other in a circle: a.yaml, "
        + "sub/b.yaml, sub/../a.yaml; leave one \"include\" out"
    )
    #expect(
      try problem("list.yaml", ["list.yaml": "- a"])
        == "list.yaml:1:1: error: expected keys of a scenario, written as a mapping, found a list"
    )
    #expect(try problem("empty.yaml", ["empty.yaml": "# none"]).hasPrefix("empty.yaml:1:1: error: the text is empty"))
    #expect(try problem("{a: b}").contains("expected the path of a file, or a list of paths such as"))
    #expect(try problem("[]").hasSuffix("found an empty one"))
    #expect(try problem("[[a]]").hasSuffix("expected the path of a file, found a list"))
    #expect(try problem("").hasSuffix("expected the path of a file, found nothing"))
  }

  @Test("the levels, the number and the size of included files are limited")
  func limits() throws {
    let chain = Dictionary(uniqueKeysWithValues: (0..<10).map { ("\($0).yaml", "include: \($0 + 1).yaml") })
    let deep = try problems(including("0.yaml"), chain)
    #expect(deep.count == 1 && deep[0].hasPrefix("7.yaml:1:10: error: more than 8 levels or 64 files are included"))
    // Each file includes the next one four times, which would be 4^7 files.
    let wide = Dictionary(
      uniqueKeysWithValues: (0..<7).map { ("\($0).yaml", "include: [" + "\($0 + 1).yaml, ".repeated(4) + "]") }
    )
    let many = try problems(including("0.yaml"), wide.merging(["7.yaml": "{}"]) { $1 })
    #expect(many.count == 1 && many[0].contains("64 files"))
    let tags = "tags: [" + (0..<6_000).map { "t\($0)" }.joined(separator: ", ") + "]"
    let show = "show: [" + (0..<6_000).map { "s\($0)" }.joined(separator: ", ") + "]"
    #expect(
      try problems(including("[a.yaml, b.yaml]"), ["a.yaml": tags, "b.yaml": show])
        == ["small.yaml:1:10: error: the file has more than 10000 values with those of the included files"]
    )
  }

  @Test("overrides and a matrix change included values, and files that included files name are the scenario's")
  func changes() throws {
    let varied = try load(
      Self.own + "\nmatrix: {actors.read.operations.get.keys: [latest, uniform]}",
      overrides: [ScenarioOverride(path: "connections.one.objectCacheLimit", value: "3")]
    )
    #expect(varied.variants.map { $0.scenario.actors[0].operations[0].keys } == [.latest, .uniform])
    #expect(varied.scenario.connections[0].objectCacheLimit == 3)
    let refused = #expect(throws: ScenarioDiagnostics.self) {
      try load(Self.own, overrides: [ScenarioOverride(path: "include", value: "_shared.yaml")])
    }
    #expect(refused?.diagnostics.map(\.line) == [1])
    let traced = Self.shared.replacing("load: closed", with: "load: {trace: times.txt}")
    let others = ["sub/parts.yaml": traced, "times.txt": "1ms\n"]
    let loaded = try load(Self.own.replacing("_shared.yaml", with: "sub/parts.yaml"), others)
    #expect(loaded.files == ["times.txt": "1ms\n"])
    #expect(try ScenarioLoader.load(text: loaded.expandedYAML, files: loaded.files).variants == loaded.variants)
  }

  @Test("the schema accepts a scenario that changes keys of included parts, and no unknown keys")
  func schema() throws {
    let validator = SchemaValidator(ScenarioSchema.tree)
    func accepts(_ text: String) throws -> Bool {
      let node = try #require(YAMLComposer.compose(Array(text.utf8), file: "s.yaml", log: DiagnosticLog()))
      return try validator.accepts(node)
    }
    let parts = "\nactors: {read: {threads: 2}}\nphases: [{name: run, within: 2m}]"
    #expect(try accepts("include: a.yaml\nname: small" + parts))
    #expect(try accepts("include: [a.yaml, ../b.yaml]\nname: small"))
    #expect(try !accepts("name: small" + parts))
    #expect(try !accepts("include: a.yaml\nname: small\nactors: {read: {thread: 2}}"))
    #expect(try !accepts("include: a.yaml\nnames: small"))
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
