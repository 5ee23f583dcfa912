import BenchResults
import Testing

@testable import BenchRunner

@Suite("The blame for the WAL") struct BlameTests {
  private func phase(_ name: String, isRecorded: Bool, _ samples: [EngineSample]) -> PhaseRecord {
    Fixture.record(Fixture.phaseResult(name, isRecorded: isRecorded, to: 1), samples: samples)
  }

  private func samples(alone: Int, age: Int, pinned: UInt64, _ name: String = "ui") -> [EngineSample] {
    [0.0, 2].map { seconds in
      Fixture.sample(
        seconds: seconds,
        wal: (bytes: 1_032, frames: 10, backlog: 8, held: 6),
        [Fixture.connection(name, age: age, pinnedNanoseconds: pinned, alone: alone)]
      )
    }
  }

  @Test func `areas of recorded phases are added up, and maxima are of all of them`() {
    let blame = Blame.result([
      phase("warm", isRecorded: false, samples(alone: 6, age: 99, pinned: 99)),
      phase("run", isRecorded: true, samples(alone: 4, age: 5, pinned: 70)),
      phase("drain", isRecorded: true, samples(alone: 1, age: 9, pinned: 30)),
    ])
    #expect(blame.connections.map(\.name) == ["ui"])
    let connection = blame.connections[0]
    #expect(connection.aloneByteSeconds == 2 * (400 + 100))
    #expect(connection.aloneMaximumBytes == 400)
    #expect(connection.longestPinNanoseconds == 70)
    #expect(connection.maximumAgeCommits == 9)
    #expect(blame.walByteSeconds == 2 * 2 * 1_032)
    #expect(blame.togetherByteSeconds == 2 * (200 + 500))
    #expect(blame.notCopiedByteSeconds == 2 * 2 * 200)
    #expect(blame.freeByteSeconds == 2 * 2 * 200)
  }

  @Test func `connections are sorted by name, also those that held nothing`() {
    let blame = Blame.result([
      phase("one", isRecorded: true, samples(alone: 0, age: 0, pinned: 0, "sync")),
      phase("two", isRecorded: true, samples(alone: 3, age: 0, pinned: 0, "feed")),
    ])
    #expect(blame.connections.map(\.name) == ["feed", "sync"])
    #expect(blame.connections[1].aloneByteSeconds == 0)
  }

  @Test func `a pause between phases belongs to no phase`() {
    var later = samples(alone: 1, age: 0, pinned: 0)
    for index in later.indices { later[index].elapsedNanoseconds += 100_000_000_000 }
    let blame = Blame.result([
      phase("one", isRecorded: true, samples(alone: 1, age: 0, pinned: 0)), phase("two", isRecorded: true, later),
    ])
    #expect(blame.walByteSeconds == 2 * 2 * 1_032)
  }

  @Test func `without samples no connection is named`() {
    let blame = Blame.result([])
    #expect(blame.connections.isEmpty)
    #expect(blame.walByteSeconds == 0)
  }
}
