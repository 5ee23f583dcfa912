internal import HarnessPrimitives
internal import SQLiteBinding

/// Changes values of the engine's own tables to ones that the engine never stores, as another program could.
struct TableDamage {
  private static let numbers: [Int64] = [-1, 0, 1, 2, 1 << 31, (1 << 31) - 1, 1 << 32, 1 << 62, .max - 1, .max, .min]

  var random: RandomStream

  /// Changes one value of the database at `path`, and copies the WAL.
  /// - Throws: `SQLiteError`.
  mutating func apply(to path: String) throws {
    let handle = try SQLiteHandle(path: path)
    do { try handle.execute(statement()) } catch {
      // If the value violates a constraint or a type, the database stays as it was.
      guard [SQLiteCode.constraint, SQLiteCode.mismatch].contains(error.primaryCode) else { throw error }
    }
    try handle.close()
  }

  private mutating func statement() -> String {
    let number = Self.numbers[random.below(Self.numbers.count)]
    let value = random.below(4) > 0 ? String(number) : ["'text'", "x''", "1.5", "x'00ff'"][random.below(4)]
    func first(_ table: String) -> String { "rowid = (SELECT rowid FROM \(table) LIMIT 1)" }
    let bytes = random.below(40)
    return switch random.below(14) {
    case 0...2: "UPDATE snapshot SET number = \(value) WHERE id = \(1 + random.below(3))"
    case 3: "DELETE FROM snapshot WHERE id = \(1 + random.below(3))"
    case 4, 5: "UPDATE collections SET number = \(number) WHERE \(first("collections"))"
    case 6: "UPDATE collections SET name = name || 'x'"
    case 7: "UPDATE extensions SET \(["number", "version", "tag", "name"][random.below(4)]) = \(value)"
    case 8: "UPDATE view_pages SET id = \(number) WHERE \(first("view_pages"))"
    case 9: "UPDATE view_pages SET previous = \(value)"
    case 10: "UPDATE view_pages SET rowids = randomblob(\(bytes)), page_group = page_group || 'x'"
    case 11: "UPDATE data SET rowid = \(number) WHERE \(first("data"))"
    case 12: "UPDATE data SET \(["collection", "key", "object", "metadata"][random.below(4)]) = \(value)"
    default: "PRAGMA \(random.below(2) == 0 ? "user_version" : "application_id") = \(number % (1 << 31))"
    }
  }
}
