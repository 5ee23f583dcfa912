internal import BenchResults
internal import HarnessPrimitives

/// A figure of a checkpoint attempt. `all` determines the columns of `checkpoints.csv`, of the report's summary and of
/// its list of attempts.
struct CheckpointFigure: Sendable {
  enum Value {
    case name(String?)
    case count(Int?)
    case bytes(Int)
    case nanoseconds(UInt64)
    /// Nanoseconds since the first phase began, which the CSV has in seconds.
    case moment(UInt64)

    var cell: CSVTable.Cell {
      switch self {
      case .name(let name): .optional(name)
      case .count(let count): .optional(count)
      case .bytes(let bytes): .integer(bytes)
      case .nanoseconds(let nanoseconds): .unsigned(nanoseconds)
      case .moment(let nanoseconds): .seconds(nanoseconds: nanoseconds)
      }
    }

    var text: ReportText {
      switch self {
      case .name(let name): name.map(ReportText.code) ?? ""
      case .count(let count): .count(count)
      case .bytes(let bytes): .bytes(bytes)
      case .nanoseconds(let nanoseconds), .moment(let nanoseconds): .duration(nanoseconds)
      }
    }

    var alignment: ReportTable.Alignment { if case .name = self { .left } else { .right } }

    var number: Int? {
      switch self {
      case .count(let count): count
      case .bytes(let bytes): bytes
      default: nil
      }
    }

    var duration: UInt64? { if case .nanoseconds(let duration) = self { duration } else { nil } }
  }

  /// A column of the summary: the sum or the maximum over a group of attempts.
  struct Summary: Sendable {
    enum Function { case sum, maximum }

    var title: ReportText
    var function: Function

    static func sum(_ title: ReportText) -> Self { Self(title: title, function: .sum) }
    static func maximum(_ title: ReportText) -> Self { Self(title: title, function: .maximum) }

    func value(of values: [Value]) -> Value {
      switch values.first {
      case .bytes: .bytes(result(values.compactMap(\.number)))
      case .nanoseconds: .nanoseconds(result(values.compactMap(\.duration)))
      default: .count(result(values.compactMap(\.number)))
      }
    }

    private func result<Number: FixedWidthInteger>(_ numbers: [Number]) -> Number {
      function == .sum ? numbers.saturatingSum() : numbers.max() ?? 0
    }
  }

  let column: String
  /// The head of the column in the list of attempts; nil for a figure that is not in the list.
  let title: ReportText?
  let summaries: [Summary]
  let value: @Sendable (CheckpointResult) -> Value

  private init(
    _ column: String,
    _ title: ReportText? = nil,
    summaries: [Summary] = [],
    value: @escaping @Sendable (CheckpointResult) -> Value
  ) {
    (self.column, self.title, self.summaries, self.value) = (column, title, summaries, value)
  }

  static let all = [
    CheckpointFigure("number", "no.") { .count($0.number) },
    CheckpointFigure("elapsed_s", "at") { .moment($0.elapsedNanoseconds) },
    CheckpointFigure("phase", "phase") { .name($0.phase) },
    CheckpointFigure("mode", "mode") { .name($0.mode) },
    CheckpointFigure("cause", "cause") { .name($0.cause) },
    CheckpointFigure("wait_ns", "wait", summaries: [.maximum("longest wait")]) { .nanoseconds($0.waitNanoseconds) },
    CheckpointFigure("duration_ns", "time", summaries: [.sum("time"), .maximum("longest")]) {
      .nanoseconds($0.durationNanoseconds)
    },
    CheckpointFigure("frames_in_wal") { .count($0.framesInWAL) },
    CheckpointFigure("frames_copied", "frames copied") { .count($0.framesCopied) },
    CheckpointFigure("frames_left", "frames left") { .count($0.framesLeft) },
    CheckpointFigure("bytes_copied", summaries: [.sum("copied")]) { .bytes($0.bytesCopied) },
    CheckpointFigure("outcome", "outcome") { .name($0.outcome.rawValue) },
    CheckpointFigure("pinned_by", "pinned by") { .name($0.pinnedBy) },
    CheckpointFigure("lane_ns") { .nanoseconds($0.laneNanoseconds) },
    CheckpointFigure("overlapping_commits", "concurrent commits", summaries: [.sum("concurrent commits")]) {
      .count($0.overlappingCommits)
    },
    CheckpointFigure("stalled_writers", "stalled writers", summaries: [.sum("stalled writers")]) {
      .count($0.stalledWriters)
    },
    CheckpointFigure("syncs") { .count($0.syncs) },
  ]
}

/// `checkpoints.csv`: the checkpoint ledger, one row per attempt.
enum CheckpointsTable {
  static let columns = ["run_id", "variant"] + CheckpointFigure.all.map(\.column)

  static func table(of runs: [RunResult]) -> CSVTable {
    var table = CSVTable(columns: columns)
    for run in runs {
      for checkpoint in run.checkpoints {
        table.append(
          [.text(run.runID), .optional(run.variant)] + CheckpointFigure.all.map { $0.value(checkpoint).cell }
        )
      }
    }
    return table
  }
}
