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
/// It says what the view is; what it holds is asked through transactions, each of which sees it as it is at its own
/// snapshot. One may be registered under several names, and in several databases.
///
/// What a view holds lies in memory, once for all connections: some 20 bytes a row. A persistent view is stored as
/// well, so that it need not be made anew when it is registered the next time.
public struct YapDatabaseView: Sendable {
  /// Which collections a view looks at. Of the others it is not even asked.
  public enum Collections: Sendable {
    case all
    case only(Set<String>)
    case allBut(Set<String>)
  }

  public struct Options: Sendable {
    /// Whether the view is stored in the file.
    public var isPersistent = true
    public var allowedCollections = Collections.all
    /// Whether a view that is not stored yet begins empty: then it has only rows that are stored from then on.
    public var skipsInitialPopulation = false
    /// Extensions that the closures look at. They have to be registered before, are brought up to date before, and
    /// take this view with them when they are unregistered.
    public var dependencies: Set<String> = []

    public init() {}
  }

  public let grouping: YapDatabaseViewGrouping
  public let sorting: YapDatabaseViewSorting
  public let versionTag: String
  public let options: Options

  /// Raised when what is stored of views changes: views that an earlier version has stored are made anew.
  static let classVersion: Int64 = 1

  /// The `versionTag` is to be changed when the closures, or the allowed collections, change: a stored view with
  /// another tag is made anew when it is registered. With the same tag it is taken as it is.
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

  /// What has to be read of a row to put it in its place.
  var parts: RowParts { grouping.parts.union(sorting.parts) }
}

/// The same by the bytes of the names: the database keeps collections apart that Swift takes for equal.
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
