/// Looks at every object, or at all metadata, that is stored: before it enters the database, and after.
///
///     // No mutable strings: whoever stores one stores what it says at that moment.
///     options.defaultObjectSanitizer = YapDatabaseSanitizer { object, collection, key in
///       (object as? NSMutableString).map { String(describing: $0) } ?? object
///     }
///
/// It runs on the thread of the transaction and may use the transaction. What is decoded from the database does not
/// pass through it.
public struct YapDatabaseSanitizer: Sendable {
  public typealias Before = @Sendable (_ object: Any, _ collection: String, _ key: String) throws -> Any?
  public typealias After = @Sendable (_ object: Any, _ collection: String, _ key: String) -> Void

  let before: Before?
  let after: After?

  /// - Parameters:
  ///   - before: gives what is encoded, cached and shared in place of the object; nil removes the row, or leaves it
  ///     without metadata. What it throws, the call that stores throws, and nothing is stored.
  ///   - after: called with what was stored, once it is stored and cached: to mark it as immutable, for example. What
  ///     the policy copy hands to others has been copied before.
  public init(before: Before? = nil, after: After? = nil) {
    self.before = before
    self.after = after
  }

  func sanitized(_ object: Any, _ collection: String, _ key: String) throws -> Any? {
    guard let before else { return object }
    return try before(object, collection, key)
  }
}
