internal import Synchronization

extension YapDatabase {
  /// The cache policy for objects if neither the connection nor the collection has its own.
  ///
  /// The initial value is `YapDatabaseOptions.defaultObjectPolicy`. A change takes effect immediately, on existing
  /// connections too, for objects stored and commits followed from then on. Cached objects are kept. Any thread may set
  /// it.
  public var defaultObjectPolicy: YapDatabasePolicy {
    get { objectPolicies.ofDatabase.value }
    set { objectPolicies.ofDatabase.value = newValue }
  }

  /// The cache policy for metadata if neither the connection nor the collection has its own.
  ///
  /// See `defaultObjectPolicy`.
  public var defaultMetadataPolicy: YapDatabasePolicy {
    get { metadataPolicies.ofDatabase.value }
    set { metadataPolicies.ofDatabase.value = newValue }
  }
}

extension YapDatabaseConnection {
  /// Returns the cache policy for objects of a collection on this connection: the connection's own, otherwise the
  /// collection's, otherwise the database's default.
  public func effectiveObjectPolicy(inCollection collection: String = "") -> YapDatabasePolicy {
    effectivePolicy(database.objectPolicies, own: objectPolicy, collection)
  }

  /// Returns the cache policy for metadata of a collection on this connection. The order is that of
  /// `effectiveObjectPolicy(inCollection:)`.
  public func effectiveMetadataPolicy(inCollection collection: String = "") -> YapDatabasePolicy {
    effectivePolicy(database.metadataPolicies, own: metadataPolicy, collection)
  }

  private func effectivePolicy(
    _ choice: PolicyChoice,
    own: YapDatabasePolicy?,
    _ collection: String
  ) -> YapDatabasePolicy {
    var choice = choice
    choice.ofConnection = own
    return choice.policy(for: ByteString(collection))
  }
}

/// The default policy of a database. One thread may change it while others read it.
final class DefaultPolicy: Sendable {
  private let number: Atomic<Int>

  init(_ policy: YapDatabasePolicy) { number = Atomic(Self.number(of: policy)) }

  var value: YapDatabasePolicy {
    get {
      switch number.load(ordering: .relaxed) {
      case 1: .share
      case 2: .copy
      default: .containment
      }
    }
    set { number.store(Self.number(of: newValue), ordering: .relaxed) }
  }

  private static func number(of policy: YapDatabasePolicy) -> Int {
    switch policy {
    case .containment: 0
    case .share: 1
    case .copy: 2
    }
  }
}
