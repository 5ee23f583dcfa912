public import Foundation

/// What to do to a list that shows a view, to make it show the next snapshot.
///
/// As table views take them in one go: first the rows that are deleted or moved away go, then the sections that are
/// deleted; then sections come, then rows to their final places. Indexes of what goes are those of before, indexes of
/// what comes are those of after. A section that comes brings its rows, and one that goes takes them along: of those
/// rows nothing else is told.
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
  /// Before the change for one that is deleted, after it for one that is inserted.
  public let index: Int
  /// nil for the one section of all groups.
  public let group: String?
}

public struct YapDatabaseViewRowChange: Sendable, Equatable {
  public enum Kind: Sendable {
    case insert, delete, move
    /// The row stays where it is among the others, and has to be drawn again.
    case update
  }

  /// What of a row has changed.
  public struct Changes: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let object = Self(rawValue: 1)
    public static let metadata = Self(rawValue: 2)
    /// A cell that it is drawn with: see `setCellDrawingDependencies`.
    public static let dependency = Self(rawValue: 4)
  }

  public let kind: Kind
  public let collection: String
  public let key: String
  public var changes: Changes
  public let originalGroup: String?
  public let finalGroup: String?
  /// Section and row before; nil for an insert.
  public let indexPath: IndexPath?
  /// Section and row after; nil for a delete.
  public let newIndexPath: IndexPath?
}
