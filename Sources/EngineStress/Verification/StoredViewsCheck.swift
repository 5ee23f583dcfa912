internal import SQLiteBinding

/// Checks the stored pages of persistent views against the rows. The grouping and sorting of a view are functions of
/// the program that registered it, so only the pages themselves are checked.
struct StoredViewsCheck {
  private struct Page {
    let previous: Int32
    let group: String
    let rowids: [Int64]
  }

  /// The number of stored views.
  private(set) var views = 0
  /// The number of rows on their pages.
  private(set) var rows = 0
  private(set) var errors: [String] = []

  /// - Parameter handle: A handle of the database file.
  /// - Throws: `SQLiteError`.
  init(_ handle: SQLiteHandle) throws {
    let views = try handle.prepare("SELECT number, name FROM extensions ORDER BY number")
    var known: Set<Int64> = []
    while try views.step() {
      known.insert(views.integer(at: 0))
      self.views += 1
      try check(views.integer(at: 0), named: views.text(at: 1), handle)
    }
    let owners = try handle.prepare("SELECT DISTINCT id >> 32 FROM view_pages ORDER BY 1")
    while try owners.step() {
      guard !known.contains(owners.integer(at: 0)) else { continue }
      errors.append("pages of view number \(owners.integer(at: 0)) are stored, but there is no such view")
    }
  }

  private mutating func check(_ view: Int64, named name: String, _ handle: SQLiteHandle) throws {
    let pages = try Self.pages(of: view, handle)
    var positions: [Int64: Int32] = [:]
    let exists = try handle.prepare("SELECT 1 FROM data WHERE rowid = ?1")
    for (number, page) in pages.sorted(by: { $0.key < $1.key }) {
      for rowid in page.rowids {
        rows += 1
        if let other = positions.updateValue(number, forKey: rowid) {
          errors.append("view \"\(name)\": row \(rowid) is on page \(other) and on page \(number)")
        }
        try exists.bind(rowid, at: 1)
        if try !exists.step() {
          errors.append("view \"\(name)\": page \(number) contains row \(rowid), which does not exist")
        }
        exists.reset()
      }
    }
    checkChains(pages, name)
  }

  /// Checks that the pages of each group form one chain, whose first page has no previous one.
  private mutating func checkChains(_ pages: [Int32: Page], _ name: String) {
    var next: [Int32: Int32] = [:]
    var firsts: [String: Int32] = [:]
    for (number, page) in pages.sorted(by: { $0.key < $1.key }) {
      let other =
        page.previous == 0
        ? firsts.updateValue(number, forKey: page.group) : next.updateValue(number, forKey: page.previous)
      if let other {
        errors.append("view \"\(name)\": pages \(other) and \(number) of group \"\(page.group)\" follow the same page")
      }
    }
    var reached: Set<Int32> = []
    for (group, first) in firsts {
      var number: Int32? = first
      while let found = number, let page = pages[found], page.group == group, reached.insert(found).inserted {
        number = next[found]
      }
    }
    for number in pages.keys.sorted() where !reached.contains(number) {
      errors.append("view \"\(name)\": page \(number) cannot be reached from the first page of its group")
    }
  }

  private static func pages(of view: Int64, _ handle: SQLiteHandle) throws -> [Int32: Page] {
    let statement = try handle.prepare(
      "SELECT id, previous, page_group, rowids FROM view_pages WHERE id >> 32 = ?1 ORDER BY id"
    )
    try statement.bind(view, at: 1)
    var pages: [Int32: Page] = [:]
    while try statement.step() {
      let bytes = statement.bytes(at: 3)
      pages[Int32(truncatingIfNeeded: statement.integer(at: 0))] = Page(
        previous: Int32(truncatingIfNeeded: statement.integer(at: 1)),
        group: statement.text(at: 2),
        rowids: stride(from: 0, through: bytes.count - 8, by: 8).map {
          bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self)
        }
      )
    }
    return pages
  }
}
