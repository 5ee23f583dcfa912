internal import BenchDrivers
internal import BenchScenario
internal import CommitLedger
internal import ThreadingPrimitives

/// A worker's checks that a collection has exactly the rows of the snapshot. They are scheduled by time, so that they
/// take a small share of any load.
struct RowSetCheck {
  /// The checks take at most a hundredth of a worker's time: after a check, 99 times its duration passes.
  private static let rest: UInt64 = 99
  /// The least time between two checks.
  private static let intervalNanoseconds: UInt64 = 10_000_000
  /// The keys of larger collections are not enumerated, only counted.
  private static let mostEnumerated = 100_000

  private let actor: RunningActor
  private let collection: CheckedCollection
  private let versions: RowVersions
  private var nextCheck: UInt64 = 0
  private var checkCount = 0

  /// Returns nil without versions of the rows.
  init?(_ actor: RunningActor, _ collection: CheckedCollection) {
    guard actor.context.invariants.contains(.enumerations), let versions = collection.versions else { return nil }
    self.actor = actor
    self.collection = collection
    self.versions = versions
  }

  /// Makes the check that is due, in a transaction of its own: every fourth enumerates the rows, the others count them.
  mutating func runIfDue(at now: UInt64, on connection: MeasuredConnection, _ checks: inout CheckCounts) throws {
    guard now >= nextCheck else { return }
    let start = MonotonicClock.now
    try connection.connection.read { transaction in
      checks.enumerations += 1
      let objection =
        checkCount % 4 == 3 && collection.rows.limit <= Self.mostEnumerated
        ? try objectionToRows(in: transaction) : try objectionToCount(in: transaction)
      if let objection {
        actor.report(
          .enumerations,
          "on connection \"\(connection.name)\" at snapshot \(transaction.snapshot) \(objection)"
        )
      }
    }
    checkCount += 1
    let end = MonotonicClock.now
    nextCheck = end + max((end - start) * Self.rest, Self.intervalNanoseconds)
  }

  /// Returns the error in the number of rows; nil if the number fits the snapshot.
  private func objectionToCount(in transaction: any DriverTransaction) throws -> String? {
    let found = try transaction.count(in: collection.name)
    let expected = versions.rowCount(at: transaction.snapshot)
    return found == expected ? nil : "\"\(collection.name)\" has \(found) rows; expected \(expected)"
  }

  /// Returns the first error in the rows; nil if they fit the snapshot.
  private func objectionToRows(in transaction: any DriverTransaction) throws -> String? {
    var rows = EnumerationCheck(collection, at: transaction.snapshot)
    var first: String?
    try transaction.enumerate(collection.name) { key, object in
      let (row, objection) = rows.visit(key, object)
      guard first == nil else { return }
      first = objection
      guard let row else { return }
      let version = versions.version(of: .object, row: row, at: transaction.snapshot)
      if version?.digest != LedgerDigest.of(object) {
        first = "\"\(collection.name)\" shows \(key) with an object that is not the one of its newest version"
      }
    }
    return first ?? rows.objectionToMissing()
  }
}
