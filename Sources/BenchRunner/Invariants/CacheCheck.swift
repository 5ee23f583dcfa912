internal import BenchDrivers
internal import BenchScenario

/// A worker's checks of its connection's caches. They are scheduled by time, so that they take a small share of any
/// load.
struct CacheCheck {
  /// The time between two checks, of which each takes some 10 µs.
  private static let intervalNanoseconds: UInt64 = 10_000_000

  private let actor: RunningActor
  private let checksCoherence: Bool
  private let checksAliasing: Bool
  private var nextCheck: UInt64 = 0

  /// Returns nil for an actor that uses no collection.
  init?(_ actor: RunningActor) {
    guard !actor.collections.isEmpty else { return nil }
    self.actor = actor
    checksCoherence = actor.context.invariants.contains(.cacheCoherence)
    checksAliasing = actor.context.invariants.contains(.noAliasing)
  }

  /// If a check is due, reads a row in a transaction of its own. Compares its values in the cache with those in the
  /// file, and looks for another connection's mark in its object, as far as the scenario states these invariants.
  mutating func runIfDue(
    at now: UInt64,
    on connection: MeasuredConnection,
    row: Int,
    of collection: CheckedCollection,
    _ checks: inout CheckCounts
  ) throws {
    guard now >= nextCheck, checksCoherence || checksAliasing else { return }
    nextCheck = now + Self.intervalNanoseconds
    let key = collection.keys.key(row)
    try connection.connection.read { transaction in
      let document = try transaction.document(key, in: collection.name)
      func location() -> String {
        "\"\(collection.name)\"/\(key) on connection \"\(connection.name)\" at snapshot \(transaction.snapshot)"
      }
      if checksCoherence {
        checks.cacheCoherence += 1
        let cached = try document?.payload ?? transaction.object(key, in: collection.name)
        let stored = try transaction.storedObject(key, in: collection.name)
        if cached != stored { report(cached, stored, as: .object, at: location()) }
        if collection.metadataSize != nil {
          checks.cacheCoherence += 1
          let cached = try transaction.metadata(key, in: collection.name)
          let stored = try transaction.storedMetadata(key, in: collection.name)
          if cached != stored { report(cached, stored, as: .metadata, at: location()) }
        }
      }
      if checksAliasing, let document {
        checks.noAliasing += 1
        checkAliasing(document, on: connection, at: location)
      }
    }
  }

  private func report(_ cached: [UInt8]?, _ stored: [UInt8]?, as part: RowPart, at location: String) {
    actor.report(
      .cacheCoherence,
      "the cache returned \(Self.describe(cached)) as the \(part) of \(location), but the file contains "
        + Self.describe(stored)
    )
  }

  private func checkAliasing(_ document: Document, on connection: MeasuredConnection, at location: () -> String) {
    // Shared objects must not be changed, so a connection that shares objects only reads the mark.
    let marker = connection.sharesObjects ? document.markedBy : document.mark(by: connection.number)
    guard marker != 0, marker != connection.number else { return }
    actor.report(
      .noAliasing,
      "the object of \(location()) is the same instance that \"\(actor.context.name(ofConnection: marker))\" "
        + "received, and contains a change that was made there"
    )
  }

  private static func describe(_ value: [UInt8]?) -> String {
    guard let value else { return "no value" }
    return Payload.read(value).map { "the value of commit \($0.commit)" } ?? "\(value.count) bytes that are not a value"
  }
}
