import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("Metrics of a sample") struct SampledMetricsTests {
  private let sample = Fixture.sample(
    wal: (bytes: 5_000, frames: 40, backlog: 30, held: 20),
    pinnedBy: "old",
    [
      Fixture.connection("fresh", age: 0, pinnedNanoseconds: 9_000_000_000, pendingCommits: 3, pendingBytes: 50),
      Fixture.connection(
        "old",
        age: 7,
        ageNanoseconds: 1_500_000_000,
        pinnedNanoseconds: 2_500_000_000,
        alone: 12,
        pendingCommits: 1
      ),
      Fixture.connection("idle", pendingBytes: 80),
    ],
    residentBytes: 1_000,
    allocatedBytes: 600
  )

  private func value(_ metric: Metric, _ sample: EngineSample) -> Double? {
    metric.value(in: sample, frameBytes: 100)
  }

  private func increments(_ metric: Metric, _ samples: [EngineSample], on connections: [String]? = nil) -> [Double] {
    let phase = PhaseResult(name: "phase", isRecorded: true)
    let actors = connections.map { ["one": $0] } ?? [:]
    let figures = PhaseFigures(phase, samples: samples, checkpoints: [], frameBytes: 100, connections: actors)
    return figures.values(of: metric, in: FigureScope("phase", actor: connections.map { _ in "one" }))
  }

  @Test func `each metric is the sample's figure`() {
    let expected: [Metric: Double] = [
      .walBytes: 5_000, .walFrames: 40, .walBacklogFrames: 30,
      .pinFrames: 12, .pinBytes: 1_200, .pinSeconds: 2.5,
      // The age of the oldest snapshot that is behind, not of the longest pin, which is at the newest snapshot.
      .snapshotAgeCommits: 7, .snapshotAgeSeconds: 1.5,
      .changesPendingCommits: 3, .changesPendingBytes: 80,
      .memoryResident: 1_000, .memoryAllocated: 600,
    ]
    for metric in Metric.allCases { #expect(value(metric, sample) == expected[metric], "\(metric)") }
  }

  @Test func `a WAL without pins has pins of 0`() {
    let free = Fixture.sample(wal: (bytes: 1, frames: 1, backlog: 1, held: 0), [Fixture.connection("one", alone: 5)])
    for metric in [Metric.pinFrames, .pinBytes, .pinSeconds] { #expect(value(metric, free) == 0) }
  }

  @Test func `counters of the process are differences between samples`() {
    func sample(_ count: UInt64, pressure: UInt64?) -> EngineSample {
      var sample = Fixture.sample()
      sample.userCPUNanoseconds = count
      sample.systemCPUNanoseconds = count * 2
      sample.contextSwitches = Int(count) * 3
      sample.stolenNanoseconds = count * 4
      sample.ioPressureNanoseconds = pressure
      return sample
    }
    let samples = [sample(10, pressure: nil), sample(25, pressure: 7), sample(25, pressure: 9)]
    let factors: [Metric: Double] = [.cpuUser: 1, .cpuSystem: 2, .cpuContextSwitches: 3, .cpuSteal: 4]
    for (metric, factor) in factors {
      #expect(increments(metric, samples) == [15 * factor, 0], "\(metric)")
    }
    #expect(increments(.pressureIO, samples) == [2])
    #expect(increments(.pressureIO, [samples[0], samples[0]]) == [])
  }

  /// Samples of a database with these counts of written bytes; nil while its engine is not running.
  private func samples(written: [Int?]) -> [EngineSample] {
    written.map { count in
      var sample = Fixture.sample()
      sample.logicalBytes = ["a": count ?? 0, "b": 1]
      sample.writes = count.map { count in
        FileWrites(
          wal: .init(bytes: count * 2, syncs: count * 3, syncNanoseconds: count * 5),
          database: .init(bytes: count * 7, syncs: count * 11, syncNanoseconds: count * 13),
          journal: .init(bytes: count * 17, syncs: count * 19, syncNanoseconds: count * 23)
        )
      }
      return sample
    }
  }

  @Test func `written bytes are differences between samples, by file`() {
    let factors: [Metric: Double] = [
      .ioLogicalBytes: 1, .ioWALBytesWritten: 2, .ioDatabaseBytesWritten: 7, .ioSyncs: 33, .ioWALSyncs: 3,
      .ioDatabaseSyncs: 11, .ioSyncTime: 41,
    ]
    let writeCounts = Metric.allCases.filter { $0.rawValue.hasPrefix("io.") && $0 != .ioWriteAmplification }
    #expect(Set(factors.keys) == Set(writeCounts))
    for (metric, factor) in factors {
      let increments = increments(metric, samples(written: [10, 25, 25]))
      #expect(increments == [15 * factor, 0], "\(metric)")
    }
    let interrupted = samples(written: [10, nil, nil, 12])
    #expect(increments(.ioWALBytesWritten, interrupted) == [4])
    let ofFiles = factors.keys.filter { $0 != .ioLogicalBytes }
    for metric in ofFiles { #expect(increments(metric, [sample, sample]) == []) }
  }

  @Test func `the amplification of a phase is of its samples with counted files`() {
    func amplification(_ samples: [EngineSample]) -> Double? {
      let phase = PhaseResult(name: "phase", isRecorded: true)
      return PhaseFigures(phase, samples: samples, checkpoints: [], frameBytes: 100)
        .value(of: FigureID(.ioWriteAmplification, of: FigureScope("phase")))
    }
    #expect(amplification(samples(written: [10, nil, 20, 30])) == 9)
    #expect(amplification(samples(written: [nil, 10, 13, nil])) == 9)
    #expect(increments(.ioSyncTime, samples(written: [nil, 10, 13, nil])) == [3 * 41])
    // Nothing was stored, and nothing was counted.
    #expect(amplification(samples(written: [10, 10])) == nil)
    #expect(amplification(samples(written: [nil, nil])) == nil)
    #expect(amplification([sample]) == nil && amplification([]) == nil)
  }

  /// Samples of connections with these numbers of hits.
  private func samples(_ hits: [[String: Int]]) -> [EngineSample] {
    hits.map { hits in
      Fixture.sample(
        hits.sorted { $0.key < $1.key }.map { name, count in
          var connection = Fixture.connection(name)
          let none = EngineSample.CacheCounts()
          var counts = none
          counts.hits = count
          connection.caches = EngineSample.Caches(object: counts, metadata: none)
          return connection
        }
      )
    }
  }

  @Test func `cache counts are differences between samples, of all connections or of some`() throws {
    let objectHits = try #require(Metric(rawValue: "cache.object.hits"))
    let metadataHits = try #require(Metric(rawValue: "cache.metadata.hits"))
    let samples = samples([["a": 10, "b": 5], ["a": 15, "b": 5], ["a": 15, "b": 7, "c": 3]])
    #expect(increments(objectHits, samples) == [5, 5])
    #expect(increments(objectHits, samples, on: ["b"]) == [0, 2])
    #expect(increments(metadataHits, samples) == [0, 0])
    #expect(increments(objectHits, [Fixture.sample(), Fixture.sample()]) == [])
  }

  @Test func `figures that the driver does not have are missing, and not 0`() {
    let bare = Fixture.sample()
    for metric in Metric.allCases where metric != .memoryResident { #expect(value(metric, bare) == nil, "\(metric)") }
  }
}
