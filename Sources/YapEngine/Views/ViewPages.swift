internal import SQLiteBinding

/// The pages of a persistent view in the file. Each is a table row with the group, the previous page of the group, and
/// the rowids.
///
/// Changed pages are written individually. All pages are read at once when the view is registered.
struct ViewPages {
  /// The number of the view: the upper 32 bits of its pages' ids.
  let view: Int64
  let handle: EngineHandle

  private func id(_ page: Int32) -> Int64 { view << 32 | Int64(page) }

  /// Writes the pages of `state` that have changed since it was last stored, and deletes those that were removed.
  func store(_ state: ViewState) throws {
    for number in state.unstored.sorted() {
      guard let (page, previous) = state.storedForm(ofPage: number) else {
        try handle.run(.removeViewPage, [id(number)])
        continue
      }
      try handle.with(.putViewPage) { statement in
        try page.group.text.withUTF8Bytes { group in
          try page.rowids.withUnsafeBytes { rowids in
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

  func removeAll() throws { try handle.run(.removeViewPages, [id(0), id(.max)]) }

  /// Loads the stored pages.
  /// - Returns: nil if the pages are inconsistent.
  func load() throws -> ViewState? {
    var pages: [Int32: (group: ByteString, rowids: [Int64])] = [:]
    // The next page of each page. The first page of a group follows no other and is in `firsts`.
    var followers: [Int32: Int32] = [:]
    var firsts: [Int32] = []
    var isWhole = true
    try handle.with(.viewPages) { statement in
      try statement.bind(id(0), at: 1)
      try statement.bind(id(.max), at: 2)
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

  private static func rowids(_ bytes: UnsafeRawBufferPointer) -> [Int64] {
    stride(from: 0, through: bytes.count - 8, by: 8).map {
      bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self)
    }
  }
}

extension ViewState {
  /// Creates a state from stored pages. Returns nil if they are inconsistent: for example if a page cannot be reached
  /// from the first page of its group, or if a row is on two pages.
  ///
  /// The state keeps the numbers of the pages.
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
