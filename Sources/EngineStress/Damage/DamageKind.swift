/// The kinds of damage, each the kind of some cases.
enum DamageKind: String, CaseIterable, Sendable {
  case undamaged
  case databaseTruncated = "database truncated"
  case databaseFlipped = "database with flipped bytes"
  case databaseOverwritten = "database with overwritten bytes"
  case databaseSwapped = "database with swapped pages"
  case databaseEmptied = "database emptied"
  case databaseOlder = "database replaced by an older one"
  case walTruncated = "WAL truncated"
  case walFlipped = "WAL with flipped bytes"
  case walOverwritten = "WAL with overwritten bytes"
  case walSwapped = "WAL with swapped frames"
  case walRemoved = "WAL removed"
  case walOlder = "WAL replaced by an older one"
  case walForeign = "WAL of another database"
  case indexTruncated = "WAL index truncated"
  case indexFlipped = "WAL index with flipped bytes"
  case indexOverwritten = "WAL index with overwritten bytes"
  case indexOlder = "WAL index replaced by an older one"
  case tables = "values of the engine's tables changed"
  case several = "several files damaged"
  case path = "path that is no regular file"
  case limit = "limit of the system"

  /// The name of the count of cases.
  var countName: String { self == .undamaged ? "undamaged controls" : rawValue }

  /// The kinds that change one file.
  static let ofOneFile = allCases.filter { $0.suffix != nil }

  /// The suffix of the damaged file; nil for `undamaged` and kinds that are not a change of one file.
  var suffix: String? {
    switch self {
    case .databaseTruncated, .databaseFlipped, .databaseOverwritten, .databaseSwapped, .databaseEmptied, .databaseOlder:
      ""
    case .walTruncated, .walFlipped, .walOverwritten, .walSwapped, .walRemoved, .walOlder, .walForeign: "-wal"
    case .indexTruncated, .indexFlipped, .indexOverwritten, .indexOlder: "-shm"
    case .undamaged, .tables, .several, .path, .limit: nil
    }
  }
}
