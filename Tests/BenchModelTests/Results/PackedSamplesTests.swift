import BenchModel
import Foundation
import Testing

struct PackedSamplesTests {
  private struct Document: Codable {
    @PackedSamples var samples: [EngineSample]
  }

  private struct List: Codable {
    var samples: [EngineSample]
  }

  /// No figure is missing, and no two are the same.
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
      deadlocks: ["scroll": ["nest": next()], "import": [:]],
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
      ioPressureNanoseconds: UInt64(next())
    )
  }

  private func json(_ samples: [EngineSample]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(List(samples: samples)), as: UTF8.self)
  }

  private func throughColumns(_ samples: [EngineSample]) throws -> [EngineSample] {
    let encoded = try JSONEncoder().encode(Document(samples: samples))
    return try JSONDecoder().decode(Document.self, from: encoded).samples
  }

  /// Whoever adds a figure to a sample adds it to its packed figures, or hears of it here.
  @Test func `Nothing of a sample is lost, and nothing in it is missing here`() throws {
    let sample = sample(3)
    for part in [Mirror(reflecting: sample)] + sample.connections.map(Mirror.init(reflecting:)) {
      for (label, value) in part.children {
        #expect(String(describing: value) != "nil", "fill \(label ?? "?") here, and add it to SampleFigures.swift")
      }
    }
    let samples = (0..<300).map { self.sample($0 * 977 % 1_000) }
    try #expect(json(throughColumns(samples)) == json(samples))
  }

  @Test func `What is missing now and then stays missing just there`() throws {
    var samples = (0..<8).map { sample($0) }
    samples[1].wal = nil
    samples[1].connections = []
    samples[2].wal?.pinnedBy = nil
    samples[3].allocatedBytes = nil
    samples[3].finishedTransactions = [:]
    samples[4].deadlocks = nil
    samples[4].logicalBytes = nil
    samples[4].writes = nil
    samples[6].logicalBytes = [:]
    samples[4].stolenNanoseconds = nil
    samples[5].connections.removeLast()
    samples[5].connections[0].caches = nil
    samples[6].connections[1].pinnedNanoseconds = nil
    try #expect(json(throughColumns(samples)) == json(samples))
    try #expect(throughColumns([]).isEmpty)
  }

  @Test func `Connections of one name, as those of one transaction have it, stay apart`() throws {
    let names = [["ui", "passing", "passing"], ["ui", "passing"], ["ui", "passing", "passing", "passing"], ["ui"]]
    let samples = names.enumerated().map { sample($0.offset, connections: $0.element) }
    try #expect(json(throughColumns(samples)) == json(samples))
  }

  @Test func `A list, as older results have it, is read`() throws {
    let samples = [sample(1), sample(2)]
    let old = try JSONEncoder().encode(List(samples: samples))
    try #expect(json(JSONDecoder().decode(Document.self, from: old).samples) == json(samples))
  }

  @Test func `Neighbours that resemble each other take little room`() throws {
    let samples = (0..<1_000).map { number in
      var sample = sample(1)
      sample.elapsedNanoseconds = UInt64(number) * 100_000_000
      return sample
    }
    try #expect(JSONEncoder().encode(Document(samples: samples)).count < 4_000)
  }

  @Test(arguments: ["0*2000001", "0*-1", "0*0", "0*1", "x", "", "1 2 3", "0* 1", "9*9*9", "99999999999999999999 1"])
  func `Columns that are none are refused, and nothing traps`(column: String) throws {
    let good = String(decoding: try JSONEncoder().encode(Document(samples: [sample(1), sample(1)])), as: UTF8.self)
    let whole = try #require(good.range(of: #""residentBytes":"[^"]*""#, options: .regularExpression))
    let bad = good.replacingCharacters(in: whole, with: "\"residentBytes\":\"\(column)\"")
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Document.self, from: Data(bad.utf8)) }
    for count in ["-1", "3", "99999999999"] {
      let wrong = good.replacing("\"count\":2", with: "\"count\":\(count)")
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(Document.self, from: Data(wrong.utf8)) }
    }
  }
}
