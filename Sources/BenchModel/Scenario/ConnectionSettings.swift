/// A named connection, and what its caches do.
public struct ConnectionSettings: Sendable, Equatable, Codable {
  public static let defaultCacheLimit = 250
  /// Each connection has file descriptors and a page cache of its own.
  static let largestPool = 256

  public var name: String
  /// How many there are of it; actors take them in turn.
  public var count: Int
  /// `nil` means the engine's default policy.
  public var objectPolicy: CachePolicySetting?
  public var metadataPolicy: CachePolicySetting?
  public var objectCache: Bool
  /// How many objects are kept; `nil` means without limit.
  public var objectCacheLimit: Int?
  public var metadataCache: Bool
  public var metadataCacheLimit: Int?
  /// What may be done on it; nil for everything.
  public var permitted: [PermittedTransaction]?

  public init(
    name: String,
    count: Int = 1,
    objectPolicy: CachePolicySetting? = nil,
    metadataPolicy: CachePolicySetting? = nil,
    objectCache: Bool = true,
    objectCacheLimit: Int? = defaultCacheLimit,
    metadataCache: Bool = true,
    metadataCacheLimit: Int? = defaultCacheLimit,
    permitted: [PermittedTransaction]? = nil
  ) {
    self.name = name
    self.count = count
    self.objectPolicy = objectPolicy
    self.metadataPolicy = metadataPolicy
    self.objectCache = objectCache
    self.objectCacheLimit = objectCacheLimit
    self.metadataCache = metadataCache
    self.metadataCacheLimit = metadataCacheLimit
    self.permitted = permitted
  }
}

extension ConnectionSettings {
  /// Stands between the name of a pool and the number of one of its connections.
  public static let numberMark: Character = "#"

  /// The settings of each connection of the pool, with a name of its own such as `ui#2`; of a single one, its own.
  public var members: [ConnectionSettings] {
    guard count > 1 else { return [self] }
    return (1...count).map { number in
      var member = self
      member.name += "\(Self.numberMark)\(number)"
      member.count = 1
      return member
    }
  }

  /// The name that the scenario gives to the connection, or to the pool that it belongs to.
  public static func declaredName(of name: String) -> String { String(name.prefix { $0 != numberMark }) }
}

/// A kind of transaction that a connection may be opened to.
public enum PermittedTransaction: String, CaseIterable, Sendable, ScenarioWord, Codable {
  /// Long-lived reads too.
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
