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
    /// The collections for whose names the closure returns true. It must always return the same for the same name.
    case matching(@Sendable (_ collection: String) -> Bool)
  }

  public struct Options: Sendable {
    /// Whether the view is stored in the file. A view that depends on one in memory is in memory as well.
    public var isPersistent = true
    public var allowedCollections = Collections.all
    /// Whether a view that would have to be populated begins empty. It then contains only rows that were stored or
    /// touched after its registration.
    public var skipsInitialPopulation = false
    /// The extensions that the closures read. They must be registered before this view, and they are updated before it.
    /// If one of them is unregistered, this view is unregistered too. If one of them is registered with another version
    /// tag, or gets another grouping or sorting, this view is populated again.
    public var dependencies: Set<String> = []

    public init() {}
  }

  public let grouping: YapDatabaseViewGrouping
  public let sorting: YapDatabaseViewSorting
  public let versionTag: String
  public let options: Options
  /// The view whose rows a filtered view selects; nil for other views.
  public let parentViewName: String?

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
    self.init(grouping, sorting, versionTag: versionTag, options: options, parentViewName: nil)
  }

  init(
    _ grouping: YapDatabaseViewGrouping,
    _ sorting: YapDatabaseViewSorting,
    versionTag: String,
    options: Options,
    parentViewName: String?
  ) {
    self.grouping = grouping
    self.sorting = sorting
    self.versionTag = versionTag
    self.options = options
    self.parentViewName = parentViewName
    allowed = AllowedCollections(options.allowedCollections)
  }

  let allowed: AllowedCollections

  /// The parts of a row that are needed to determine its position.
  var parts: RowPart { grouping.parts.union(sorting.parts) }

  /// Calls `body` with each row of the allowed collections, in no particular order.
  func forEachCandidate(
    in transaction: YapDatabaseReadTransaction,
    _ parts: RowPart,
    _ body: (ViewedRow) throws -> Void
  ) throws {
    for name in try transaction.allCollections().map({ ByteString($0) }) where allowed.contains(name) {
      try transaction.enumerateViewedRows(inCollection: name, parts, body)
    }
  }
}

/// The allowed collections, compared by the bytes of their names, because the database distinguishes names that are
/// equal as Swift strings.
enum AllowedCollections: Sendable {
  case only(Set<ByteString>)
  case allBut(Set<ByteString>)
  case matching(@Sendable (String) -> Bool)

  init(_ collections: YapDatabaseView.Collections) {
    switch collections {
    case .all: self = .allBut([])
    case .only(let names): self = .only(Set(names.map { ByteString($0) }))
    case .allBut(let names): self = .allBut(Set(names.map { ByteString($0) }))
    case .matching(let isAllowed): self = .matching(isAllowed)
    }
  }

  func contains(_ name: ByteString) -> Bool {
    switch self {
    case .only(let names): names.contains(name)
    case .allBut(let names): names.isEmpty || !names.contains(name)
    case .matching(let isAllowed): isAllowed(name.text)
    }
  }
}

/// The changes of a row after which a view determines the row's group or position again. For a new row it always does.
///
/// By default, a closure is called again when one of the parts that it receives has been stored or touched: the object,
/// the metadata, or either. A closure that receives only the key is not called again.
public struct YapDatabaseBlockInvoke: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let onInsertOnly: Self = []
  public static let ifObjectModified = Self(rawValue: 1)
  public static let ifMetadataModified = Self(rawValue: 2)
  public static let ifObjectTouched = Self(rawValue: 4)
  public static let ifMetadataTouched = Self(rawValue: 8)
  public static let any: Self = [.ifObjectModified, .ifMetadataModified, .ifObjectTouched, .ifMetadataTouched]

  /// Returns the default for a closure that receives these parts.
  static func usual(for parts: RowPart) -> Self {
    var usual: Self = []
    if parts.contains(.object) { usual.formUnion([.ifObjectModified, .ifObjectTouched]) }
    if parts.contains(.metadata) { usual.formUnion([.ifMetadataModified, .ifMetadataTouched]) }
    return usual
  }

  func isInvoked(after change: KeyChange) -> Bool {
    change.contains(.inserted) || contains(.ifObjectModified) && change.contains(.object)
      || contains(.ifMetadataModified) && change.contains(.metadata)
      || contains(.ifObjectTouched) && change.contains(.objectTouched)
      || contains(.ifMetadataTouched) && change.contains(.metadataTouched)
  }
}
