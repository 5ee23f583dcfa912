internal import Foundation

/// The files of a database.
package enum DatabaseFiles {
  /// The size in bytes of the files whose names add one of the suffixes to the path; 0 for one that does not exist.
  package static func bytes(at path: String, suffixes: [String]) -> Int {
    suffixes.reduce(0) { sum, suffix in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
      return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
    }
  }

  /// The size in bytes of a SQLite database in WAL mode, without the WAL's index.
  static func bytesOfSQLite(at path: String) -> Int { bytes(at: path, suffixes: ["", "-wal"]) }
}
