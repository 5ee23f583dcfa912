import BenchDrivers
import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("A WAL far above its limit") struct WALExcessTests {
  private static let frameBytes = 100
  private static let limitBytes = 1_000

  private typealias Frames = (frames: Int, backlog: Int, held: Int)

  /// A sample every 100 ms. A WAL of more than 20 frames is above twice its limit.
  private func samples(
    _ walls: [Frames],
    pinnedBy: String? = nil,
    _ connections: [EngineSample.Connection] = []
  ) -> [EngineSample] {
    walls.enumerated().map { index, wal in
      Fixture.sample(
        seconds: Double(index) / 10,
        wal: (bytes: 1_000_000, frames: wal.frames, backlog: wal.backlog, held: wal.held),
        pinnedBy: pinnedBy,
        connections
      )
    }
  }

  private func result(_ samples: [EngineSample], limit: Int? = limitBytes) -> WALExcessResult? {
    WALExcess.result(samples, frameBytes: Self.frameBytes, limitBytes: limit)
  }

  @Test func `includes intervals longer than a second, with the longest, the total and the peak`() {
    let above: Frames = (21, 21, 21)
    let below: Frames = (20, 20, 20)
    let series =
      Array(repeating: above, count: 12) + [below] + Array(repeating: above, count: 11) + [below, (90, 90, 90)]
      + Array(repeating: above, count: 15)
    let found = result(samples(series, pinnedBy: "ui"))
    #expect(found?.limitBytes == Self.limitBytes)
    // 1.1 s count and 1.0 s do not; the last interval has 1.5 s.
    #expect(found?.longestNanoseconds == 1_500_000_000)
    #expect(found?.totalNanoseconds == 2_600_000_000)
    #expect(found?.peakBytes == 9_000)
    #expect(found?.phase == "phase")
  }

  @Test func `is absent if the WAL is at the limit, above it for only a second, or has no limit`() {
    #expect(result(samples(Array(repeating: (20, 20, 20), count: 50))) == nil)
    #expect(result(samples(Array(repeating: (50, 50, 50), count: 11))) == nil)
    #expect(result([]) == nil)
    let above = samples(Array(repeating: (50, 50, 50), count: 50))
    #expect(result(above) != nil)
    #expect(result(above, limit: nil) == nil)
    #expect(result(above, limit: .max) == nil)
    #expect(result((0..<50).map { Fixture.sample(seconds: Double($0)) }) == nil)
  }

  @Test func `does not include the unused part of the file`() {
    #expect(result(samples(Array(repeating: (5, 0, 0), count: 50))) == nil)
  }

  @Test func `does not include the frames of a file that was truncated`() {
    var found = samples([(5_000, 0, 0)] + Array(repeating: (60, 50, 45), count: 15))
    found[0].wal?.bytes = 0
    #expect(result(found)?.peakBytes == 6_000)
  }

  @Test func `names the connection that pinned most of it`() {
    let held = samples(Array(repeating: (60, 50, 45), count: 15), pinnedBy: "ui")
    let other = samples(Array(repeating: (60, 50, 45), count: 13), pinnedBy: "report")
    let shifted = other.map { sample in
      var sample = sample
      sample.elapsedNanoseconds += 1_500_000_000
      return sample
    }
    #expect(result(held + shifted)?.reason == .pinned)
    #expect(result(held + shifted)?.connection == "ui")
    #expect(result(held)?.note.contains("the connection \"ui\" had pinned a snapshot") == true)
  }

  @Test func `reports that all frames are copied but readers never end, and the longest reader`() {
    let readers = [
      Fixture.connection("scroll", pinnedNanoseconds: 5), Fixture.connection("sync"),
      Fixture.connection("badge", pinnedNanoseconds: 7),
    ]
    var series = samples(Array(repeating: (60, 10, 10), count: 20), pinnedBy: "scroll", readers)
    series[3].connections.removeLast()
    let found = result(series)
    #expect(found?.reason == .neverUnread)
    #expect(found?.connection == "scroll")
    #expect(found?.note.contains("readers used the WAL at every moment, the connection \"scroll\"") == true)
    let unknown = result(samples(Array(repeating: (60, 0, 0), count: 20)))
    #expect(unknown?.reason == .neverUnread && unknown?.connection == nil)
  }

  @Test func `reports that commits outran the checkpoints`() {
    let found = result(samples(Array(repeating: (60, 55, 5), count: 20), pinnedBy: "ui"))
    #expect(found?.reason == .writersAhead && found?.connection == nil)
    #expect(found?.note.contains("commits wrote them faster than checkpoints copied them") == true)
  }

  /// The reader stays until its pin is old enough, so the time does not depend on the machine.
  @Test func `is a note and a figure of a real run whose reader stalls, and not a failure`() throws {
    let loaded = try ScenarioLoader.load(
      text: """
        format: 1
        name: excess
        seed: 1
        summary: A reader stalls beside a writer.
        engine: {driver: yap, synchronous: off, aggressiveCheckpointAt: 64KiB}
        dataset: {rows: {rows: 100, value: {size: 2KiB}}}
        connections: {ui: {}, sync: {}}
        actors:
          stay:
            connection: ui
            snapshot: {longLived: never}
            operations: {get: 1}
            collection: rows
            load: {closed: {think: 5ms}}
          write: {connection: sync, operations: {set: 1}, collection: rows, load: {closed: {think: 1ms}}}
        phases:
          - {name: warm, for: 100ms, actors: [stay, write]}
          - {name: stall, until: "pin.seconds > 3", within: 60s, actors: [stay, write]}
        """
    )
    let result = try RunningScenarios.run(loaded)
    let excess = try #require(result.walExcess)
    #expect(excess.limitBytes == 64 << 10)
    #expect(excess.reason == .pinned && excess.connection == "ui")
    #expect(excess.peakBytes > 128 << 10 && excess.totalNanoseconds > WALExcess.shortestNanoseconds)
    #expect(result.notes.contains(excess.note))
    RunningScenarios.expectRight(result)
  }

  @Test func `is absent for an engine without such a limit`() {
    for (driver, limit) in [(DriverKind.null, nil), (.sqlite, nil), (.yap, 4 << 20)] as [(DriverKind, Int?)] {
      #expect(Drivers.walLimitBytes(EngineSettings(driver: driver)) == limit)
    }
    #expect(Drivers.walLimitBytes(EngineSettings(driver: .yap, aggressiveCheckpointAtBytes: 7)) == 7)
  }
}
