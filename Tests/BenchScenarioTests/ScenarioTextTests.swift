internal import Foundation
internal import TestSupport
internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("A scenario that is written")
struct ScenarioTextTests {
  /// Loads the written text of a scenario.
  private func written(_ scenario: Scenario) throws -> Scenario {
    try ScenarioLoader.load(text: scenario.text()).scenario
  }

  @Test("loads as the same, for every variant of every scenario of the repository that reads no other file")
  func repository() throws {
    let folder = Repository.root.appendingPathComponent("Scenarios")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    var count = 0
    for path in paths.sorted() {
      let loaded = try ScenarioLoader.load(path: folder.appendingPathComponent(path).path)
      for variant in loaded.variants where loaded.files.isEmpty {
        var expected = variant.scenario
        // The text has no matrix, so it has no variants that an expectation could name.
        expected.variantExpectations = []
        expected.expectations.removeAll { $0.figures.contains { $0.choice != nil } }
        #expect(try written(expected) == expected, "\(path) \(variant.label)")
        count += 1
      }
    }
    #expect(count > 50)
  }

  @Test("keeps every form of a value")
  func forms() throws {
    var scenario = try ScenarioLoader.load(text: smallScenario).scenario
    let reader = scenario.actors[0]
    let distributions = Scalars.keyDistributions.descriptions.compactMap {
      try? Scalars.keyDistribution.parse($0.example)
    }
    let loads: [LoadModel] = [
      .closed(thinkNanoseconds: 0), .closed(thinkNanoseconds: 1_500_000),
      .closed(thinkTimes: 0...1_500_000),
      .open(rate: .constant(perSecond: 0.5), arrival: .poisson),
      .open(rate: .ramp(fromPerSecond: 1, toPerSecond: 1_000_000), arrival: .constant),
      .open(
        rate: .burst(
          BurstRate(
            basePerSecond: 1,
            peakPerSecond: 20,
            lastPeakPerSecond: 30,
            everyNanoseconds: 20_000_000,
            forNanoseconds: 5_000_000
          )
        ),
        arrival: .constant
      ),
      .open(rate: .sine(lowPerSecond: 1, highPerSecond: 2.25, periodNanoseconds: 7), arrival: .poisson),
      .open(
        rate: .stages(
          RateStages([
            .init(fromPerSecond: 0, toPerSecond: 5, seconds: 0.25),
            .init(fromPerSecond: 9, toPerSecond: 2, seconds: 0.5),
          ])
        ),
        arrival: .constant
      ),
    ]
    let texts = try loads.flatMap { load in
      try distributions.map { keys in
        scenario.actors[0].load = load
        scenario.actors[0].keys = keys
        scenario.phases[0].actors[0] = PhaseActor(scenario.actors[0])
        #expect(try written(scenario) == scenario)
        return try scenario.text()
      }
    }
    #expect(Set(texts).count == loads.count * distributions.count)
    for keys in distributions {
      scenario.actors[0].operations[1].keys = keys
      scenario.phases[0].actors[0] = PhaseActor(scenario.actors[0])
      #expect(try written(scenario) == scenario)
    }
    #expect(try scenario.text().contains("{get: 9, multiGet(4): {weight: 1, keys: exponential(95% 85.7%)}}"))
    scenario.actors[0].operations = reader.operations
    scenario.phases[0].actors[0] = PhaseActor(reader, overriddenKeys: ["load", "keys", "threads"])
    #expect(try written(scenario) == scenario)
  }

  @Test("has only keys that are not defaults, and short mappings on one line")
  func compact() throws {
    let scenario = try ScenarioLoader.load(text: smallScenario).scenario
    #expect(
      try scenario.text() == """
        format: 1
        name: small
        summary: A reader and a writer.
        seed: 7
        engine: {driver: yap, synchronous: normal}
        dataset:
          items: {rows: 1000, value: {size: 64B}}
        connections:
          one: {objectCacheLimit: 10}
          two: {}
        actors:
          read: {connection: one, operations: {get: 9, multiGet(4): 1}, collection: items, keys: zipfian(0.99)}
          write: {connection: two, operations: {set: 1}, collection: items, load: {rate: 100/s, arrival: poisson}}
        phases:
        - {name: run, for: 2s, actors: [read, write]}
        measure: {every: 50ms}
        expect:
        - run/write response.p99 < 50ms
        invariants: [knownAnswers]

        """
    )
  }

  @Test("cannot contain the arrivals of a file, whose name is not known")
  func trace() throws {
    var scenario = try ScenarioLoader.load(text: smallScenario).scenario
    scenario.actors[0].load = .open(rate: .trace(try ArrivalTrace(text: "1ms")), arrival: .constant)
    #expect(throws: ScalarProblem.self) { try scenario.text() }
  }
}
