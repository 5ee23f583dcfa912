internal import BenchModel

/// `timeseries.csv`: one row per moment, metric and what it belongs to.
///
/// Values are in base units: seconds, bytes, frames, commits, per second. A value that covers a span, such as a rate or
/// a percentile of one second, stands at the span's end. CPU times and context switches are the process's since it
/// began, steal and I/O pressure the host's; what caches count is counted since the connection was made, what was
/// written since the database was opened, and by an actor since the phase began.
struct TimeSeriesTable {
  static let columns = ["run_id", "variant", "elapsed_s", "phase", "connection_or_actor", "metric", "value"]

  private(set) var table = CSVTable(columns: Self.columns)
  private var result: RunResult

  /// Of the moment whose rows are being written.
  private var beginning = CSVTable.Beginning([])

  /// Half an hour of many connections has a gigabyte of rows, so nobody holds them all.
  private static let chunkBytes = 1 << 20

  /// - Precondition: there is a run.
  init(of runs: [RunResult]) { self.init(of: runs) { _ in } }

  /// - Parameter take: may take away what there is of the table; called now and then.
  private init(of runs: [RunResult], _ take: (inout CSVTable) throws -> Void) rethrows {
    result = runs[0]
    for run in runs {
      result = run
      try appendRun(take)
    }
  }

  /// Writes the table piece by piece.
  static func write(of runs: [RunResult], _ write: (String) throws -> Void) rethrows {
    var rest = try TimeSeriesTable(of: runs) { table in
      if table.contents.utf8.count > chunkBytes { try write(table.takeContents()) }
    }
    try write(rest.table.takeContents())
  }

  private mutating func appendRun(_ take: (inout CSVTable) throws -> Void) rethrows {
    var previous: EngineSample?
    for sample in result.samples {
      try take(&table)
      begin(sample.phase, at: sample.elapsedNanoseconds)
      appendWAL(sample)
      for connection in sample.connections { append(connection, at: sample) }
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
            append(seconds[second], of: actor.name, kind.rawValue, in: phase)
          }
          try take(&table)
        }
      }
    }
    for phase in result.phases {
      for actor in phase.actors {
        append(actor.laneWait, of: actor.name, .laneWait, in: phase)
        append(actor.writeLaneWait, of: actor.name, .writeLaneWait, in: phase)
        try take(&table)
      }
      append(phase.notificationLag, of: nil, .notificationLag, in: phase)
    }
  }

  private mutating func appendWAL(_ sample: EngineSample) {
    guard let wal = sample.wal else { return }
    append(sample, nil, "wal.bytes", .integer(wal.bytes))
    append(sample, nil, "wal.frames", .integer(wal.frames))
    append(sample, nil, "wal.backlogFrames", .integer(wal.backlogFrames))
  }

  private mutating func append(_ connection: EngineSample.Connection, at sample: EngineSample) {
    let name = connection.name
    append(sample, name, "pin.frames", .integer(connection.framesHeldAlone))
    append(sample, name, "pin.bytes", .integer(connection.framesHeldAlone * result.frameBytes))
    if let pinned = connection.pinnedNanoseconds {
      append(sample, name, "pin.seconds", .seconds(nanoseconds: pinned))
    }
    append(sample, name, "snapshot.ageCommits", .integer(connection.ageCommits))
    append(sample, name, "snapshot.ageSeconds", .seconds(nanoseconds: connection.ageNanoseconds))
    append(sample, name, "changes.pendingCommits", .integer(connection.pendingCommits))
    append(sample, name, "changes.pendingBytes", .integer(connection.pendingBytes))
    guard let caches = connection.caches else { return }
    for metric in Metric.allCases {
      guard let count = metric.cacheCount else { continue }
      append(sample, name, metric.rawValue, .integer(caches[keyPath: count]))
    }
  }

  /// Since the sample before in the same phase, or since the phase began.
  private mutating func appendThroughput(_ sample: EngineSample, since previous: EngineSample?) {
    let before = previous?.phase == sample.phase ? previous : nil
    guard let start = before?.elapsedNanoseconds ?? result.phase(named: sample.phase)?.startNanoseconds,
      sample.elapsedNanoseconds > start
    else { return }
    let seconds = Double(sample.elapsedNanoseconds - start) / 1e9
    for (actor, finished) in sample.finishedTransactions.sorted(by: { $0.key < $1.key }) {
      let sinceThen = max(0, finished - (before?.finishedTransactions[actor] ?? 0))
      append(sample, actor, "throughput", .decimal(Double(sinceThen) / seconds))
    }
  }

  private mutating func appendProcess(_ sample: EngineSample) {
    append(sample, nil, "memory.resident", .integer(sample.residentBytes))
    if let allocated = sample.allocatedBytes { append(sample, nil, "memory.allocated", .integer(allocated)) }
    append(sample, nil, "cpu.user", .seconds(nanoseconds: sample.userCPUNanoseconds))
    append(sample, nil, "cpu.system", .seconds(nanoseconds: sample.systemCPUNanoseconds))
    append(sample, nil, "cpu.contextSwitches", .integer(sample.contextSwitches))
    append(sample, nil, "cpu.steal", .seconds(nanoseconds: sample.stolenNanoseconds))
    if let stalled = sample.ioPressureNanoseconds { append(sample, nil, "pressure.io", .seconds(nanoseconds: stalled)) }
  }

  private mutating func appendWrites(_ sample: EngineSample) {
    guard let writes = sample.writes else { return }
    for (actor, bytes) in sample.logicalBytes.sorted(by: { $0.key < $1.key }) {
      append(sample, actor, Metric.ioLogicalBytes.rawValue, .integer(bytes))
    }
    for metric in Metric.allCases {
      guard let count = metric.fileCount else { continue }
      let value = count(writes)
      append(
        sample,
        nil,
        metric.rawValue,
        metric.unit == .nanoseconds ? .seconds(nanoseconds: UInt64(value)) : .integer(value)
      )
    }
  }

  private mutating func append(_ wait: WaitResult?, of owner: String?, _ metric: Metric, in phase: PhaseResult) {
    for second in wait?.intervals ?? IntervalSeries() { append(second, of: owner, metric.rawValue, in: phase) }
  }

  private mutating func append(
    _ second: IntervalResult,
    of owner: String?,
    _ metric: String,
    in phase: PhaseResult
  ) {
    // A second in which nothing ended has no durations.
    guard second.count > 0 else { return }
    begin(phase.name, at: second.endNanoseconds)
    for (statistic, value) in [
      ("p50", second.p50Nanoseconds), ("p99", second.p99Nanoseconds), ("max", second.maximumNanoseconds),
    ] {
      table.append(
        after: beginning,
        [.optional(owner), .text("\(metric).\(statistic)"), .seconds(nanoseconds: value)]
      )
    }
  }

  /// Sets the moment of the rows that follow.
  private mutating func begin(_ phase: String, at elapsedNanoseconds: UInt64) {
    beginning = CSVTable.Beginning([
      .text(result.runID), .optional(result.variant), .seconds(nanoseconds: elapsedNanoseconds), .text(phase),
    ])
  }

  private mutating func append(_ sample: EngineSample, _ owner: String?, _ metric: String, _ value: CSVTable.Cell) {
    table.append(after: beginning, [.optional(owner), .text(metric), value])
  }
}
