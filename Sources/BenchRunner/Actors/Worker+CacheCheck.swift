internal import BenchDrivers
internal import BenchModel

/// The schedule of a worker's checks of its connection's caches. It goes by time, so that the checks take a small share
/// of any load.
struct CacheCheck {
  /// A check takes some 10 µs.
  private static let intervalNanoseconds: UInt64 = 10_000_000

  let checksCoherence: Bool
  let checksAliasing: Bool
  private var nextCheck: UInt64 = 0

  init(_ invariants: Set<Invariant>) {
    checksCoherence = invariants.contains(.cacheCoherence)
    checksAliasing = invariants.contains(.noAliasing)
  }

  @inline(__always)
  mutating func isDue(at now: UInt64) -> Bool {
    guard now >= nextCheck, checksCoherence || checksAliasing else { return false }
    nextCheck = now + Self.intervalNanoseconds
    return true
  }
}

extension Worker {
  /// Reads the row of the last transaction twice in a transaction of its own: from the cache, and directly from the
  /// file.
  mutating func checkCaches() throws {
    guard let collection = actor.collection, let row = plan.rows.last else { return }
    let key = collection.keys.key(row)
    try connection.connection.read { transaction in
      let document = try transaction.document(key, in: collection.name)
      if cacheCheck.checksCoherence {
        let cached = try document?.payload ?? transaction.object(key, in: collection.name)
        compare(cached, try transaction.storedObject(key, in: collection.name), .object, row, transaction.snapshot)
        if collection.metadataSize != nil {
          let cached = try transaction.metadata(key, in: collection.name)
          let stored = try transaction.storedMetadata(key, in: collection.name)
          compare(cached, stored, .metadata, row, transaction.snapshot)
        }
      }
      if cacheCheck.checksAliasing, let document { checkAliasing(document, row, transaction.snapshot) }
    }
  }

  private mutating func compare(
    _ cached: [UInt8]?,
    _ stored: [UInt8]?,
    _ kind: Payload.Kind,
    _ row: Int,
    _ snapshot: UInt64
  ) {
    checks.cacheCoherence += 1
    guard cached != stored else { return }
    report(
      .cacheCoherence,
      "the cache returned \(Self.described(cached)) as the \(kind) of \(place(row, snapshot)), but the file contains "
        + Self.described(stored)
    )
  }

  private mutating func checkAliasing(_ document: Document, _ row: Int, _ snapshot: UInt64) {
    checks.noAliasing += 1
    // Shared objects must not be changed, so a connection that shares objects only reads the mark.
    let marker = connection.sharesObjects ? document.markedBy : document.mark(by: connection.number)
    guard marker != 0, marker != connection.number else { return }
    report(
      .noAliasing,
      "the object of \(place(row, snapshot)) is the same instance that \"\(actor.context.name(ofConnection: marker))\" "
        + "received, and contains a change that was made there"
    )
  }

  func report(_ invariant: Invariant, _ what: String) {
    actor.context.violations.report(invariant, "actor \"\(actor.settings.name)\": \(what)")
  }

  private func place(_ row: Int, _ snapshot: UInt64) -> String {
    "\"\(actor.collection?.name ?? "")\"/\(actor.collection?.keys.key(row) ?? "") on connection "
      + "\"\(connection.name)\" at snapshot \(snapshot)"
  }

  private static func described(_ value: [UInt8]?) -> String {
    guard let value else { return "no value" }
    return Payload.read(value).map { "the value of commit \($0.commit)" } ?? "\(value.count) bytes that are not a value"
  }
}
