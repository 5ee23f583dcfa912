import Testing

@testable import BenchScenario

@Suite("A smoke run") struct SmokeTests {
  @Test(arguments: [("10000", 100...100), ("20..50000", 20...100), ("3", 3...3)])
  func `cuts transactions so that one ends within a phase`(written: String, expected: ClosedRange<Int>) throws {
    let text = """
      format: 1
      name: large
      summary: A large transaction.
      seed: 1
      engine: {driver: yap}
      dataset: {rows: {rows: 10, value: {size: 64B}}}
      connections: {writing: {}}
      actors:
        writer: {connection: writing, operations: {set: 1}, collection: rows, load: closed}
      phases:
        - {name: run, for: 10s, actors: {writer: {transaction: {operations: \(written)}}}}
      """
    let smoke = try ScenarioLoader.load(text: text).scenario.smoke()
    #expect(smoke.phases[0].actors[0].settings.operationsPerTransaction == expected)
  }
}
