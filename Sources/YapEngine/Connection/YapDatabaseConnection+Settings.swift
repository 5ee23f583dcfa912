internal import Foundation
internal import Synchronization
internal import ThreadingPrimitives

/// The settings of a connection. Any thread may use them.
///
/// Settings except `permittedTransactions` take effect between transactions; the last ones may not be in effect yet.
struct ConnectionSettings: ~Copyable, Sendable {
  private let last: Guarded<YapDatabaseConnectionDefaults>
  private let permitted: Atomic<UInt8>
  private let isStrict: Atomic<Bool>

  init(_ defaults: YapDatabaseConnectionDefaults) {
    last = Guarded(defaults)
    permitted = Atomic(defaults.permittedTransactions.rawValue)
    isStrict = Atomic(defaults.refusesToEndLongLivedReadImplicitly)
  }

  /// The settings that were set last. Their `permittedTransactions` are those at the connection's creation.
  var lastSet: YapDatabaseConnectionDefaults { last.withLock { $0 } }

  func set(_ change: (inout YapDatabaseConnectionDefaults) -> Void) { last.withLock { change(&$0) } }

  var permittedTransactions: YapDatabasePermittedTransactions {
    get { YapDatabasePermittedTransactions(rawValue: permitted.load(ordering: .relaxed)) }
    nonmutating set { permitted.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// Whether a read-write transaction that would end the long-lived read is refused now.
  var refusesToEndLongLivedRead: Bool { isStrict.load(ordering: .relaxed) }

  /// Applies the settings that were set last. Must be called with the connection's lane held.
  func apply(to caches: RowCaches) {
    let settings = lastSet
    caches.apply(settings)
    isStrict.store(settings.refusesToEndLongLivedReadImplicitly, ordering: .relaxed)
  }
}

/// A getter returns the value that was set last. A new value takes effect in the order of the lane, between
/// transactions. Only `permittedTransactions` takes effect immediately.
extension YapDatabaseConnection {
  /// The maximum number of cached objects; 0 or less for no limit. Once a lower limit takes effect, the least recently
  /// used objects are dropped.
  public var objectCacheLimit: Int {
    get { settings.lastSet.objectCacheLimit }
    set { change { $0.objectCacheLimit = max(newValue, 0) } }
  }

  /// Whether objects are cached. A change to false drops the cached objects.
  public var objectCacheEnabled: Bool {
    get { settings.lastSet.objectCacheEnabled }
    set { change { $0.objectCacheEnabled = newValue } }
  }

  /// The maximum number of rows whose metadata is cached; 0 or less for no limit.
  public var metadataCacheLimit: Int {
    get { settings.lastSet.metadataCacheLimit }
    set { change { $0.metadataCacheLimit = max(newValue, 0) } }
  }

  /// Whether metadata is cached. A change to false drops the cached metadata.
  public var metadataCacheEnabled: Bool {
    get { settings.lastSet.metadataCacheEnabled }
    set { change { $0.metadataCacheEnabled = newValue } }
  }

  /// The policy for cached objects that other connections change, and for other connections' cached objects that this
  /// one changes. The stricter of the two connections' policies applies.
  ///
  /// nil selects the policy of the collection, or else the database's default. `effectiveObjectPolicy(inCollection:)`
  /// returns the selected policy. The initial value is set by `connectionDefaults`. A change keeps cached values.
  public var objectPolicy: YapDatabasePolicy? {
    get { settings.lastSet.objectPolicy }
    set { change { $0.objectPolicy = newValue } }
  }

  /// The policy for metadata. See `objectPolicy`.
  public var metadataPolicy: YapDatabasePolicy? {
    get { settings.lastSet.metadataPolicy }
    set { change { $0.metadataPolicy = newValue } }
  }

  /// Whether a read-write transaction on this connection is refused during a long-lived read; true by default. If
  /// false, the transaction ends the long-lived read without an error, which is almost always a mistake.
  public var refusesToEndLongLivedReadImplicitly: Bool {
    get { settings.lastSet.refusesToEndLongLivedReadImplicitly }
    set { change { $0.refusesToEndLongLivedReadImplicitly = newValue } }
  }

  /// The kinds of transactions that are permitted on this connection; other calls throw `notPermitted`. A change takes
  /// effect immediately.
  /// If the database is only read, they never contain read-write transactions.
  public var permittedTransactions: YapDatabasePermittedTransactions {
    get { settings.permittedTransactions }
    set {
      settings.permittedTransactions = database.options.isReadOnly ? newValue.subtracting(.anyReadWrite) : newValue
    }
  }

  private func change(_ change: (inout YapDatabaseConnectionDefaults) -> Void) {
    settings.set(change)
    // A setter may be called during a transaction of this connection, even inside it, and must not wait for its end.
    guard lane.tryAcquire() else { return lane.enqueue { self.settings.apply(to: self.caches) } }
    settings.apply(to: caches)
    lane.release()
  }

  /// - Throws: `notPermitted`; `readOnly`.
  func checkPermitted(_ kind: YapDatabasePermittedTransactions, _ call: String) throws(YapDatabaseError) {
    let permitted = permittedTransactions
    guard permitted.isSuperset(of: kind) else {
      if !kind.isDisjoint(with: .anyReadWrite) { try database.checkMayWrite(call) }
      throw YapDatabaseError(
        .notPermitted,
        "\(call) is not in the permittedTransactions of connection \"\(name)\": permit it, or use another connection"
      )
    }
    guard permitted.contains(.mainThreadOnly), !Thread.isMainThread else { return }
    throw YapDatabaseError(
      .notPermitted,
      "\(call) on connection \"\(name)\" is permitted on the main thread only: call it there, or use another connection"
    )
  }
}
