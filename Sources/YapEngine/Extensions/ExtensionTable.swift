internal import SQLiteBinding

/// The table of the extensions that are stored in the file.
struct ExtensionTable {
  struct Row: Equatable {
    let number: Int64
    let name: String
    let version: Int64
    let tag: String
  }

  let handle: EngineHandle

  func rows() throws -> [Row] {
    try handle.with(.extensions) { statement in
      var rows: [Row] = []
      while try statement.step() {
        rows.append(
          Row(
            number: statement.integer(at: 0),
            name: statement.text(at: 1),
            version: statement.integer(at: 2),
            tag: statement.text(at: 3)
          )
        )
      }
      return rows
    }
  }

  func row(named name: ByteString) throws -> Row? {
    try rows().first { ByteString($0.name) == name }
  }

  /// Adds an extension.
  /// - Returns: The number of the extension.
  func add(_ name: ByteString, version: Int64, tag: String) throws -> Int64 {
    try handle.with(.addExtension, collection: version, key: name.text) { statement in
      try tag.withUTF8Bytes { tag in
        try statement.bindText(tag, at: 3)
        _ = try statement.step()
      }
    }
    return handle.sqlite.lastInsertedRowid
  }

  /// Removes an extension and its stored pages.
  func remove(_ number: Int64) throws {
    try ViewPages(view: number, handle: handle).removeAll()
    try handle.with(.removeExtension) { statement in
      try statement.bind(number, at: 1)
      _ = try statement.step()
    }
  }

  /// Removes the extensions that are not in `registered`, with their stored pages.
  func removeLeftOvers(_ registered: ExtensionStates?) throws {
    let kept = Set((registered?.registered ?? []).compactMap(\.number))
    for row in try rows() where !kept.contains(row.number) { try remove(row.number) }
  }
}
