internal import HarnessPrimitives
internal import YapEngine

/// The options of a workload, and its course, both determined by a seed.
struct PowerLossWorkload: Sendable {
  var options: YapDatabaseOptions
  var shape = LedgeredWriter.Shape()
  /// Whether it begins with files that a crash has left, whose WAL has more frames than are copied without a guard.
  var beginsAfterCrash = false
  /// The number of rounds, each of which has several commits, a checkpoint, or the like.
  var rounds = 8

  init(synchronous: YapDatabaseOptions.Synchronous, number: Int, _ random: inout RandomStream) {
    options = LedgeredDatabase.options(synchronous: synchronous)
    func pick<Value>(_ values: Value...) -> Value { values[random.below(values.count)] }
    options.pageSize = pick(512, 1024, 4096, 4096, 8192)
    options.checkpointing = pick(.automatic, .every(nanoseconds: 1_000_000), .every(nanoseconds: 3_600_000_000_000))
    options.aggressiveCheckpointAt = pick(Int.max, 16 << 10, 64 << 10)
    options.journalSizeLimit = pick(nil, 0, 24 << 10)
    options.jointCommitLimit = pick(64, 64, 3)
    options.autoVacuum = pick(.none, .none, .full, .incremental)
    options.mmapSize = pick(0, 0, 1 << 20)
    options.usesEngineVFS = pick(true, true, true, false)
    options.handlePoolLimit = pick(0, 5)
    shape.keys = 24
    shape.writes = 1...pick(2, 4)
    shape.objectSize = 32...pick(200, 400, 3_000)
    beginsAfterCrash = number % 4 == 1
    guard beginsAfterCrash else { return }
    // Small pages, so that few bytes are many frames.
    options.pageSize = 512
    options.aggressiveCheckpointAt = .max
    options.checkpointing = pick(.automatic, .every(nanoseconds: 1_000_000))
    rounds = 4
  }
}

/// A workload that has run.
struct RecordedWorkload {
  let recording: FileRecording
  /// The files before the recording.
  let initial: DiskImage
  /// The newest commit that was acknowledged before the recording.
  let acknowledged: UInt64
  let options: YapDatabaseOptions
}

extension PowerLossWorkload {
  /// The number of frames that the WAL has after a crash: more than a checkpoint copies while writers wait.
  private static let framesAfterCrash = 1_200

  /// Runs the workload in a folder.
  /// - Throws: The errors of the engine, of which the workload expects none.
  func record(inFolder folder: String, _ random: inout RandomStream) throws -> RecordedWorkload {
    let path = folder + "/workload.sqlite"
    defer { DiskImage.remove(at: path) }
    var initial = DiskImage()
    var acknowledged: UInt64 = 0
    if beginsAfterCrash {
      (initial, acknowledged) = try crash(inFolder: folder, &random)
      try initial.write(at: path)
    }
    let scope = try FileScope(prefix: path)
    scope.startRecording()
    let session = PowerLossSession(self, path: path, scope: scope, random)
    try session.run()
    return RecordedWorkload(
      recording: try scope.stopRecording(),
      initial: initial,
      acknowledged: acknowledged,
      options: options
    )
  }

  /// Fills a database without any checkpoint.
  /// - Returns: The files as a crash of the process leaves them, and the newest commit.
  private func crash(inFolder folder: String, _ random: inout RandomStream) throws -> (DiskImage, UInt64) {
    let path = folder + "/crashed.sqlite"
    defer { DiskImage.remove(at: path) }
    var options = options
    options.checkpointing = .every(nanoseconds: 3_600_000_000_000)
    var shape = shape
    shape.keys = 3
    shape.objectSize = 20_000...30_000
    let scope = try FileScope(prefix: path)
    scope.startRecording()
    let database = try YapDatabase(path: path, options: options)
    defer { try? database.close() }
    // Sessions number their writers from 0 on.
    let writer = LedgeredWriter(try database.newConnection(), number: 1 << 20, shape: shape)
    while database.statistics.walFrames < Self.framesAfterCrash { try writer.commit(&random) }
    let recording = try scope.stopRecording()
    var state = DurableState(recording)
    while state.index < recording.operations.count { state.advance() }
    return (state.image(&random) { _ in .whole }, database.snapshot)
  }
}
