internal import BenchDrivers
internal import Synchronization

/// Compares the changed keys that moves of bookmarks report with the ledger.
final class ReportedChanges: Sendable {
  private let ledger: RunLedger
  private let collections: [String]
  private let next = Atomic<Int>(0)

  /// - Parameter collections: those that are compared.
  init(_ ledger: RunLedger, _ collections: [String]) {
    self.ledger = ledger
    self.collections = collections
  }

  /// Returns the collection whose changes the next move is to report: each in turn. nil if there is none.
  func nextCollection() -> String? {
    collections.isEmpty
      ? nil : collections[next.wrappingAdd(1, ordering: .relaxed).oldValue % collections.count]
  }

  /// Compares the changes that a move reports.
  /// - Parameters:
  ///   - collection: the collection whose changes it reports.
  ///   - connection: the name of the connection, for the report.
  func check(
    _ advance: DriverAdvance,
    in collection: String,
    onConnection connection: String,
    _ checks: inout CheckCounts
  ) {
    ledger.check(advance, in: collection, onConnection: connection, &checks)
  }
}
