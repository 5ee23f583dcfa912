/// Sees every object, or all metadata, that is stored: before it enters the database, and after.
///
///     // Store an immutable string in place of a mutable one.
///     options.defaultObjectSanitizer = YapDatabaseSanitizer { collection, key, object in
///       (object as? NSMutableString).map { String(describing: $0) } ?? object
///     }
///
/// It runs on the thread of the transaction and may use the transaction. Values that are decoded from the database do
/// not pass through it.
public struct YapDatabaseSanitizer: Sendable {
  public typealias Before = @Sendable (_ collection: String, _ key: String, _ object: Any) throws -> Any?
  public typealias After = @Sendable (_ collection: String, _ key: String, _ object: Any) -> Void

  /// nil where there are none: then a copy costs nothing, and with closures one reference count.
  private let closures: Closures?

  var before: Before? { closures?.before }
  var after: After? { closures?.after }

  /// - Parameters:
  ///   - before: returns the value that is encoded, cached and shared in place of the given one; nil removes the row,
  ///     or leaves it without metadata. If it throws, so does the call that stores, and nothing is stored.
  ///   - after: called with the stored value once it is stored and cached: to mark it as immutable, for example. Copies
  ///     that the policy copy hands to other connections have been made before.
  public init(before: Before? = nil, after: After? = nil) {
    closures = before == nil && after == nil ? nil : Closures(before: before, after: after)
  }

  /// The same for closures that need no collection.
  /// - Parameters:
  ///   - before: as above.
  ///   - after: as above.
  public init(
    before: @escaping @Sendable (_ key: String, _ object: Any) throws -> Any?,
    after: (@Sendable (_ key: String, _ object: Any) -> Void)? = nil
  ) {
    var afterwards: After?
    if let after { afterwards = { _, key, object in after(key, object) } }
    let first: Before = { _, key, object in try before(key, object) }
    self.init(before: first, after: afterwards)
  }

  private final class Closures: Sendable {
    let before: Before?
    let after: After?

    init(before: Before?, after: After?) {
      self.before = before
      self.after = after
    }
  }
}
