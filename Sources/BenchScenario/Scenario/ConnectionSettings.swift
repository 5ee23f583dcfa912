internal import BenchResults

/// A named connection or pool of connections, with the settings of each connection's caches.
public struct ConnectionSettings: Sendable, Equatable, Codable {
  /// The engine's own default, as all defaults of the language; a test of the drivers compares them.
  public static let defaultCacheLimit = 250
  /// The most connections of a pool. Each has file descriptors and a page cache of its own.
  static let largestPool = 256

  public var name: String
  /// The size of the pool; actors take its connections in turn.
  public var count = 1
  /// nil for the engine's default policy, as for `metadataPolicy`.
  public var objectPolicy: CachePolicySetting?
  public var metadataPolicy: CachePolicySetting?
  public var objectCache = true
  /// The most objects in the cache; nil for the engine's default, as for `metadataCacheLimit`.
  public var objectCacheLimit: Int? = defaultCacheLimit
  public var metadataCache = true
  public var metadataCacheLimit: Int? = defaultCacheLimit
  /// The permitted transactions; nil for all.
  public var permitted: [PermittedTransaction]?
}

extension ConnectionSettings {
  /// Returns a single connection with the defaults of the language, except for `objectCache`.
  public static func plain(_ name: String, objectCache: Bool = true) -> ConnectionSettings {
    ConnectionSettings(name: name, objectCache: objectCache)
  }

  /// The settings of each connection of the pool, with a name of its own such as `ui#2`. A single connection keeps its
  /// name.
  public var members: [ConnectionSettings] {
    guard count > 1 else { return [self] }
    return (1...count).map { number in
      var member = self
      member.name += "\(EngineSample.Connection.numberMark)\(number)"
      member.count = 1
      return member
    }
  }
}

/// A kind of transaction that a connection may permit.
public enum PermittedTransaction: String, CaseIterable, Sendable, ScenarioWord, Codable {
  /// Includes long-lived reads.
  case syncRead
  case asyncRead, syncReadWrite, asyncReadWrite

  static let noun = "a permitted transaction"

  init(_ actor: ActorSettings) {
    switch (actor.transactionCall, actor.writes) {
    case (.sync, false): self = .syncRead
    case (.sync, true): self = .syncReadWrite
    case (.async, false): self = .asyncRead
    case (.async, true): self = .asyncReadWrite
    }
  }
}

// MARK: Keys

extension ScenarioGrammar {
  static let connection = Section(
    "a connection",
    like: "{}",
    blank: ConnectionSettings(name: ""),
    notes: ScenarioNotes.connection
  ) {
    Key("count", .integer(1...ConnectionSettings.largestPool), in: \.count)
      .means("The number of connections in the pool.")
    Key("objectPolicy", .word, in: \.objectPolicy)
      .means("The policy of the object cache. Without this key, `defaultObjectPolicy` applies.")
    Key("metadataPolicy", .word, in: \.metadataPolicy)
      .means("The policy of the metadata cache. Without this key, `defaultMetadataPolicy` applies.")
    objectCache
    limit(of: objectCache, \.objectCache, \.objectCacheLimit, means: "The maximum number of objects in the cache.")
    metadataCache
    limit(
      of: metadataCache,
      \.metadataCache,
      \.metadataCacheLimit,
      means: "The maximum number of rows whose metadata is cached."
    )
    Key("permitted", .words(), in: \.permitted)
      .means("The kinds of transactions that the connection permits. Without this key, all are permitted.")
  }

  private static let objectCache = Key<ConnectionSettings>("objectCache", .boolean, in: \.objectCache)
    .unless(["objectCacheLimit"], is: ["0"]).means("Whether the connection caches objects.")
  private static let metadataCache = Key<ConnectionSettings>("metadataCache", .boolean, in: \.metadataCache)
    .unless(["metadataCacheLimit"], is: ["0"]).means("Whether the connection caches metadata.")

  /// The key that limits a cache, which must not be turned off by its own key. The decoder turns it off for 0.
  private static func limit(
    of cache: Key<ConnectionSettings>,
    _ isOn: any KeyPath<ConnectionSettings, Bool> & Sendable,
    _ limit: any WritableKeyPath<ConnectionSettings, Int?> & Sendable,
    means summary: String
  ) -> Key<ConnectionSettings> {
    Key(cache.name + "Limit", .countOrZero, in: limit)
      .means("\(summary) 0 means the same as `\(cache.name): off`.")
      .unless([cache.name], is: ["false", "off", "no"])
      .notWritten { !$0[keyPath: isOn as KeyPath<ConnectionSettings, Bool>] }
  }
}
