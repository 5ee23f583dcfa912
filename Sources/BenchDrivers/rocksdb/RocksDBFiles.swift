#if RocksDB
  internal import Foundation

  /// The files in a folder of RocksDB.
  enum RocksDBFiles {
    /// The version of RocksDB that opened the folder last, such as "7.8.3"; nil if it has recorded none.
    static func version(at path: String) -> String? {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      guard let newest = names.filter({ $0.hasPrefix("OPTIONS-") }).max(),
        let text = try? String(contentsOfFile: "\(path)/\(newest)", encoding: .utf8)
      else { return nil }
      let key = "rocksdb_version="
      let line = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.first { $0.hasPrefix(key) }
      return line.map { String($0.dropFirst(key.count)) }
    }

    /// The size in bytes of the write-ahead logs; 0 for a folder that does not exist.
    static func logBytes(at path: String) -> Int { bytes(at: path) { $0.hasSuffix(".log") } }

    /// The size in bytes of all files.
    static func allBytes(at path: String) -> Int { bytes(at: path) { _ in true } }

    private static func bytes(at path: String, of isCounted: (String) -> Bool) -> Int {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      // A file may have been deleted since the folder was listed.
      return DatabaseFiles.bytes(at: "\(path)/", suffixes: names.filter(isCounted))
    }
  }
#endif
