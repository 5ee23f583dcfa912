internal import CRawSQLite
internal import Foundation
internal import YapEngine

/// Loaded database files: each kind is loaded once, and copied for each store that needs its own file.
final class StoreFiles {
  enum Kind: String {
    case engine, original, numbered
  }

  let folder: String
  private let dataset: Dataset
  private var loaded: Set<Kind> = []
  private var copies: [String] = []
  /// Numbers are not reused, because a closed file of an earlier family may still be held.
  private var lastCopy = 0

  init(folder: String, _ dataset: Dataset) {
    self.folder = folder
    self.dataset = dataset
  }

  /// Returns the path of a new file with all rows.
  func copy(_ kind: Kind) throws -> String {
    let template = "\(folder)/\(kind.rawValue).sqlite"
    if loaded.insert(kind).inserted { try load(kind, template) }
    lastCopy += 1
    let path = "\(folder)/\(kind.rawValue)-\(lastCopy).sqlite"
    try FileManager.default.copyItem(atPath: template, toPath: path)
    copies.append(path)
    return path
  }

  /// Removes the copies. All their stores must be closed.
  func removeCopies() {
    for path in copies {
      for suffix in ["", "-wal", "-shm", "-owner"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    copies = []
  }

  private func load(_ kind: Kind, _ path: String) throws {
    switch kind {
    case .engine:
      let store = try EngineStore(path: path, dataset, options: .synchronous(.off))
      try store.load()
      try store.close()
    case .original, .numbered:
      let store = try RawStore(path: path, kind == .original ? CRAW_ORIGINAL : CRAW_NUMBERED, dataset)
      try store.load()
      store.close()
    }
  }
}
