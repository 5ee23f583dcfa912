/// A stored object or metadata that its codec could not decode: the argument of
/// `YapDatabaseOptions.undecodableValueHandler`.
///
///     // Show a row of an earlier version as unreadable, and ignore metadata that is damaged.
///     options.undecodableValueHandler = { value in
///       switch value.part {
///       case .object: .replace(with: Message(text: "unreadable"))
///       case .metadata: .replace(with: nil)
///       }
///     }
public struct YapDatabaseUndecodableValue: Sendable {
  /// A part of a row.
  public enum Part: String, Sendable {
    case object, metadata
  }

  /// The action of the call that read the value.
  public enum Action {
    /// The call throws the error.
    case stop
    /// The call omits the row and continues. A call for a single row of a view cannot omit it and throws the error.
    case skip
    /// The call continues with another value. nil means no metadata; for an object it means `skip`.
    case replace(with: Any?)
  }

  /// Returns the action. Called on the transaction's thread each time an enumeration or a view reads an undecodable
  /// value; a read by key throws instead. Must not use the connection, and must return the same action for the same
  /// bytes as long as a view over them is registered.
  public typealias Handler = @Sendable (YapDatabaseUndecodableValue) -> Action

  public let collection: String
  public let key: String
  public let part: Part
  /// The stored bytes. A handler can use them to decode an earlier format.
  public let bytes: [UInt8]
  /// The error of the codec, with the code `codec`.
  public let error: YapDatabaseError
}
