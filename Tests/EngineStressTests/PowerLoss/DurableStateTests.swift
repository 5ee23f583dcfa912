import HarnessPrimitives
import Testing

@testable import EngineStress

/// The files that a power loss leaves of recordings that are written down here.
@Suite struct DurableStateTests {
  private static let files: [FileRecording.File] = [
    FileRecording.File(path: "d", kind: .database), FileRecording.File(path: "d-wal", kind: .wal),
    FileRecording.File(path: "d-wal", kind: .wal),
  ]

  private static func state(
    _ operations: [FileRecording.Operation],
    initial: DiskImage = DiskImage()
  ) -> DurableState {
    let recording = FileRecording(operations: operations, files: files)
    var state = DurableState(recording, initial: initial)
    for _ in operations { state.advance() }
    return state
  }

  private static func image(_ state: DurableState, _ effect: (Int) -> UnsyncedEffect) -> [FileKind: [UInt8]] {
    var random = RandomStream(seed: 1)
    return state.image(&random, effect: effect).files
  }

  private static let database = DiskImage(files: [.database: [1, 2, 3]])

  @Test func `operations are durable up to the last sync of their file`() {
    let state = Self.state(
      [
        .open(file: 0), .write(file: 0, offset: 1, bytes: [7, 7, 7]), .sync(file: 0, flags: 2, begun: 2),
        .write(file: 0, offset: 0, bytes: [9]), .truncate(file: 0, size: 2),
      ],
      initial: Self.database
    )
    #expect(state.pending == [3, 4])
    #expect(Self.image(state) { _ in .none } == [.database: [1, 7, 7, 7]])
    #expect(Self.image(state) { _ in .whole } == [.database: [9, 7]])
    #expect(Self.image(state) { $0 == 0 ? .none : .whole } == [.database: [1, 7]])
  }

  @Test func `the files before the recording exist before SQLite opens them`() {
    let initial = DiskImage(files: [.database: [1], .wal: [2]])
    #expect(Self.image(Self.state([], initial: initial)) { _ in .whole } == initial.files)
    let opened = Self.state([.open(file: 0)], initial: initial)
    #expect(Self.image(opened) { _ in .whole } == initial.files)
  }

  @Test func `a sync covers only operations before it began`() {
    let state = Self.state(
      [
        .open(file: 0), .write(file: 0, offset: 0, bytes: [4]), .write(file: 0, offset: 1, bytes: [5]),
        .sync(file: 0, flags: 2, begun: 2),
      ],
      initial: Self.database
    )
    #expect(state.pending == [2])
    #expect(Self.image(state) { _ in .none } == [.database: [4, 2, 3]])
  }

  @Test func `the first sync of a WAL makes its entry durable, and a later deletion may be lost`() {
    let written: [FileRecording.Operation] = [
      .open(file: 0), .create(file: 1), .write(file: 1, offset: 0, bytes: [8]), .sync(file: 1, flags: 2, begun: 3),
    ]
    let unsynced = Self.state(Array(written.prefix(3)), initial: Self.database)
    #expect(Self.image(unsynced) { _ in .none } == Self.database.files)
    #expect(Self.image(unsynced) { $0 == 0 ? .whole : .none } == [.database: [1, 2, 3], .wal: []])
    let synced = Self.state(written, initial: Self.database)
    #expect(synced.pending == [])
    #expect(Self.image(synced) { _ in .none } == [.database: [1, 2, 3], .wal: [8]])
    let deleted = Self.state(written + [.delete(file: 1)], initial: Self.database)
    #expect(Self.image(deleted) { _ in .none } == [.database: [1, 2, 3], .wal: [8]])
    #expect(Self.image(deleted) { _ in .whole } == Self.database.files)
    let recreated = Self.state(
      written + [.delete(file: 1), .create(file: 2), .write(file: 2, offset: 0, bytes: [6])],
      initial: Self.database
    )
    #expect(Self.image(recreated) { _ in .whole } == [.database: [1, 2, 3], .wal: [6]])
    // Without the deletion, the file that was created afterwards cannot be at the path.
    #expect(Self.image(recreated) { $0 == 0 ? .none : .whole } == [.database: [1, 2, 3], .wal: [8]])
    let synchronized = Self.state(written + [.delete(file: 1), .directorySync], initial: Self.database)
    #expect(Self.image(synchronized) { _ in .none } == Self.database.files)
  }

  @Test func `torn writes keep sectors whole, lose at least one, and grown files have zeros`() {
    let bytes = [UInt8](repeating: 5, count: 2_000)
    let state = Self.state(
      [.open(file: 0), .write(file: 0, offset: 100, bytes: bytes)],
      initial: DiskImage(files: [.database: [UInt8](repeating: 1, count: 600)])
    )
    var random = RandomStream(seed: 3)
    for _ in 0..<50 {
      let torn = state.image(&random) { _ in .torn(sectorSize: 512, isGarbage: false) }.files[.database] ?? []
      #expect(torn.prefix(100).allSatisfy { $0 == 1 })
      let starts = [100, 512, 1_024, 1_536, 2_048]
      let sectors = zip(starts, starts.dropFirst() + [2_100]).map { start, end in
        Set((start..<end).map { $0 < torn.count ? torn[$0] : 0 })
      }
      #expect(sectors.contains { !$0.contains(5) })
      // A sector beside the end of the old file may have both old bytes and zeros.
      #expect(sectors.allSatisfy { $0 == [5] || !$0.contains(5) })
    }
    let grown = state.image(&random) { _ in .zeros }.files[.database] ?? []
    #expect(grown.count == 2_100)
    #expect(grown.prefix(600).allSatisfy { $0 == 1 })
    #expect(grown.dropFirst(600).allSatisfy { $0 == 0 })
  }

  @Test func `the zeros of a new file that was not synced are in the file`() {
    let state = Self.state([.create(file: 1), .write(file: 1, offset: 0, bytes: [1, 2])], initial: Self.database)
    #expect(Self.image(state) { _ in .zeros } == [.database: [1, 2, 3], .wal: [0, 0]])
    let deleted = Self.state([.open(file: 0), .delete(file: 0)], initial: Self.database)
    #expect(Self.image(deleted) { _ in .zeros } == [:])
  }

  @Test func `each sync of a WAL covers the operations after the sync before`() {
    let operations: [FileRecording.Operation] = [
      .create(file: 1), .write(file: 1, offset: 0, bytes: [1]), .sync(file: 1, flags: 2, begun: 2),
      .write(file: 1, offset: 1, bytes: [2]), .sync(file: 1, flags: 2, begun: 4),
    ]
    #expect(Self.state(Array(operations.dropLast())).pending == [3])
    #expect(Self.state(operations).pending == [])
  }
}
