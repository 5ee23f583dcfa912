/// A named connection, and what its caches do.
public struct ConnectionSettings: Sendable, Equatable {
  public static let defaultCacheLimit = 250

  public var name: String
  /// `nil` means the engine's default policy.
  public var objectPolicy: CachePolicySetting?
  public var metadataPolicy: CachePolicySetting?
  public var objectCache: Bool
  /// How many objects are kept; `nil` means without limit.
  public var objectCacheLimit: Int?
  public var metadataCache: Bool
  public var metadataCacheLimit: Int?

  public init(
    name: String,
    objectPolicy: CachePolicySetting? = nil,
    metadataPolicy: CachePolicySetting? = nil,
    objectCache: Bool = true,
    objectCacheLimit: Int? = defaultCacheLimit,
    metadataCache: Bool = true,
    metadataCacheLimit: Int? = defaultCacheLimit
  ) {
    self.name = name
    self.objectPolicy = objectPolicy
    self.metadataPolicy = metadataPolicy
    self.objectCache = objectCache
    self.objectCacheLimit = objectCacheLimit
    self.metadataCache = metadataCache
    self.metadataCacheLimit = metadataCacheLimit
  }
}
