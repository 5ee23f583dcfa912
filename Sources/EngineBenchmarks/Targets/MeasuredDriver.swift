internal import BenchScenario
internal import CDriverLoops
internal import CRawSQLite

/// A driver of the harness that has a loop in C which does the same work.
enum MeasuredDriver: String, CaseIterable {
  case sqlite

  var target: TargetName {
    switch self {
    case .sqlite: .driver(1)
    }
  }

  var kind: DriverKind {
    switch self {
    case .sqlite: .sqlite
    }
  }

  /// The smallest permitted ratio of the driver's speed to the loop's.
  var leastSpeed: Double {
    switch self {
    case .sqlite: 0.9
    }
  }

  /// The name of the contestant that runs the loop.
  var loopName: String {
    switch self {
    case .sqlite: "C as driver sqlite"
    }
  }

  /// The name of the contestant that runs the driver.
  var driverName: String { "driver \(rawValue)" }

  /// Opens the loop in C; returns nil if memory is exhausted.
  func openLoop(_ path: String, _ rows: UnsafePointer<craw_rows>) -> OpaquePointer? {
    switch self {
    case .sqlite: cloop_open_sqlite(path, rows)
    }
  }

  /// The quotient of the driver's speed and the loop's. The contestants' figures are nanoseconds per operation.
  var speed: Trial.Figure { .ratio(of: loopName, to: driverName) }

  var performanceTarget: PerformanceTarget {
    PerformanceTarget(
      target,
      "the driver \(rawValue) beside the same work in C, without syncs",
      rows: [
        PerformanceTarget.Row(
          word: DriverWork.read.rawValue,
          what: "read of a row, a transaction each: speed, driver / C",
          limit: .atLeast(leastSpeed)
        ),
        PerformanceTarget.Row(
          word: DriverWork.write.rawValue,
          what: "1 row, off: speed, driver / C",
          limit: .atLeast(leastSpeed)
        ),
      ]
    )
  }
}

/// The work of a driver that is measured. The raw value is the word of its claim.
enum DriverWork: String, CaseIterable {
  case read, write
}
