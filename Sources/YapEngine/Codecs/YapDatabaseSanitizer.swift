/// Inspects or replaces every object, or all metadata, that is stored.
///
///     // Store an immutable string in place of a mutable one.
///     options.defaultObjectSanitizer = YapDatabaseSanitizer { collection, key, object in
///       (object as? NSMutableString).map { String(describing: $0) } ?? object
///     }
///
/// The closures run on the transaction's thread and may use the transaction. They are not called for values that are
/// decoded from the database.
public struct YapDatabaseSanitizer: Sendable {
  public typealias Before = @Sendable (_ collection: String, _ key: String, _ object: Any) throws -> Any?
  public typealias After = @Sendable (_ collection: String, _ key: String, _ object: Any) -> Void

  /// nil if there are no closures. A copy then costs nothing; otherwise it costs one reference count.
  private let closures: Closures?

  var isEmpty: Bool { closures == nil }
  var before: Before? { closures?.before }
  var after: After? { closures?.after }

  /// Creates a sanitizer.
  /// - Parameters:
  ///   - before: Returns the value to store in place of the given one. In place of an object, nil removes the row; in
  ///     place of metadata, it leaves the row without any. If `before` throws, the call that stores throws the same
  ///     error and stores nothing.
  ///   - after: Called after the value has been stored and cached, for example to mark it as immutable. Copies for
  ///     other connections under the policy copy have been made by then.
  public init(before: Before? = nil, after: After? = nil) {
    closures = before == nil && after == nil ? nil : Closures(before: before, after: after)
  }

  /// Creates a sanitizer from closures that do not need the collection.
  /// - Parameters:
  ///   - before: See `init(before:after:)`.
  ///   - after: See `init(before:after:)`.
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
