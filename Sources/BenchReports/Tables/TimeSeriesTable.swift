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
      for metric in Metric.allCases { append(metric, sample, since: previous) }
      previous = sample
    }
    for phase in result.phases {
      for actor in phase.actors {
        for metric in Metric.allCases {
          for second in metric.intervals(of: actor) ?? IntervalSeries() {
            append(metric, second, of: actor.name, in: phase)
            try take(&table)
          }
        }
      }
      for second in phase.notificationLag?.intervals ?? IntervalSeries() {
        append(.notificationLag, second, of: nil, in: phase)
      }
    }
  }

  private mutating func append(_ metric: Metric, _ sample: EngineSample, since previous: EngineSample?) {
    if metric == .throughput { return appendThroughput(sample, since: previous) }
    let isDuration = [.nanoseconds, .seconds].contains(metric.unit)
    for (owner, value) in metric.recorded(in: sample, frameBytes: result.frameBytes) {
      append(metric.rawValue, isDuration ? .seconds(nanoseconds: UInt64(clamping: value)) : .integer(value), of: owner)
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
      append(Metric.throughput.rawValue, .decimal(Double(sinceThen) / seconds), of: actor)
    }
  }

  private mutating func append(_ metric: Metric, _ second: IntervalResult, of owner: String?, in phase: PhaseResult) {
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
