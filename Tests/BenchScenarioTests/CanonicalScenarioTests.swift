internal import Foundation
internal import TestSupport
internal import Testing

@testable import BenchResults
@testable import BenchScenario

/// The model of the example at the beginning of the format's description.
private let stalledReader: Scenario = {
  let scroll = ActorSettings(
    name: "scroll",
    connections: ["ui"],
    operations: [OperationWeight(.get, weight: 95), OperationWeight(OperationKind(.multiGet, 20), weight: 5)],
    transactionKind: .read,
    snapshot: .longLived(.onNotification),
    collection: "messages",
    keys: .zipfian(theta: 0.99),
    load: .open(rate: .constant(perSecond: 2000), arrival: .poisson)
  )
  let importer = ActorSettings(
    name: "import",
    connections: ["sync"],
    operations: [
      OperationWeight(.set, weight: 80), OperationWeight(.replace, weight: 15), OperationWeight(.remove, weight: 5),
    ],
    transactionKind: .readWrite,
    operationsPerTransaction: 1...8,
    collection: "messages",
    keys: .uniform,
    load: .open(
      rate: .burst(
        BurstRate(
          basePerSecond: 100,
          peakPerSecond: 1000,
          everyNanoseconds: 5_000_000_000,
          forNanoseconds: 500_000_000
        )
      ),
      arrival: .constant
    )
  )
  var stalled = scroll
  stalled.snapshot = .longLived(.never)
  let drained = PhaseCondition(
    source: "wal.backlogFrames == 0",
    metric: .walBacklogFrames,
    rule: .compares(.equal, 0)
  )
  return Scenario(
    name: "stalled-reader",
    summary: "A UI connection bookmarks a snapshot and stops moving it while an importer commits in bursts.",
    tags: ["wal", "long-lived"],
    seed: 42,
    engine: EngineSettings(driver: .yap, synchronous: .normal, aggressiveCheckpointAtBytes: 4 << 20),
    dataset: [
      DatasetCollection(
        name: "messages",
        rows: 50_000,
        value: ValueShape(size: .fixed(bytes: 512)),
        metadata: ValueShape(size: .fixed(bytes: 32))
      )
    ],
    connections: [
      ConnectionSettings(name: "ui", objectPolicy: .share, objectCacheLimit: 500, metadataCache: false),
      ConnectionSettings(name: "sync", objectCache: false, metadataCache: false),
    ],
    actors: [scroll, importer],
    phases: [
      PhaseSettings(
        name: "warm",
        end: .duration(nanoseconds: 5_000_000_000),
        records: false,
        actors: [PhaseActor(scroll), PhaseActor(importer)]
      ),
      PhaseSettings(
        name: "stall",
        end: .duration(nanoseconds: 30_000_000_000),
        actors: [PhaseActor(stalled, overriddenKeys: ["snapshot"]), PhaseActor(importer)]
      ),
      PhaseSettings(
        name: "drain",
        end: .until(drained, withinNanoseconds: 20_000_000_000),
        actors: [PhaseActor(scroll)]
      ),
    ],
    measure: MeasureSettings(everyNanoseconds: 100_000_000, histogramDigits: 3),
    expectations: [
      Expectation(
        source: "stall/import response.p99 < 50ms",
        figure: ExpectedFigure(id: FigureID(.response, .p99, of: FigureScope("stall", actor: "import"))),
        comparison: .less,
        bound: .value(50_000_000)
      ),
      Expectation(
        source: "stall/import service.p50 < 95 * machine.write",
        figure: ExpectedFigure(id: FigureID(.service, .p50, of: FigureScope("stall", actor: "import"))),
        comparison: .less,
        bound: .machine(.write, factor: 95)
      ),
      Expectation(
        source: "stall wal.bytes.max < 512MiB",
        figure: ExpectedFigure(id: FigureID(.walBytes, .max, of: FigureScope("stall"))),
        comparison: .less,
        bound: .value(Double(512 << 20))
      ),
      Expectation(
        source: "drain duration < 5s",
        figure: ExpectedFigure(id: FigureID(.duration, of: FigureScope("drain"))),
        comparison: .less,
        bound: .value(5_000_000_000)
      ),
    ],
    invariants: [.knownAnswers, .snapshotStability, .monotonicSnapshots, .exactlyOnceNotifications]
  )
}()

private let stalledReaderPath = Repository.root.appendingPathComponent("Scenarios/wal/stalled-reader.yaml").path

@Suite("The scenarios of the repository")
struct CanonicalScenarioTests {
  @Test("the canonical example becomes the expected model")
  func canonicalExample() throws {
    let loaded = try ScenarioLoader.load(path: stalledReaderPath)
    #expect(loaded.scenario == stalledReader)
  }

  @Test("the expanded scenario repeats the run, and expands to itself")
  func expandedScenario() throws {
    let seed = ScenarioOverride(path: "seed", value: "99")
    let first = try ScenarioLoader.load(path: stalledReaderPath, overrides: [seed])
    let second = try ScenarioLoader.load(text: first.expandedYAML)
    var expected = stalledReader
    expected.seed = 99
    #expect(first.scenario == expected)
    #expect(second.scenario == expected)
    #expect(second.expandedYAML == first.expandedYAML)
  }

  @Test("every scenario in the repository loads, and also as a smoke run")
  func everyScenarioLoads() throws {
    let folder = Repository.root.appendingPathComponent("Scenarios")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    #expect(paths.contains("selftest/null.yaml"))
    for path in paths {
      let loaded = try ScenarioLoader.load(path: folder.appendingPathComponent(path).path)
      #expect(loaded.scenario.smoke().phases.count == loaded.scenario.phases.count)
      #expect(try ScenarioLoader.load(text: loaded.expandedYAML).scenario == loaded.scenario)
    }
  }

  @Test("the planned duration contains every phase and the full limits of waits")
  func plannedDuration() {
    #expect(stalledReader.plannedDurationNanoseconds == 55_000_000_000)
  }

  @Test("a planned duration that is too large is clamped")
  func plannedDurationOverflow() {
    var scenario = stalledReader
    for index in scenario.phases.indices { scenario.phases[index].end = .duration(nanoseconds: .max - 1) }
    #expect(scenario.plannedDurationNanoseconds == .max)
  }

  @Test("a smoke run shortens phases, reduces rows, and changes nothing else")
  func smoke() {
    let smoke = stalledReader.smoke()
    #expect(smoke.phases.map(\.end.plannedNanoseconds) == [300_000_000, 300_000_000, 20_000_000_000])
    #expect(smoke.dataset.map(\.rows) == [1_000])
    #expect(smoke.actors == stalledReader.actors)
    #expect(smoke.expectations == stalledReader.expectations)
    #expect(smoke.smoke() == smoke)
    var counted = stalledReader
    counted.phases[0].end = .operations(50_000)
    counted.phases[1].end = .duration(nanoseconds: 1_000)
    #expect(counted.smoke().phases[0].end == .operations(1_000))
    #expect(counted.smoke().phases[1].end == .duration(nanoseconds: 1_000))
  }
}
