import BenchDrivers
import BenchResults
import BenchScenario

extension DriverKind {
  /// The drivers of this build that keep data.
  static var storing: [DriverKind] { allCases.filter { $0.keepsData && Drivers.missing($0) == nil } }

  /// The drivers in `storing` that are other engines.
  static var others: [DriverKind] { storing.filter { $0 != .yap } }

  /// The names of the drivers in `storing` that have SQLite's WAL.
  static var namesWithWAL: [String] { storing.filter { $0.has(.wal) }.map(\.rawValue) }
}
