import Foundation
import TestSupport
import Testing

@testable import BenchScenario

@Suite("Each key of the language is one row") struct KeyRowTests {
  /// The text of the Swift files in a folder of the target.
  private func text(of folder: String) throws -> String {
    let url = Repository.root.appendingPathComponent("Sources/BenchScenario/" + folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".swift") }
    let lines = try names.filter { !$0.hasPrefix("Grammar/") }.sorted().flatMap {
      try String(contentsOf: url.appendingPathComponent($0), encoding: .utf8).split(separator: "\n")
    }
    return lines.filter { !$0.contains("///") }.joined(separator: "\n")
  }

  private func count(_ pattern: String, in text: String) throws -> Int {
    let range = NSRange(text.startIndex..., in: text)
    return try NSRegularExpression(pattern: pattern).numberOfMatches(in: text, range: range)
  }

  @Test func `which is the only place with the key's name`() throws {
    let rows = try ["Language", "Scenario"].map(text).joined(separator: "\n")
    let others = try ["Loading", "Writing"].map(text).joined(separator: "\n")
    let names = ScenarioGrammar.scenario.grammar.reachable.flatMap(\.names)
    #expect(names.count > 80)
    for name in Set(names) {
      // The row of a limit has the name of its cache's row.
      let written = name.hasSuffix("CacheLimit") ? 0 : names.count { $0 == name }
      // A function makes the keys of a load's curves.
      let row = #"\b(?:Key(?:<\w+>)?|curve)\(\s*""# + name + "\""
      #expect(try count(row, in: rows) == written, "\(name)")
      // Readers and writers name a key in a call or a subscript.
      let uses = #"(?:node|has|add|keyLocation|valueLocation|report|append|at:|\[)[( ]*""# + name + "\""
      #expect(try count(uses, in: others) == 0, "\(name)")
    }
  }

  @Test func `whose default is that of a scenario without the key`() throws {
    let scenario = try ScenarioLoader.load(text: smallScenario(line: 5, "engine: {driver: yap}")).scenario
    #expect(scenario.engine.synchronous.rawValue == ScenarioGrammar.engine.grammar.key("synchronous")?.usual)
    #expect(
      ScenarioGrammar.connection.grammar.key("objectCacheLimit")?.usual == "\(ConnectionSettings.defaultCacheLimit)"
    )
    #expect(ScenarioGrammar.measure.grammar.key("every")?.usual == "100ms")
    #expect(ScenarioGrammar.collection.grammar.key("inserts")?.usual == nil)
  }
}
