import BenchResults
import HarnessPrimitives
import TestSupport
import Testing

@testable import BenchRunner

@Suite("Areas under samples") struct SampledAreasTests {
  private func areas(_ samples: [EngineSample]) -> SampledAreas { SampledAreas(samples, frameBytes: 100) }

  @Test func `a value changes linearly between two samples`() {
    let areas = areas([
      Fixture.sample(
        seconds: 1,
        wal: (bytes: 1_032, frames: 10, backlog: 6, held: 4),
        [Fixture.connection("a", alone: 2), Fixture.connection("b", alone: 1)]
      ),
      Fixture.sample(
        seconds: 3,
        wal: (bytes: 2_032, frames: 12, backlog: 9, held: 5),
        [Fixture.connection("a", alone: 4), Fixture.connection("b")]
      ),
    ])
    // Two seconds with the mean of both ends; a frame has 100 bytes.
    #expect(areas.hasWAL)
    #expect(areas.walByteSeconds == 1_032 + 2_032)
    #expect(areas.aloneByteSeconds == ["a": 200 + 400, "b": 100])
    #expect(areas.togetherByteSeconds == 100 + 100)
    #expect(areas.notCopiedByteSeconds == 200 + 400)
    // 4 and 3 frames are copied, and the file has space for 0 and 8 more.
    #expect(areas.freeByteSeconds == 400 + 300 + 800)
  }

  @Test func `each interval counts with its length`() {
    let areas = areas([
      Fixture.sample(seconds: 0, wal: (bytes: 0, frames: 0, backlog: 0, held: 0)),
      Fixture.sample(seconds: 1, wal: (bytes: 100, frames: 0, backlog: 0, held: 0)),
      Fixture.sample(seconds: 11, wal: (bytes: 300, frames: 0, backlog: 0, held: 0)),
    ])
    #expect(areas.walByteSeconds == 50 + 2_000)
  }

  @Test func `a driver without a WAL has no areas`() {
    let areas = areas([Fixture.sample(seconds: 0), Fixture.sample(seconds: 1)])
    #expect(!areas.hasWAL)
    #expect(areas.walByteSeconds == 0)
  }

  @Test func `one sample or none has no area`() {
    #expect(!areas([]).hasWAL)
    #expect(!areas([Fixture.sample(wal: (bytes: 9, frames: 9, backlog: 9, held: 9))]).hasWAL)
  }

  @Test func `parts of consistent samples add up to the whole`() {
    var stream = RandomStream(seed: Seed.announce(for: "SampledAreasTests"), "samples")
    var seconds = 0.0
    let samples = (0..<500).map { _ in
      seconds += Double(1 + stream.below(1_000)) / 1_000
      let room = stream.below(1_000)
      let frames = stream.below(room + 1)
      let backlog = stream.below(frames + 1)
      let held = stream.below(backlog + 1)
      let first = stream.below(held + 1)
      let second = stream.below(held - first + 1)
      return Fixture.sample(
        seconds: seconds,
        wal: (bytes: 32 + room * 100, frames: frames, backlog: backlog, held: held),
        [Fixture.connection("a", alone: first), Fixture.connection("b", alone: second)]
      )
    }
    let areas = areas(samples)
    let parts =
      areas.aloneByteSeconds.values.reduce(0, +) + areas.togetherByteSeconds + areas.notCopiedByteSeconds
      + areas.freeByteSeconds
    let length = Double(samples[499].elapsedNanoseconds - samples[0].elapsedNanoseconds) / 1e9
    // The file's header belongs to no part.
    #expect(abs(parts + 32 * length - areas.walByteSeconds) < areas.walByteSeconds * 1e-9)
  }
}
