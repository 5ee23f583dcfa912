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

  @Test func `shortens stages with their phase, so that each of them begins`() throws {
    let text = smallScenario(line: 22, "    load: {stages: [{to: 8/s, for: 500ms}, {to: 0/s, for: 1s}]}")
    let loaded = try ScenarioLoader.load(text: text).scenario
    let smoke = loaded.smoke(longestPhaseNanoseconds: 500_000_000)
    let expected = RateStages([
      .init(fromPerSecond: 0, toPerSecond: 8, seconds: 0.125), .init(fromPerSecond: 8, toPerSecond: 0, seconds: 0.25),
    ])
    #expect(smoke.phases[0].actors[1].settings.load == .open(rate: .stages(expected), arrival: .constant))
    #expect(loaded.smoke(longestPhaseNanoseconds: 2_000_000_000).phases[0].actors == loaded.phases[0].actors)
  }
}
