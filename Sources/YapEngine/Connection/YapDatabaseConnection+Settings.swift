internal import Foundation
internal import Synchronization
internal import ThreadingPrimitives

/// The initial settings of a new connection. A change of the database's defaults affects only later connections.
public struct YapDatabaseConnectionDefaults: Sendable {
  public var objectCacheEnabled = true
  /// The maximum number of cached objects; 0 for no limit.
  public var objectCacheLimit = 250
  public var metadataCacheEnabled = true
  /// The maximum number of rows whose metadata is cached; 0 for no limit.
  public var metadataCacheLimit = 250
  /// The policy for objects; nil for the collection's, or else the database's default.
  public var objectPolicy: YapDatabasePolicy?
  public var metadataPolicy: YapDatabasePolicy?
  public var permittedTransactions = YapDatabasePermittedTransactions.any
  public var refusesToEndLongLivedReadImplicitly = true

  public init() {}

  /// The maximum number of cached rowids: the largest of 500 and the other limits, or 0, for no limit, if one is 0.
  var rowidCacheLimit: Int {
    objectCacheLimit == 0 || metadataCacheLimit == 0 ? 0 : max(500, objectCacheLimit, metadataCacheLimit)
  }

  /// - Throws: `invalidArgument` for a number out of its range.
  func check() throws(YapDatabaseError) {
    for (name, limit) in [("objectCacheLimit", objectCacheLimit), ("metadataCacheLimit", metadataCacheLimit)]
    where limit < 0 {
      throw YapDatabaseError(
        .invalidArgument,
        "\(name) of connectionDefaults is \(limit); expected 0 or more values; 0 means no limit"
      )
    }
  }
}

/// The kinds of transactions that a connection may run. A connection for a user interface, for example, may be limited
/// to synchronous reads.
public struct YapDatabasePermittedTransactions: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `read`, `syncRead`, `timedRead` and `backup`, and beginning and ending a long-lived read without `await`.
  public static let syncRead = Self(rawValue: 1)
  /// `asyncRead` and `asyncBackup`, and with `await`: reads, and beginning and ending a long-lived read.
  public static let asyncRead = Self(rawValue: 2)
  /// `readWrite`, `syncReadWrite`, `timedReadWrite`, `vacuum` and `incrementalVacuum`.
  public static let syncReadWrite = Self(rawValue: 4)
  /// `asyncReadWrite` and `asyncVacuum`, and `readWrite` with `await`.
  public static let asyncReadWrite = Self(rawValue: 8)
  /// Restricts the other permissions to calls from the main thread. Permits nothing by itself.
  public static let mainThreadOnly = Self(rawValue: 16)

  public static let anyRead: Self = [.syncRead, .asyncRead]
  public static let anyReadWrite: Self = [.syncReadWrite, .asyncReadWrite]
  public static let anySync: Self = [.syncRead, .syncReadWrite]
  public static let anyAsync: Self = [.asyncRead, .asyncReadWrite]
  public static let any: Self = [.anyRead, .anyReadWrite]
}

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
