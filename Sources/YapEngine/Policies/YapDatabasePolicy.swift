internal import Synchronization
internal import ThreadingPrimitives

/// The treatment of a cached value when another connection has changed it.
///
/// Only cached values are updated; nothing is added to a cache that did not hold the row. The stricter of the writer's
/// and the reader's policy applies: containment before copy before share. Under every policy, a cached value is dropped
/// if the commit no longer carries the new one, because of `YapDatabaseOptions.waitingValuesLimit` or of folding.
public enum YapDatabasePolicy: String, Sendable, CaseIterable {
  /// The cached value is dropped, and read and decoded again when it is needed. Nothing is shared between connections.
  case containment
  /// The cached value is replaced by the same instance that the other connection stored.
  ///
  /// This is the fastest policy. It requires that values are never mutated after they were stored or read, because
  /// other threads read them.
  case share
  /// The cached value is replaced by a copy. The writer copies the stored value, and each reader copies that copy.
  ///
  /// A class instance must conform to `DatabaseCopyable` or to Foundation's `NSCopying`; if it conforms to both,
  /// `DatabaseCopyable` is used. Arrays, dictionaries, sets and optionals are copied element by element. A value that
  /// is, or contains, an instance that cannot be copied is not carried: readers drop their cached value, as under
  /// containment.
  ///
  /// Other structs and enumerations are passed as they are, as in Swift. The engine cannot replace references in their
  /// properties: a struct that holds a mutable instance must conform to `DatabaseCopyable` itself.
  case copy

  /// Returns the policy that applies if a writer and a reader have different ones.
  func stricter(_ other: YapDatabasePolicy) -> YapDatabasePolicy {
    switch (self, other) {
    case (.containment, _), (_, .containment): .containment
    case (.copy, _), (_, .copy): .copy
    case (.share, .share): .share
    }
  }
}

/// A value that copies itself when it is passed from one connection to another under the policy copy.
///
///     struct Draft: DatabaseCopyable {
///       var style: Style  // an instance of a class
///       func databaseCopy() -> Draft { Draft(style: Style(size: style.size)) }
///     }
public protocol DatabaseCopyable {
  /// Returns an equal value that shares no mutable state with this one.
  ///
  /// Called on threads of transactions and of the engine, possibly on several at once. It must not use the database.
  func databaseCopy() -> Self
}

/// The policies for one part of the rows if the connection has none of its own: the collection's, otherwise the
/// database's.
struct PolicyChoice: Sendable {
  let byCollection: CollectionPolicies
  let ofDatabase: DefaultPolicy

  init(_ byCollection: [String: YapDatabasePolicy], otherwise policy: YapDatabasePolicy) {
    self.byCollection = CollectionPolicies(byCollection)
    ofDatabase = DefaultPolicy(policy)
  }

  // The closure of `??` would retain and release both objects.
  @inline(__always)
  func policy(for collection: ByteString) -> YapDatabasePolicy {
    if let own = byCollection[collection] { return own }
    return ofDatabase.value
  }
}

/// A connection's policy for one part of the rows. Writers and readers both use this selection.
// Used with the connection's lane held.
final class ConnectionPolicy {
  private let common: PolicyChoice
  /// nil for the common policies.
  @exclusivity(unchecked)
  var own: YapDatabasePolicy?

  init(_ common: PolicyChoice) { self.common = common }

  @inline(__always)
  func policy(for collection: ByteString) -> YapDatabasePolicy {
    if let own { return own }
    return common.policy(for: collection)
  }
}

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

extension YapDatabase {
  /// Sets the cache policy for objects of a collection; nil for the database's default. It takes effect as
  /// `defaultObjectPolicy` does. The initial values are `YapDatabaseOptions.objectPolicies`.
  public func setObjectPolicy(_ policy: YapDatabasePolicy?, forCollection collection: String) {
    objectPolicies.byCollection[ByteString(collection)] = policy
  }

  /// Sets the cache policy for metadata of a collection. See `setObjectPolicy(_:forCollection:)`.
  public func setMetadataPolicy(_ policy: YapDatabasePolicy?, forCollection collection: String) {
    metadataPolicies.byCollection[ByteString(collection)] = policy
  }
}

extension YapDatabaseConnection {
  /// Returns the cache policy for objects of a collection on this connection: the connection's own, otherwise the
  /// collection's, otherwise the database's default.
  public func effectiveObjectPolicy(inCollection collection: String = "") -> YapDatabasePolicy {
    effectivePolicy(database.objectPolicies, own: objectPolicy, collection)
  }

  /// Returns the cache policy for metadata of a collection on this connection. The order is the same as for
  /// `effectiveObjectPolicy(inCollection:)`.
  public func effectiveMetadataPolicy(inCollection collection: String = "") -> YapDatabasePolicy {
    effectivePolicy(database.metadataPolicies, own: metadataPolicy, collection)
  }

  private func effectivePolicy(
    _ choice: PolicyChoice,
    own: YapDatabasePolicy?,
    _ collection: String
  ) -> YapDatabasePolicy {
    own ?? choice.policy(for: ByteString(collection))
  }
}

/// The policies of collections that have their own. Any thread may change one while others read them.
final class CollectionPolicies: Sendable {
  private let policies: Guarded<[ByteString: YapDatabasePolicy]>
  /// Whether a collection has ever had its own policy. Otherwise a reader takes no lock.
  private let areUsed: Atomic<Bool>

  init(_ policies: [String: YapDatabasePolicy]) {
    self.policies = Guarded(Dictionary(policies.map { (ByteString($0.key), $0.value) }) { first, _ in first })
    areUsed = Atomic(!policies.isEmpty)
  }

  subscript(collection: ByteString) -> YapDatabasePolicy? {
    @inline(__always) get { areUsed.load(ordering: .relaxed) ? find(collection) : nil }
    set {
      policies.withLock { $0[collection] = newValue }
      areUsed.store(true, ordering: .relaxed)
    }
  }

  @inline(never)
  private func find(_ collection: ByteString) -> YapDatabasePolicy? { policies.withLock { $0[collection] } }
}

/// The default policy of a database. Any thread may change it while others read it.
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
