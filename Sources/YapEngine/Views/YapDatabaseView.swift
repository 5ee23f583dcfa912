/// Rows of the database in groups, each group in order: a list for a user interface, kept up to date by every commit.
///
///     let view = YapDatabaseView(
///       grouping: .withObjectBlock { _, _, _, object in (object as? Message)?.thread },
///       sorting: .withObjectBlock { _, _, _, _, left, _, _, right in order(of: left, right) },
///       versionTag: "1"
///     )
///     try database.register(view, withName: "messages")
///     try connection.read { transaction in
///       let messages = try transaction.ext("messages") as? YapDatabaseViewTransaction
///       let newest = try messages?.lastObject(inGroup: "family")
///     }
///
/// This value is the definition of a view. The contents are read through transactions, and each transaction sees them
/// as of its own snapshot. A definition may be registered under several names, and in several databases.
///
/// The contents are kept in memory, once for all connections, and take about 20 bytes a row. A persistent view is also
/// stored in the file, so that it need not be rebuilt when it is registered the next time.
public struct YapDatabaseView: Sendable {
  /// The collections whose rows a view may contain. The closures are not called for rows of other collections.
  public enum Collections: Sendable {
    case all
    case only(Set<String>)
    case allBut(Set<String>)
  }

  public struct Options: Sendable {
    /// Whether the view is stored in the file.
    public var isPersistent = true
    public var allowedCollections = Collections.all
    /// Whether a view that would have to be populated begins empty. It then contains only rows that were stored or
    /// touched after its registration.
    public var skipsInitialPopulation = false
    /// The extensions that the closures read. They must be registered before this view, and they are updated before it.
    /// If one of them is unregistered, this view is unregistered too.
    public var dependencies: Set<String> = []

    public init() {}
  }

  public let grouping: YapDatabaseViewGrouping
  public let sorting: YapDatabaseViewSorting
  public let versionTag: String
  public let options: Options

  /// The version of the stored form of views. It is raised when the form changes; views that an earlier version has
  /// stored are then rebuilt.
  static let classVersion: Int64 = 1

  /// Creates the definition of a view.
  ///
  /// Change the `versionTag` whenever the closures or the allowed collections change: a stored view with another tag is
  /// rebuilt when it is registered. With the same tag it is used as it is stored.
  public init(
    grouping: YapDatabaseViewGrouping,
    sorting: YapDatabaseViewSorting,
    versionTag: String = "",
    options: Options = Options()
  ) {
    self.grouping = grouping
    self.sorting = sorting
    self.versionTag = versionTag
    self.options = options
    allowed = AllowedCollections(options.allowedCollections)
  }

  let allowed: AllowedCollections

  /// The parts of a row that are needed to determine its position.
  var parts: RowPart { grouping.parts.union(sorting.parts) }
}

/// The allowed collections, compared by the bytes of their names, because the database distinguishes names that are
/// equal as Swift strings.
struct AllowedCollections: Sendable {
  private let names: Set<ByteString>
  private let isAllowed: Bool

  init(_ collections: YapDatabaseView.Collections) {
    switch collections {
    case .all: (names, isAllowed) = ([], false)
    case .only(let names): (self.names, isAllowed) = (Set(names.map { ByteString($0) }), true)
    case .allBut(let names): (self.names, isAllowed) = (Set(names.map { ByteString($0) }), false)
    }
  }

  func contains(_ name: ByteString) -> Bool {
    names.isEmpty ? !isAllowed : names.contains(name) == isAllowed
  }
}

/// The changes of a row after which a view determines the row's group or position again. For a new row it always does.
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
  static func usual(for parts: RowPart) -> Self {
    var usual: Self = []
    if parts.contains(.object) { usual.insert(.ifObjectModified) }
    if parts.contains(.metadata) { usual.insert(.ifMetadataModified) }
    return usual
  }

  func isInvoked(after change: KeyChange) -> Bool {
    change.contains(.inserted) || contains(.ifObjectModified) && change.contains(.object)
      || contains(.ifMetadataModified) && change.contains(.metadata)
      || contains(.ifObjectTouched) && change.contains(.objectTouched)
      || contains(.ifMetadataTouched) && change.contains(.metadataTouched)
  }
}
