import Foundation
import Glibc
import SQLiteBinding
import TestSupport

@testable import YapEngine

/// The files of closed databases, for tests that prepare or compare them.
enum StoredFiles {
  /// Creates a database with `count` rows "0", "1" and so on in collection "", each of which has the object `value`.
  static func create(_ path: String, count: Int, value: String = "v", options: YapDatabaseOptions = .quick) throws {
    let database = try YapDatabase(path: path, options: options)
    let connection = try database.newConnection()
    try connection.readWrite { transaction in
      for key in 0..<count { try transaction.setObject(value, forKey: "\(key)") }
    }
    try database.close()
  }

  /// Opens the database, and checks that it has the rows of `create` and no others.
  static func check(_ path: String, count: Int, value: String = "v", options: YapDatabaseOptions = .quick) throws {
    let database = try YapDatabase(path: path, options: options)
    try database.newConnection().read { transaction in
      try Discrepancy.check(transaction.numberOfKeysInAllCollections(), count, "rows of \(path)")
      for key in 0..<count {
        try Discrepancy.check(transaction.object(forKey: "\(key)") as? String, value, "\(path): \(key)")
      }
    }
    try database.close()
  }

  /// The bytes of the files in a folder, by name.
  static func contents(of folder: String) throws -> [String: Data] {
    try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: [:]) { files, name in
      files[name] = FileManager.default.contents(atPath: folder + "/" + name)
    }
  }

  /// Creates a file that contains a text.
  static func put(_ text: String, at path: String) throws {
    try Data(bytes(text)).write(to: URL(fileURLWithPath: path))
  }

  static func permissions(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]) as? Int
  }

  /// Runs `body` on the paths of the files of a database whose process was killed after its last commit: the file, its
  /// WAL and its index.
  static func kill(_ path: String, into folder: String, _ body: (YapDatabase) throws -> Void) throws {
    let database = try YapDatabase(path: path, options: .quick)
    try body(database)
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: folder + "/killed.sqlite" + suffix)
    }
    try database.close()
  }
}
