/// The changes of a row after which a view's closure is called again. For a new row it is always called.
///
/// By default, a closure is called again when one of the parts that it receives has been stored: the object, the
/// metadata, or either. A closure that receives only the key is not called again.
public struct YapDatabaseBlockInvoke: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let onInsertOnly: Self = []
  public static let ifObjectModified = Self(rawValue: 1)
  public static let ifMetadataModified = Self(rawValue: 2)
  public static let ifObjectTouched = Self(rawValue: 4)
  public static let ifMetadataTouched = Self(rawValue: 8)

  /// Returns the default for a closure that receives these parts.
  static func usual(for parts: RowParts) -> Self {
    var usual: Self = []
    if parts.contains(.object) { usual.insert(.ifObjectModified) }
    if parts.contains(.metadata) { usual.insert(.ifMetadataModified) }
    return usual
  }

  func isAsked(after change: KeyChange) -> Bool {
    change.contains(.inserted) || contains(.ifObjectModified) && change.contains(.object)
      || contains(.ifMetadataModified) && change.contains(.metadata)
      || contains(.ifObjectTouched) && change.contains(.objectTouched)
      || contains(.ifMetadataTouched) && change.contains(.metadataTouched)
  }
}
