/// After which changes of a row a view's closure is asked again. A row that is new is always asked about.
///
/// Without a choice, a closure is asked again when what it is given has been stored anew: the object, the metadata, or
/// either; one that is given the key alone, never.
public struct YapDatabaseBlockInvoke: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let onInsertOnly: Self = []
  public static let ifObjectModified = Self(rawValue: 1)
  public static let ifMetadataModified = Self(rawValue: 2)
  public static let ifObjectTouched = Self(rawValue: 4)
  public static let ifMetadataTouched = Self(rawValue: 8)

  /// The choice for a closure that is given these parts.
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
