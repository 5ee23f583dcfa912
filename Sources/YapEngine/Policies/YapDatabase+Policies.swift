internal import Synchronization

extension YapDatabase {
  /// The cache policy of objects on connections that set none of their own, in collections that have none of their own.
  ///
  /// Starts as `YapDatabaseOptions.defaultObjectPolicy`. A change takes effect immediately, on existing connections
  /// too: for objects that are stored, and commits that are followed, from then on. Cached objects stay. Any thread
  /// may set it.
  public var defaultObjectPolicy: YapDatabasePolicy {
    get { objectPolicies.ofDatabase.value }
    set { objectPolicies.ofDatabase.value = newValue }
  }

  /// The cache policy of metadata, as `defaultObjectPolicy` is that of objects.
  public var defaultMetadataPolicy: YapDatabasePolicy {
    get { metadataPolicies.ofDatabase.value }
    set { metadataPolicies.ofDatabase.value = newValue }
  }
}

extension YapDatabaseConnection {
  /// The cache policy that applies to objects of a collection on this connection: its own, or else that of the
  /// collection, or else the database's default.
  public func effectiveObjectPolicy(inCollection collection: String = "") -> YapDatabasePolicy {
    effectivePolicy(database.objectPolicies, own: objectPolicy, collection)
  }

  /// The cache policy that applies to metadata of a collection on this connection.
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

/// The default policy of a database, which one thread may change while others read it.
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
