/// One step of a commit that changed which rows a group has, or their order.
///
/// A commit keeps these steps in the order in which they were made, because flexible ranges follow them one by one
/// (`FlexibleRange`): the order decides whether a row was inserted inside a range or beside it.
struct GroupOperation: Sendable {
  enum Kind: UInt8 {
    /// A row was inserted.
    case insert
    /// A row was removed.
    case remove
    /// All rows of the group were removed at once.
    case clear
    /// All rows of all groups were removed at once.
    case clearAll
    /// The group got all its rows at once, because the view was registered or got other closures.
    case fill
    /// A commit ended, and another one was folded with it.
    case endOfCommit
  }

  /// Empty if `kind` concerns all groups.
  let group: ByteString
  private let number: Int32
  let kind: Kind

  /// - Parameter number: The index of the row in the group, or for `fill` the number of rows.
  init(_ kind: Kind, _ number: Int = 0, in group: ByteString = ByteString("")) {
    self.kind = kind
    self.number = Int32(truncatingIfNeeded: number)
    self.group = group
  }

  /// The index of the row, before its removal or after its insertion.
  var index: Int { Int(number) }

  /// The number of rows with which the group was filled.
  var count: Int { Int(number) }
}
