internal import BenchDrivers
internal import BenchScenario

/// A driver of the harness that has a loop in C which does the same work.
enum MeasuredDriver: String, CaseIterable {
  case sqlite, lmdb, rocksdb

  private var row: (kind: DriverKind, target: TargetName) {
    switch self {
    case .sqlite: (.sqlite, .driver(1))
    case .lmdb: (.lmdb, .driver(2))
    case .rocksdb: (.rocksdb, .driver(3))
    }
  }

  var kind: DriverKind { row.kind }
  var target: TargetName { row.target }

  /// The smallest permitted ratio of the driver's speed to the loop's.
  func leastSpeed(of work: DriverWork) -> Double {
    switch (self, work) {
    case (.sqlite, _): 0.9
    // A read of LMDB is so short that counting a reference to its key takes a tenth of it, if the key is in no cache of
    // the processor.
    case (.lmdb, .read): 0.75
    case (.lmdb, .write), (.rocksdb, _): 0.85
    }
  }

  /// Whether this build has the driver, and so its loop.
  var isBuilt: Bool { Drivers.missing(kind) == nil }

  /// The name of the contestant that runs the driver.
  var driverName: String { "driver \(rawValue)" }

  /// The name of the contestant that runs the loop.
  var loopName: String { "C as driver \(rawValue)" }

  /// The quotient of the driver's speed and the loop's. The contestants' figures are nanoseconds per operation.
  var speed: Trial.Figure { .ratio(of: loopName, to: driverName) }

  var performanceTarget: PerformanceTarget {
    PerformanceTarget(target, "the driver \(rawValue) beside the same work in C, synchronous off") {
      for work in DriverWork.allCases {
        PerformanceTarget.Row(
          word: work.rawValue,
          what: "\(rawValue): \(work.text): speed, driver / C",
          limit: .atLeast(leastSpeed(of: work)),
          need: Drivers.missing(kind).map { .driver($0) } ?? .nothing
        )
      }
    }
  }
}

/// The work of a driver that is measured. The raw value is the word of its claim.
enum DriverWork: String, CaseIterable {
  case read, write

  var text: String {
    switch self {
    case .read: "read of a row, a transaction each"
    case .write: "1 row, off"
    }
  }
}
