import Foundation
import Testing

@testable import BenchResults

struct SampleColumnsTests {
  /// A sample in which no figure is missing, and all figures differ.
  private func sample(_ seed: Int, connections: [String] = ["ui", "sync"]) -> EngineSample {
    var number = seed
    func next() -> Int {
      number += 1 + seed % 7
      return number
    }
    func counts() -> EngineSample.CacheCounts {
      .init(
        hits: next(),
        misses: next(),
        updatedByPolicy: next(),
        dropped: next(),
        readAgain: next(),
        decoded: next(),
        copied: next()
      )
    }
    return EngineSample(
      elapsedNanoseconds: UInt64(next()),
      phase: seed % 2 == 0 ? "warm" : "run",
      commit: next(),
      wal: .init(bytes: next(), frames: next(), backlogFrames: next(), heldFrames: next(), pinnedBy: "ui"),
      storageBytes: next(),
      figures: ["lmdb.readers": next(), "lmdb.usedBytes": next()],
      connections: connections.map {
        .init(
          name: $0,
          ageCommits: next(),
          ageNanoseconds: UInt64(next()),
          pinnedNanoseconds: UInt64(next()),
          framesHeldAlone: next(),
          pendingCommits: next(),
          pendingBytes: next(),
          caches: .init(object: counts(), metadata: counts())
        )
      },
      finishedTransactions: ["scroll": next(), "import": next()],
      dueArrivals: ["import": next()],
      droppedArrivals: ["import": next()],
      deadlocks: ["scroll": ["nest": next()], "import": ["nest": next()]],
      logicalBytes: ["scroll": next(), "import": next()],
      writes: FileWrites(
        wal: .init(bytes: next(), syncs: next(), syncNanoseconds: next()),
        database: .init(bytes: next(), syncs: next(), syncNanoseconds: next()),
        journal: .init(bytes: next(), syncs: next(), syncNanoseconds: next())
      ),
      residentBytes: next(),
      allocatedBytes: next(),
      userCPUNanoseconds: UInt64(next()),
      systemCPUNanoseconds: UInt64(next()),
      contextSwitches: next(),
      stolenNanoseconds: UInt64(next()),
      busyNanoseconds: UInt64(next()),
      engineCPUNanoseconds: UInt64(next()),
      runDelayNanoseconds: UInt64(next()),
      throttledPeriods: next(),
      throttledNanoseconds: UInt64(next()),
      ioPressureNanoseconds: UInt64(next()),
      foreignDiskBytes: next(),
      diskSyncs: next()
    )
  }

  private func throughColumns(_ samples: [EngineSample]) throws -> [EngineSample] {
    let encoded = try JSONEncoder().encode(SampleColumns(wrappedValue: samples))
    return try JSONDecoder().decode(SampleColumns.self, from: encoded).wrappedValue
  }

  /// A new figure of a sample needs a list of its own.
  @Test func `Every figure of a sample is kept, and none is missing in this test`() throws {
    let sample = sample(3)
    for part in [Mirror(reflecting: sample)] + sample.connections.map(Mirror.init(reflecting:)) {
      for (label, value) in part.children {
        #expect(String(describing: value) != "nil", "fill \(label ?? "?") here, and add it to SampleColumns.swift")
      }
    }
    let samples = (0..<300).map { self.sample($0 * 977 % 1_000) }
    try #expect(throughColumns(samples) == samples)
  }

  @Test func `Figures that some samples lack are missing in exactly those`() throws {
    var samples = (0..<8).map { sample($0) }
    samples[1].wal = nil
    samples[1].storageBytes = nil
    samples[2].figures = [:]
    samples[1].connections = []
    samples[2].wal?.pinnedBy = nil
    samples[3].allocatedBytes = nil
    samples[3].finishedTransactions = [:]
    samples[4].deadlocks = [:]
    samples[4].logicalBytes = [:]
    samples[4].writes = nil
    samples[4].ioPressureNanoseconds = nil
    samples[5].connections.removeLast()
    samples[5].connections[0].caches = nil
    samples[6].connections[1].pinnedNanoseconds = nil
    try #expect(throughColumns(samples) == samples)
    try #expect(throughColumns([]).isEmpty)
  }

  @Test func `Connections with the same name, like those of one transaction, stay distinct`() throws {
    let names = [["ui", "passing", "passing"], ["ui", "passing"], ["ui", "passing", "passing", "passing"], ["ui"]]
    let samples = names.enumerated().map { sample($0.offset, connections: $0.element) }
    try #expect(throughColumns(samples) == samples)
  }

  @Test func `A figure that is 0 in all samples has no list, and is read as 0`() throws {
    let samples = (0..<3).map { EngineSample(elapsedNanoseconds: $0, phase: "run", connections: [.init(name: "ui")]) }
    let text = String(decoding: try JSONEncoder().encode(SampleColumns(wrappedValue: samples)), as: UTF8.self)
    #expect(text.contains("\"elapsedNanoseconds\":\"0 1 2\"") && text.contains("\"ageCommits\":\"0 0 0\""))
    #expect(!text.contains("residentBytes") && !text.contains("pendingBytes") && !text.contains("wal."))
    try #expect(throughColumns(samples) == samples)
  }

  @Test(arguments: [
    "\"-1 1\"", "\"1 \((1 << 46) + 1)\"", "\"1 9999999999999999999\"", "\"1\"", "\"1 2 3\"", "\"\"", "1", "[1,2]",
    "\"1 0.5\"", "\"1 a\"", "\"1 --\"", "\"1,2\"",
  ])
  func `A list of another type or length is rejected`(list: String) throws {
    let samples = SampleColumns(wrappedValue: [sample(1), sample(1)])
    let good = String(decoding: try JSONEncoder().encode(samples), as: UTF8.self)
    for name in ["residentBytes", "pendingBytes", "wal.frames", "scroll", "nest"] {
      let whole = try #require(good.range(of: "\"\(name)\":\"[-0-9 ]*\"", options: .regularExpression))
      let bad = good.replacingCharacters(in: whole, with: "\"\(name)\":\(list)")
      #expect(throws: DecodingError.self, "\(name)") {
        try JSONDecoder().decode(SampleColumns.self, from: Data(bad.utf8))
      }
    }
  }

  @Test(arguments: [0, 1, 300]) func `Every figure of an interval is kept`(count: UInt64) throws {
    let series = IntervalSeries(
      (0..<count).map { number in
        IntervalResult(
          startNanoseconds: number * 7,
          endNanoseconds: number * 7 + 5,
          count: Int(number * 31 % 17),
          p50Nanoseconds: number * 31 % 17 + 1,
          p99Nanoseconds: number * 31 % 17 + 2,
          maximumNanoseconds: number * 31 % 17 + 3
        )
      }
    )
    try #expect(JSONDecoder().decode(IntervalSeries.self, from: JSONEncoder().encode(series)) == series)
  }
}
