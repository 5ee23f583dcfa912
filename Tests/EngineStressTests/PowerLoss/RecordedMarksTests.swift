import Testing

@testable import EngineStress

/// The steps that are found in recordings that are written down here.
@Suite struct RecordedMarksTests {
  private static let files: [FileRecording.File] = [
    FileRecording.File(path: "d", kind: .database), FileRecording.File(path: "d-wal", kind: .wal),
  ]
  private static let pageSize = 512
  private static let header = FileRecording.Operation.write(
    file: 1,
    offset: 0,
    bytes: [UInt8](repeating: 1, count: 8) + [0, 0, 2, 0] + [UInt8](repeating: 1, count: 20)
  )
  private static let database: [UInt8] = {
    var bytes = [UInt8](repeating: 0, count: pageSize)
    bytes[16] = 2
    return bytes
  }()

  /// The two writes of a frame by SQLite.
  private static func frame(isLast: Bool) -> [FileRecording.Operation] {
    var head = [UInt8](repeating: 0, count: 24)
    head[7] = isLast ? 9 : 0
    return [
      .write(file: 1, offset: 32, bytes: head),
      .write(file: 1, offset: 56, bytes: [UInt8](repeating: 1, count: pageSize)),
    ]
  }

  private static let sync = FileRecording.Operation.sync(file: 1, flags: 2, begun: 0)

  private static func mark(_ mark: WorkloadMark, _ number: UInt64 = 0) -> FileRecording.Operation {
    .mark(kind: mark.rawValue, number: number)
  }

  private static func marks(
    _ operations: [FileRecording.Operation],
    initial: DiskImage = DiskImage(files: [.database: database])
  ) -> RecordedMarks {
    RecordedMarks(FileRecording(operations: operations, files: files), initial: initial)
  }

  @Test func `a joint commit is cut between its first write and its sync`() {
    let operations =
      [Self.mark(.transaction, 1), Self.mark(.transaction, 2)] + Self.frame(isLast: false) + Self.frame(isLast: true)
      + [Self.sync, Self.mark(.acknowledged, 2), Self.mark(.acknowledged, 1)]
    let marks = Self.marks(operations)
    #expect(marks.jointCommits == 1)
    let cut = marks.steps.indices.filter { marks.steps[$0].contains(.jointCommit) }
    #expect(cut == [3, 4, 5, 6])
    #expect(marks.acknowledged == [0, 0, 0, 0, 0, 0, 0, 0, 2, 2])
  }

  @Test func `the frames of a commit may be written together, with the header before them`() {
    let bytes = { (operations: [FileRecording.Operation]) -> [UInt8] in
      operations.flatMap { operation -> [UInt8] in
        if case .write(_, _, let bytes) = operation { bytes } else { [] }
      }
    }
    let frames = Self.frame(isLast: false) + Self.frame(isLast: true)
    let together = bytes([Self.header] + frames)
    let begin = [Self.mark(.transaction, 1), Self.mark(.transaction, 2)]
    let first = Self.marks(begin + [.write(file: 1, offset: 0, bytes: together), Self.sync], initial: DiskImage())
    #expect(first.jointCommits == 1 && first.guardFrames == 0)
    #expect(first.steps.indices.filter { first.steps[$0].contains(.jointCommit) } == [3])
    // The second frame's header and page are written apart, the page together with the next frame.
    let split = bytes(frames)
    let parts = [0..<560, 560..<split.count].map { range in
      FileRecording.Operation.write(file: 1, offset: 32 + range.lowerBound, bytes: Array(split[range]))
    }
    let second = Self.marks(begin + parts + [Self.sync])
    #expect(second.jointCommits == 1)
    #expect(second.steps.indices.filter { second.steps[$0].contains(.jointCommit) } == [3, 4])
  }

  @Test func `single commits are no joint commits, without syncs too`() {
    let commit = [Self.mark(.transaction)] + Self.frame(isLast: true)
    let synced = Self.marks(commit + [Self.sync] + commit + [Self.sync])
    let unsynced = Self.marks(commit + commit + commit)
    for marks in [synced, unsynced] {
      #expect(marks.jointCommits == 0)
      #expect(marks.guardFrames == 0)
      #expect(marks.steps.allSatisfy { $0.isEmpty })
    }
  }

  @Test func `a frame without a transaction is a guard frame, except in a vacuum`() {
    let frame = Self.frame(isLast: true) + [Self.sync]
    let guarded = Self.marks(frame)
    #expect(guarded.guardFrames == 1)
    #expect(guarded.steps.map { $0.contains(.guardFrame) } == [false, true, true, false])
    let vacuum = Self.marks([Self.mark(.vacuumBegun)] + frame + [Self.mark(.vacuumEnded)])
    #expect(vacuum.guardFrames == 0)
    #expect(vacuum.steps.filter { $0.contains(.vacuum) }.count == 4)
  }

  @Test func `a reset lasts from the second header to the next synced commit`() {
    let commit = [Self.mark(.transaction)] + Self.frame(isLast: true) + [Self.sync]
    let first = Self.marks([Self.header] + commit)
    #expect(first.steps.allSatisfy { !$0.contains(.reset) })
    let second = Self.marks([Self.header] + commit + [Self.header] + commit)
    #expect(second.steps.filter { $0.contains(.reset) }.count == 4)
    let truncated = Self.marks([Self.header] + commit + [.truncate(file: 1, size: 0), Self.header] + commit)
    #expect(truncated.steps.filter { $0.contains(.reset) }.count == 5)
  }

  @Test func `the first header is that of a reset if the recording begins with a WAL`() {
    let begin: [FileRecording.Operation] = [.open(file: 1), Self.header, Self.mark(.transaction)]
    let operations = begin + Self.frame(isLast: true) + [Self.sync]
    func cuts(walSize: Int) -> Int {
      let initial = DiskImage(files: [.database: Self.database, .wal: [UInt8](repeating: 1, count: walSize)])
      return Self.marks(operations, initial: initial).steps.count { $0.contains(.reset) }
    }
    #expect(cuts(walSize: 568) == 4)
    #expect(cuts(walSize: 0) == 0)
  }

  @Test func `a checkpoint lasts from the first write to the database to its sync`() {
    let write = FileRecording.Operation.write(file: 0, offset: 0, bytes: [1])
    let marks = Self.marks([write, write, .sync(file: 0, flags: 2, begun: 2), Self.mark(.acknowledged, 1)])
    #expect(marks.steps.map { $0.contains(.checkpoint) } == [false, true, true, false, false])
  }
}
