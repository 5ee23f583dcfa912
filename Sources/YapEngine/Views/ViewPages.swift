internal import SQLiteBinding

/// A persistent view's pages in the file: each a row with its group, the page before it in the group, and its rowids.
///
/// They are written one by one as they change, and read all at once when the view is registered.
struct ViewPages {
  /// The number of the view, the high half of its pages' ids.
  let view: Int64
  let handle: EngineHandle

  private func id(_ page: Int32) -> Int64 { view << 32 | Int64(page) }

  /// Writes what has changed in `state` since it was stored last.
  func store(_ state: ViewState, _ hooks: TestHooks) throws {
    for number in state.unstored.sorted() {
      guard let (page, previous) = state.storedForm(ofPage: number) else {
        try handle.with(.removeViewPage) { statement in
          try statement.bind(id(number), at: 1)
          _ = try statement.step()
        }
        continue
      }
      try handle.with(.putViewPage) { statement in
        try page.group.text.withUTF8Bytes { group in
          let isShort = hooks.has(.losesStoredRowsOfAView) && number % 4 == 3 && page.rowids.count > 1
          try page.rowids.dropLast(isShort ? 1 : 0).withUnsafeBytes { rowids in
            try statement.bind(id(number), at: 1)
            try statement.bind(Int64(previous), at: 2)
            try statement.bindText(group, at: 3)
            try statement.bindBlob(rowids, at: 4)
            _ = try statement.step()
          }
        }
      }
    }
  }

  func removeAll() throws {
    try handle.with(.removeViewPages) { statement in
      try bindAll(statement)
      _ = try statement.step()
    }
  }

  /// - Returns: what is stored; nil where that makes no whole.
  func load() throws -> ViewState? {
    var pages: [Int32: (group: ByteString, rowids: [Int64])] = [:]
    // The page behind each; those that begin a group are behind none.
    var followers: [Int32: Int32] = [:]
    var firsts: [Int32] = []
    var isWhole = true
    try handle.with(.viewPages) { statement in
      try bindAll(statement)
      while try statement.step() {
        let number = Int32(truncatingIfNeeded: statement.integer(at: 0))
        let previous = Int32(truncatingIfNeeded: statement.integer(at: 1))
        pages[number] = (ByteString(statement.text(at: 2)), Self.rowids(statement.bytes(at: 3)))
        if previous == 0 {
          firsts.append(number)
        } else if followers.updateValue(number, forKey: previous) != nil {
          isWhole = false
        }
      }
    }
    guard isWhole else { return nil }
    return ViewState(pages, firsts: firsts, followers: followers)
  }

  private func bindAll(_ statement: SQLiteStatement) throws {
    try statement.bind(id(0), at: 1)
    try statement.bind(id(.max), at: 2)
  }

  private static func rowids(_ bytes: UnsafeRawBufferPointer) -> [Int64] {
    stride(from: 0, through: bytes.count - 8, by: 8).map {
      bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self)
    }
  }
}

extension ViewState {
  /// A state of stored pages; nil where they make no whole: a page that is behind none, a row that is there twice.
  ///
  /// They get new numbers only if they are stored anew: the state keeps those that it is given.
  fileprivate init?(
    _ pages: [Int32: (group: ByteString, rowids: [Int64])],
    firsts: [Int32],
    followers: [Int32: Int32]
  ) {
    self.init()
    var placed = 0
    for first in firsts {
      guard let group = pages[first]?.group, self.group(named: group) == nil else { return nil }
      var next: Int32? = first
      while let number = next {
        guard let page = pages[number], page.group == group, placed < pages.count,
          adopt(page.rowids, as: number, inGroup: group)
        else { return nil }
        placed += 1
        next = followers[number]
      }
    }
    guard placed == pages.count else { return nil }
    noteLoaded()
  }
}
