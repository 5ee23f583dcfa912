internal import Synchronization

/// The ledger that checks the changes which moves of bookmarks report, and the collections of these changes, which take
/// turns.
final class ReportedChanges: Sendable {
  let ledger: RunLedger
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
}
