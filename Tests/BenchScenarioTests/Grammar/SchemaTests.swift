internal import Foundation
internal import TestSupport
internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("The schema and the reference agree with the loader")
struct SchemaTests {
  private let validator = SchemaValidator(ScenarioSchema.tree)

  private func accepts(_ text: String) throws -> Bool {
    let node = try #require(YAMLComposer.compose(Array(text.utf8), file: "s.yaml", log: DiagnosticLog()))
    return try validator.accepts(node)
  }

  @Test(
    "the repository's copies are up to date",
    arguments: [
      ("scenario.schema.json", ScenarioSchema.text, "yapbench schema"),
      ("scenario-reference.md", ScenarioReference.text, "yapbench schema --reference"),
    ]
  )
  func copies(_ name: String, _ text: String, _ command: String) throws {
    let copy = try String(contentsOf: Repository.root.appendingPathComponent("Documentation/\(name)"), encoding: .utf8)
    #expect(copy == text, "write it again: \(command) > Documentation/\(name)")
  }

  @Test("the schema is JSON, and every reference in it is defined")
  func wellFormed() throws {
    let text = ScenarioSchema.text
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let definitions = try #require(object?["$defs"] as? [String: Any])
    let references = text.matches(of: /"\$ref": "#\/\$defs\/([^"]*)"/).map { String($0.output.1) }
    #expect(references.count > 50)
    #expect(Set(references) == Set(definitions.keys))
  }

  @Test("the schema accepts every scenario of the project")
  func acceptsScenarios() throws {
    let folder = Repository.root.appendingPathComponent("Scenarios")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    #expect(names.count >= 4)
    for name in names {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      #expect(try accepts(text), "\(name)")
    }
    try #expect(accepts(smallScenario))
  }

  @Test("the schema rejects mistakes that are visible at one location of a file")
  func refusesMistakes() throws {
    let corpus =
      MistakeCorpus.topLevel + MistakeCorpus.engineAndData + MistakeCorpus.actors + MistakeCorpus.phases
      + MistakeCorpus.events + MistakeCorpus.expectations + MistakeCorpus.collections
    var refused = 0
    for mistake in corpus {
      let text = smallScenario(line: mistake.line, mistake.replacement)
      guard let node = YAMLComposer.compose(Array(text.utf8), file: "s.yaml", log: DiagnosticLog()) else { continue }
      if try !validator.accepts(node) { refused += 1 }
    }
    #expect(refused >= 95, "of \(corpus.count)")
  }

  @Test("every word of the language is in the reference")
  func reference() {
    let text = ScenarioReference.text
    for grammar in ScenarioGrammar.scenario.grammar.reachable {
      for key in grammar.keys { #expect(text.contains("`\(key.name)`")) }
    }
    let tables = [Scalars.operations.names, Scalars.keyDistributions.names, Scalars.keyForms.names]
    for word in tables.flatMap(\.self) + Scalars.snapshotMoves.names {
      #expect(text.contains("`\(word)"))
    }
    for metric in Metric.allCases { #expect(text.contains("`\(metric.rawValue)`")) }
    for invariant in Invariant.stated { #expect(text.contains("`\(invariant.rawValue)`")) }
  }
}
