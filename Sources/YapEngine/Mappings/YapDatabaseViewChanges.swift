public import Foundation

/// The changes to make to a list that shows a view, so that the list shows the view at a later snapshot.
///
/// They suit the batch updates of table views, which apply them in this order: deleted rows and the old positions of
/// moved rows are removed, then deleted sections are removed; then sections are inserted, then rows are inserted at
/// their final positions. The indexes of removed items are those before all changes; the indexes of inserted items are
/// those after all changes.
///
/// An inserted or deleted section includes its rows: there are no separate changes for them. Sections change only if
/// they are dynamic, if the mapped groups change, or at the limit of consolidation.
public struct YapDatabaseViewChanges: Sendable, Equatable {
  public var sectionChanges: [YapDatabaseViewSectionChange] = []
  public var rowChanges: [YapDatabaseViewRowChange] = []

  public var isEmpty: Bool { sectionChanges.isEmpty && rowChanges.isEmpty }
}

public struct YapDatabaseViewSectionChange: Sendable, Equatable {
  public enum Kind: Sendable {
    case insert, delete
  }

  public let kind: Kind
  /// The index before the changes for a deleted section; the index after the changes for an inserted section.
  public let index: Int
  /// The group, or the name of the single section of all groups.
  public let group: String
}

public struct YapDatabaseViewRowChange: Sendable, Equatable {
  public enum Kind: Sendable {
    case insert, delete, move
    /// The row keeps its section and its position relative to the others, and has to be drawn again.
    case update
  }

  /// The parts of a row that have changed.
  public struct Changes: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let object = Self(rawValue: 1)
    public static let metadata = Self(rawValue: 2)
    /// A cell with which the row's cell is drawn; see `setCellDrawingDependencies`.
    public static let dependency = Self(rawValue: 4)
  }

  public let kind: Kind
  /// The row's collection. nil for a deleted row whose group lost all rows at once, because collections were cleared or
  /// the view was registered: commits do not keep the keys of such rows.
  public let collection: String?
  /// The row's key; nil if `collection` is nil.
  public let key: String?
  public var changes: Changes
  public let originalGroup: String?
  public let finalGroup: String?
  /// The section and row before the changes; nil for an insert.
  public let indexPath: IndexPath?
  /// The section and row after the changes; nil for a delete.
  public let newIndexPath: IndexPath?
}

/// Answers whether commits have changed the contents of a view or touched a row in it. The answer is about the union of
/// the commits.
extension YapDatabaseConnection {
  public func hasChange(forView view: String, in changes: some Sequence<some YapDatabaseModificationCarrier>) -> Bool {
    self.changes(of: view, in: changes).contains { !$0.isEmpty }
  }

  public func hasChange(
    forGroup group: String,
    inView view: String,
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    hasChange(forAnyGroups: CollectionOfOne(group), inView: view, in: changes)
  }

  public func hasChange(
    forAnyGroups groups: some Sequence<String>,
    inView view: String,
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    let groups = groups.map { ByteString($0) }
    return self.changes(of: view, in: changes).contains { changes in groups.contains { changes.concerns($0) } }
  }

  /// Returns the number of rows that the commits changed in the view, each counted once in each commit, plus the number
  /// of times that all rows of a group were removed at once. If it is large, reloading a list may be faster than
  /// computing its changes.
  public func numberOfRawChanges(
    forView view: String,
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Int {
    self.changes(of: view, in: changes).reduce(0) { $0 + $1.rows.count + $1.resetGroups.count + ($1.isReset ? 1 : 0) }
  }

  private func changes(
    of view: String,
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> [ViewChanges] {
    let view = ByteString(view)
    return changes.compactMap { $0.carriedModification?.changes.changes(ofView: view) }
  }
}
