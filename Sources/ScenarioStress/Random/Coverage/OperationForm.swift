public import BenchScenario

/// A kind of operation without its arguments.
public enum OperationForm: String, CaseIterable, Sendable {
  case get, getMetadata, getRow, exists, multiGet, scan, enumerate, viewAt, viewRange
  case insert, set, setMetadata, replace, touch, remove, removeCollection, readModifyWrite, transfer
  case begin, empty, nestedRead, nestedWrite

  public init(_ kind: OperationKind) {
    self =
      switch kind {
      case .get: .get
      case .getMetadata: .getMetadata
      case .getRow: .getRow
      case .exists: .exists
      case .multiGet: .multiGet
      case .scan: .scan
      case .enumerate: .enumerate
      case .viewAt: .viewAt
      case .viewRange: .viewRange
      case .insert: .insert
      case .set: .set
      case .setMetadata: .setMetadata
      case .replace: .replace
      case .touch: .touch
      case .remove: .remove
      case .removeCollection: .removeCollection
      case .readModifyWrite: .readModifyWrite
      case .transfer: .transfer
      case .begin: .begin
      case .empty: .empty
      case .nestedRead: .nestedRead
      case .nestedWrite: .nestedWrite
      }
  }

  /// An operation of the form, whose arguments do not matter.
  var example: OperationKind {
    switch self {
    case .get: .get
    case .getMetadata: .getMetadata
    case .getRow: .getRow
    case .exists: .exists
    case .multiGet: .multiGet(1)
    case .scan: .scan(1...1)
    case .enumerate: .enumerate
    case .viewAt: .viewAt
    case .viewRange: .viewRange(1)
    case .insert: .insert
    case .set: .set
    case .setMetadata: .setMetadata
    case .replace: .replace
    case .touch: .touch
    case .remove: .remove
    case .removeCollection: .removeCollection
    case .readModifyWrite: .readModifyWrite
    case .transfer: .transfer(2)
    case .begin: .begin
    case .empty: .empty
    case .nestedRead: .nestedRead("")
    case .nestedWrite: .nestedWrite("")
    }
  }

  var isWrite: Bool { example.isWrite }
  var nests: Bool { example.nestedConnection != nil }
}
