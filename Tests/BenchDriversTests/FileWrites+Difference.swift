@testable import BenchResults

extension FileWrites {
  /// Returns the writes between two counts of the same database.
  static func - (later: Self, earlier: Self) -> Self {
    var difference = later
    let files: [WritableKeyPath<Self, Counts>] = [\.wal, \.database, \.journal]
    for file in files {
      difference[keyPath: file].bytes -= earlier[keyPath: file].bytes
      difference[keyPath: file].syncs -= earlier[keyPath: file].syncs
      difference[keyPath: file].syncNanoseconds -= earlier[keyPath: file].syncNanoseconds
    }
    return difference
  }
}
