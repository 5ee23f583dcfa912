internal import BenchResults

/// `timeseries.csv`: one row per moment, metric and owner.
///
/// Values are counts, or are in base units: seconds, bytes, per second. The time of a rate, percentile or maximum is
/// the end of its interval. CPU times and context switches count since the start of the process; steal and I/O pressure
/// cover the whole machine since its boot, and CPU pressure counts since the run began. Counts of caches start when the
/// connection is made, writes when the database is opened, and the bytes stored by an actor when the phase begins.
struct TimeSeriesTable {
  static let columns = ["run_id", "variant", "elapsed_s", "phase", "connection_or_actor", "metric", "value"]

  private(set) var table = CSVTable(columns: Self.columns)
  private var result: RunResult

  /// The first cells of the rows of the current moment.
  private var beginning = CSVTable.Beginning([])

  /// The rows of half an hour with many connections take a gigabyte, so they are written in chunks of about this size.
  private static let chunkBytes = 1 << 20

  /// - Precondition: `runs` is not empty.
  init(of runs: [RunResult]) { self.init(of: runs) { _ in } }

  /// - Parameter take: Called from time to time; may take the contents out of the table.
  private init(of runs: [RunResult], _ take: (inout CSVTable) throws -> Void) rethrows {
    result = runs[0]
    for run in runs {
      result = run
      try appendRun(take)
    }
  }

  /// Writes the table piece by piece.
  static func write(of runs: [RunResult], _ write: (String) throws -> Void) rethrows {
    var table = try TimeSeriesTable(of: runs) { table in
      if table.contents.utf8.count > chunkBytes { try write(table.takeContents()) }
    }
    try write(table.table.takeContents())
  }

  private mutating func appendRun(_ take: (inout CSVTable) throws -> Void) rethrows {
    var previous: EngineSample?
    for sample in result.samples {
      try take(&table)
      begin(sample.phase, at: sample.elapsedNanoseconds)
      appendStorage(sample)
      for connection in sample.connections { append(connection) }
      appendThroughput(sample, since: previous)
      appendProcess(sample)
      appendWrites(sample)
      previous = sample
    }
    for phase in result.phases {
      for actor in phase.actors {
        for second in 0..<(actor.intervals.values.map(\.count).max() ?? 0) {
          for kind in TimeKind.allCases {
            guard let seconds = actor.intervals[kind], second < seconds.count else { continue }
            append(kind.rawValue, seconds[second], of: actor.name, in: phase)
          }
          try take(&table)
        }
      }
    }
    for phase in result.phases {
      for actor in phase.actors {
        append(.laneWait, actor.laneWait, of: actor.name, in: phase)
        append(.writeLaneWait, actor.writeLaneWait, of: actor.name, in: phase)
        append(.notificationToRead, actor.notificationToRead, of: actor.name, in: phase)
        try take(&table)
      }
      append(.notificationLag, phase.notificationLag, of: nil, in: phase)
    }
  }

  private mutating func appendStorage(_ sample: EngineSample) {
    if let bytes = sample.storageBytes { append("storage.bytes", .integer(bytes)) }
    for (name, value) in sample.figures.sorted(by: { $0.key < $1.key }) { append(name, .integer(value)) }
    guard let wal = sample.wal else { return }
    append("wal.bytes", .integer(wal.bytes))
    append("wal.frames", .integer(wal.frames))
    append("wal.backlogFrames", .integer(wal.backlogFrames))
  }

  private mutating func append(_ connection: EngineSample.Connection) {
    let name = connection.name
    append("pin.frames", .integer(connection.framesHeldAlone), of: name)
    append("pin.bytes", .integer(connection.framesHeldAlone * result.frameBytes), of: name)
    if let pinned = connection.pinnedNanoseconds {
      append("pin.seconds", .seconds(nanoseconds: pinned), of: name)
    }
    append("snapshot.ageCommits", .integer(connection.ageCommits), of: name)
    append("snapshot.ageSeconds", .seconds(nanoseconds: connection.ageNanoseconds), of: name)
    append("changes.pendingCommits", .integer(connection.pendingCommits), of: name)
    append("changes.pendingBytes", .integer(connection.pendingBytes), of: name)
    guard let caches = connection.caches else { return }
    for metric in Metric.allCases {
      guard let count = metric.cacheCount else { continue }
      append(metric.rawValue, .integer(count.value(in: caches)), of: name)
    }
  }

  /// Appends the rates since the previous sample of the phase; for its first sample, since the start of the phase.
  private mutating func appendThroughput(_ sample: EngineSample, since previous: EngineSample?) {
    let before = previous?.phase == sample.phase ? previous : nil
    guard let start = before?.elapsedNanoseconds ?? result.phase(named: sample.phase)?.startNanoseconds,
      sample.elapsedNanoseconds > start
    else { return }
    let seconds = Double(sample.elapsedNanoseconds - start) / 1e9
    for (actor, finished) in sample.finishedTransactions.sorted(by: { $0.key < $1.key }) {
      let sinceThen = max(0, finished - (before?.finishedTransactions[actor] ?? 0))
      append("throughput", .decimal(Double(sinceThen) / seconds), of: actor)
    }
  }

  private mutating func appendProcess(_ sample: EngineSample) {
    append("memory.resident", .integer(sample.residentBytes))
    if let allocated = sample.allocatedBytes { append("memory.allocated", .integer(allocated)) }
    append("cpu.user", .seconds(nanoseconds: sample.userCPUNanoseconds))
    append("cpu.system", .seconds(nanoseconds: sample.systemCPUNanoseconds))
    append("cpu.contextSwitches", .integer(sample.contextSwitches))
    append("cpu.steal", .seconds(nanoseconds: sample.stolenNanoseconds))
    if let throttled = sample.throttledNanoseconds { append("cpu.throttled", .seconds(nanoseconds: throttled)) }
    if let delay = sample.runDelayNanoseconds { append("pressure.cpu", .seconds(nanoseconds: delay)) }
    if let stalled = sample.ioPressureNanoseconds { append("pressure.io", .seconds(nanoseconds: stalled)) }
  }

  private mutating func appendWrites(_ sample: EngineSample) {
    guard let writes = sample.writes else { return }
    for (actor, bytes) in sample.logicalBytes.sorted(by: { $0.key < $1.key }) {
      append(Metric.ioLogicalBytes.rawValue, .integer(bytes), of: actor)
    }
    for metric in Metric.allCases {
      guard let count = metric.fileCount else { continue }
      let value = count(writes)
      append(metric.rawValue, metric.unit == .nanoseconds ? .seconds(nanoseconds: UInt64(value)) : .integer(value))
    }
  }

  private mutating func append(_ metric: Metric, _ wait: WaitResult?, of owner: String?, in phase: PhaseResult) {
    for second in wait?.intervals ?? IntervalSeries() { append(metric.rawValue, second, of: owner, in: phase) }
  }

  private mutating func append(_ metric: String, _ second: IntervalResult, of owner: String?, in phase: PhaseResult) {
    // A second in which nothing ended has no durations.
    guard second.count > 0 else { return }
    begin(phase.name, at: second.endNanoseconds)
    for (statistic, value) in [
      ("p50", second.p50Nanoseconds), ("p99", second.p99Nanoseconds), ("max", second.maximumNanoseconds),
    ] {
      append("\(metric).\(statistic)", .seconds(nanoseconds: value), of: owner)
    }
  }

  /// Starts the rows of a moment.
  private mutating func begin(_ phase: String, at elapsedNanoseconds: UInt64) {
    beginning = CSVTable.Beginning([
      .text(result.runID), .optional(result.variant), .seconds(nanoseconds: elapsedNanoseconds), .text(phase),
    ])
  }

  private mutating func append(_ metric: String, _ value: CSVTable.Cell, of owner: String? = nil) {
    table.append(after: beginning, [.optional(owner), .text(metric), value])
  }
}
