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
