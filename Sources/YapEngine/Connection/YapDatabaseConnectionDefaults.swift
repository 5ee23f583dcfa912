internal import Foundation

/// What a new connection starts with. Changing the database's defaults changes later connections only.
public struct YapDatabaseConnectionDefaults: Sendable {
  public var objectCacheEnabled = true
  /// Objects that are cached at most; 0 for no limit.
  public var objectCacheLimit = 250
  public var metadataCacheEnabled = true
  /// Metadata that is cached at most; 0 for no limit.
  public var metadataCacheLimit = 250
  /// nil for that of the collection, or the database's.
  public var objectPolicy: YapDatabasePolicy?
  public var metadataPolicy: YapDatabasePolicy?
  public var permittedTransactions = YapDatabasePermittedTransactions.any
  public var refusesToEndLongLivedReadImplicitly = true

  public init() {}

  /// Rowids help with what the other caches hold, and a little beyond it.
  var rowidCacheLimit: Int {
    objectCacheLimit == 0 || metadataCacheLimit == 0 ? 0 : max(500, objectCacheLimit, metadataCacheLimit)
  }
}

/// Which transactions a connection may run: a connection for a user interface, say, synchronous reads only.
public struct YapDatabasePermittedTransactions: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `read` and `syncRead`, and beginning and ending a long-lived read without `await`.
  public static let syncRead = Self(rawValue: 1)
  /// `asyncRead` and `asyncBackup`, and reads, and beginning and ending a long-lived read, with `await`.
  public static let asyncRead = Self(rawValue: 2)
  /// `readWrite` and `syncReadWrite`, `vacuum`.
  public static let syncReadWrite = Self(rawValue: 4)
  /// `asyncReadWrite` and `asyncVacuum`, and `readWrite` with `await`.
  public static let asyncReadWrite = Self(rawValue: 8)
  /// Calls from the main thread only. It restricts the others, and permits nothing by itself.
  public static let mainThreadOnly = Self(rawValue: 16)

  public static let anyRead: Self = [.syncRead, .asyncRead]
  public static let anyReadWrite: Self = [.syncReadWrite, .asyncReadWrite]
  public static let anySync: Self = [.syncRead, .syncReadWrite]
  public static let anyAsync: Self = [.asyncRead, .asyncReadWrite]
  public static let any: Self = [.anyRead, .anyReadWrite]
}

extension YapDatabaseConnection {
  /// - Throws: `notPermitted`.
  func checkPermitted(_ kind: YapDatabasePermittedTransactions, _ call: String) throws(YapDatabaseError) {
    let permitted = permittedTransactions
    guard permitted.isSuperset(of: kind) else {
      throw YapDatabaseError(
        .notPermitted,
        "\(call) is not permitted on connection \"\(name)\": use another one, or change its permittedTransactions"
      )
    }
    guard permitted.contains(.mainThreadOnly), !Thread.isMainThread else { return }
    throw YapDatabaseError(
      .notPermitted,
      "\(call) on connection \"\(name)\" is permitted on the main thread only: call it there, or use another connection"
    )
  }
}
