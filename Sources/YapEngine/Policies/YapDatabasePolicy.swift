/// What becomes of a cached value when another connection has changed it.
///
/// Only what is cached already is updated; nothing is pushed into a cache that did not hold the row. The writer's
/// policy and the reader's both count, and the stricter acts: containment before copy before share.
public enum YapDatabasePolicy: String, Sendable, CaseIterable {
  /// It is dropped, and read and decoded again when it is needed. Nothing crosses from one connection to another.
  case containment
  /// It is replaced by the very instance that the other connection stored.
  ///
  /// The quickest, and a promise: what has been stored, or was read, is never mutated, because other threads read it.
  case share
  /// It is replaced by a copy, which was made when the value was stored.
  ///
  /// An instance of a class has to conform to `DatabaseCopyable` or to Foundation's `NSCopying`; of both, the first is
  /// used. Arrays, dictionaries, sets and optionals are copied element by element. A value that is, or contains, an
  /// instance that cannot be copied is not carried: readers drop it, as under containment.
  ///
  /// Other structs and enumerations are passed on as they are, as Swift does. The engine cannot replace what their
  /// properties refer to: a struct that holds a mutable instance has to conform to `DatabaseCopyable` itself.
  case copy

  /// What acts where a writer and a reader have different ones.
  func stricter(_ other: YapDatabasePolicy) -> YapDatabasePolicy {
    switch (self, other) {
    case (.containment, _), (_, .containment): .containment
    case (.copy, _), (_, .copy): .copy
    case (.share, .share): .share
    }
  }
}

/// A value that can be handed from one connection to another under the policy copy.
///
///     struct Draft: DatabaseCopyable {
///       var style: Style  // an instance of a class
///       func databaseCopy() -> Draft { Draft(style: Style(size: style.size)) }
///     }
public protocol DatabaseCopyable {
  /// A value equal to this one that shares nothing mutable with it.
  ///
  /// Called on whatever thread runs a transaction, also on several at once; it must not use the database.
  func databaseCopy() -> Self
}

/// Which policy holds for a value: the connection's own if it has one, else the collection's, else the database's.
///
/// Writers and readers ask it alike, so that no path through a change set can lose one of the three.
struct PolicyChoice: Sendable {
  private let byCollection: ByCollection<YapDatabasePolicy?>
  let ofDatabase: DefaultPolicy
  var ofConnection: YapDatabasePolicy?

  init(_ byCollection: [String: YapDatabasePolicy], otherwise policy: YapDatabasePolicy) {
    self.byCollection = ByCollection(byCollection.mapValues { $0 }, otherwise: nil)
    ofDatabase = DefaultPolicy(policy)
  }

  func policy(for collection: ByteString) -> YapDatabasePolicy {
    ofConnection ?? byCollection[collection] ?? ofDatabase.value
  }
}
