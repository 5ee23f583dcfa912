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
    for interval in result.intervals {
      try take(&table)
      append(interval)
    }
    for interval in result.waitIntervals?.wrappedValue ?? [] {
      try take(&table)
      append(interval)
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
      append(sample, name, metric.rawValue, .integer(count(caches)))
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
    if let switches = sample.contextSwitches { append(sample, nil, "cpu.contextSwitches", .integer(switches)) }
    if let stolen = sample.stolenNanoseconds { append(sample, nil, "cpu.steal", .seconds(nanoseconds: stolen)) }
    if let stalled = sample.ioPressureNanoseconds { append(sample, nil, "pressure.io", .seconds(nanoseconds: stalled)) }
  }

  private mutating func appendWrites(_ sample: EngineSample) {
    guard let writes = sample.writes else { return }
    for (actor, bytes) in (sample.logicalBytes ?? [:]).sorted(by: { $0.key < $1.key }) {
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

  private mutating func append(_ interval: IntervalResult) {
    // A second in which nothing ended has no durations.
    guard interval.count > 0 else { return }
    begin(interval.phase, at: interval.endNanoseconds)
    append(
      interval.actor,
      interval.kind.rawValue,
      p50: interval.p50Nanoseconds,
      p99: interval.p99Nanoseconds,
      max: interval.maximumNanoseconds
    )
  }

  private mutating func append(_ interval: WaitIntervalResult) {
    begin(interval.phase, at: interval.endNanoseconds)
    append(
      interval.actor,
      interval.metric,
      p50: interval.p50Nanoseconds,
      p99: interval.p99Nanoseconds,
      max: interval.maximumNanoseconds
    )
  }

  /// The rows that follow tell of this moment.
  private mutating func begin(_ phase: String, at elapsedNanoseconds: UInt64) {
    beginning = CSVTable.Beginning([
      .text(result.runID), .optional(result.variant), .seconds(nanoseconds: elapsedNanoseconds), .text(phase),
    ])
  }

  private mutating func append(_ owner: String?, _ metric: String, p50: UInt64, p99: UInt64, max: UInt64) {
    for (statistic, value) in [("p50", p50), ("p99", p99), ("max", max)] {
      table.append(
        after: beginning,
        [.optional(owner), .text("\(metric).\(statistic)"), .seconds(nanoseconds: value)]
      )
    }
  }

  private mutating func append(_ sample: EngineSample, _ owner: String?, _ metric: String, _ value: CSVTable.Cell) {
    table.append(after: beginning, [.optional(owner), .text(metric), value])
  }
}
