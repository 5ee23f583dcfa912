import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// The forms of a database's path. Whatever its form, the path is resolved when the database is opened.
@Suite struct PathTests {
  /// A way to write the path of a file in `folder`, in which the folder `other` exists too.
  enum Form: String, CaseIterable {
    case direct, dot, dotDot, repeatedSlash, folderLink, fileLink, linkToLink, relativeLink, danglingLink

    /// - Returns: The path in this form of the file at `real`.
    func make(_ folder: String, real: String) throws -> String {
      let files = FileManager.default
      func link(_ name: String, _ target: String) throws -> String {
        try files.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: target)
        return folder + "/" + name
      }
      switch self {
      case .direct: return real
      case .dot: return folder + "/./real/./test.sqlite"
      case .dotDot: return folder + "/other/../real/test.sqlite"
      case .repeatedSlash: return folder + "//real///test.sqlite"
      case .folderLink: return try link("folder", folder + "/real") + "/test.sqlite"
      case .fileLink, .danglingLink: return try link("link.sqlite", real)
      case .linkToLink: return try link("link.sqlite", link("inner.sqlite", real))
      case .relativeLink: return try link("other/link.sqlite", "../real/test.sqlite")
      }
    }
  }

  private func withForm(_ form: Form, _ body: (_ path: String, _ real: String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      for name in ["real", "other"] {
        try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: false)
      }
      let real = folder + "/real/test.sqlite"
      if form != .danglingLink { try YapDatabase(path: real, options: .quick).close() }
      try body(try form.make(folder, real: real), real)
    }
  }

  @Test(arguments: Form.allCases) func `every form of a path leads to the same files`(_ form: Form) throws {
    try withForm(form) { path, real in
      let database = try YapDatabase(path: path, options: .quick)
      #expect(database.path == real && database.files == YapDatabaseFiles(path: real))
      let connection = try database.newConnection()
      try connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      var status = stat()
      #expect(stat(real + "-wal", &status) == 0 && status.st_size > 0)
      #expect(database.statistics.walBytes == Int(status.st_size))
      // The lock is found under every other form.
      #expect(code { _ = try YapDatabase(path: real, options: .impatient) } == .alreadyOpen)
      #expect(code { try YapDatabase.checkIsClosed(path) } == .alreadyOpen)
      #expect(code { try YapDatabase.checkIsClosed(real) } == .alreadyOpen)
      try database.close()
      let again = try YapDatabase(path: real, options: .quick)
      #expect(again.snapshot == 1 && again.recovery == nil)
      try again.close()
      let folder = URL(fileURLWithPath: real).deletingLastPathComponent().path
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == ["test.sqlite"])
    }
  }

  @Test(arguments: Form.allCases) func `every form of a path recovers a WAL, and refuses a foreign one`(
    _ form: Form
  ) throws {
    try withForm(form) { path, real in
      let saved = real + ".saved"
      try leaveWAL(real, as: saved, commits: 3)
      for suffix in ["", "-wal"] { try replace(real + suffix, by: saved + suffix) }
      let recovered = try YapDatabase(path: path, options: .quick)
      #expect(recovered.recovery != nil && recovered.snapshot == 3)
      try recovered.close()
      let other = real + ".other"
      try leaveWAL(other, as: saved, commits: 1)
      try replace(real + "-wal", by: saved + "-wal")
      #expect(code { _ = try YapDatabase(path: path, options: .quick) } == .foreignWAL)
      try FileManager.default.removeItem(atPath: real + "-wal")
    }
  }

  @Test(arguments: Form.allCases, [YapDatabaseCorruptAction.rename, .delete])
  func `the action for a damaged file is applied to the real files`(
    _ form: Form,
    _ action: YapDatabaseCorruptAction
  ) throws {
    try withForm(form) { path, real in
      for suffix in ["", "-wal"] {
        try Data(repeating: 0x41, count: 5_000).write(to: URL(fileURLWithPath: real + suffix))
      }
      var options = YapDatabaseOptions.quick
      options.corruptAction = action
      let database = try YapDatabase(path: path, options: options)
      let moved = real + ".1.corrupt"
      #expect(database.replacedFile?.files == (action == .delete ? [] : ["", "-shm", "-wal"].map { moved + $0 }))
      try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      #expect(code { _ = try YapDatabase(path: real, options: .impatient) } == .alreadyOpen)
      try database.close()
      let again = try YapDatabase(path: real, options: .quick)
      #expect(again.snapshot == 1)
      try again.close()
    }
  }

  /// Leaves a database with a WAL as after a crash, at another path. A child process copies the files, because this
  /// process has the database open.
  private func leaveWAL(_ path: String, as saved: String, commits: Int) throws {
    var options = YapDatabaseOptions.quick
    options.checkpointing = .every(nanoseconds: .max)
    let database = try YapDatabase(path: path, options: options)
    for index in 0..<commits {
      try database.newConnection().readWrite { try $0.setObject(bytes("\(index)"), forKey: "k") }
    }
    for suffix in ["", "-wal"] {
      try Process.run(URL(filePath: "/bin/cp"), arguments: [path + suffix, saved + suffix]).waitUntilExit()
    }
    try database.close()
  }

  private func replace(_ path: String, by other: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: other, toPath: path)
  }

  // MARK: The working folder

  /// The working folder belongs to the process, so the test runs in one of its own.
  @Test func `a relative path means the working folder at open`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      reported {
        for name in ["a", "b", "empty"] {
          try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: false)
        }
        try PathTests.write("another", to: path + "/b/test.sqlite").close()
        chdir(path + "/a")
        let database = try PathTests.write("mine", to: "test.sqlite")
        var connections: [YapDatabaseConnection] = []
        for name in ["empty", "b"] {
          chdir(path + "/" + name)
          // Connections that live make new handles necessary.
          for _ in 0..<7 { connections.append(try database.newConnection()) }
          let value = try connections.last?.read { try $0.object(forKey: "k") as? [UInt8] }
          try Discrepancy.check(value, bytes("mine"), "the value in \(name)")
        }
        try Discrepancy.check(FileManager.default.contentsOfDirectory(atPath: path + "/empty"), [], "stray files")
        try Discrepancy.check(database.path, path + "/a/test.sqlite", "the path")
        try database.close()
      }
    }
  }

  private static func write(_ value: String, to path: String) throws -> YapDatabase {
    let database = try YapDatabase(path: path, options: .quick)
    try database.newConnection().readWrite { try $0.setObject(bytes(value), forKey: "k") }
    return database
  }

  @Test func `a link of the folder that is moved has no effect on an open database`() throws {
    try withTemporaryFolder { folder in
      for name in ["1", "2"] {
        try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: false)
        try Self.write("release \(name)", to: folder + "/\(name)/test.sqlite").close()
      }
      symlink(folder + "/1", folder + "/current")
      let database = try YapDatabase(path: folder + "/current/test.sqlite", options: .quick)
      unlink(folder + "/current")
      symlink(folder + "/2", folder + "/current")
      let connections = try (0..<7).map { _ in try database.newConnection() }
      for connection in connections {
        try #expect(connection.read { try $0.object(forKey: "k") as? [UInt8] } == bytes("release 1"))
      }
      // The other release is another file.
      let other = try YapDatabase(path: folder + "/current/test.sqlite", options: .quick)
      try other.close()
      try database.close()
    }
  }

  // MARK: Refused paths

  @Test func `links that lead in a circle or to a missing folder are refused`() throws {
    try withTemporaryFolder { folder in
      symlink(folder + "/b", folder + "/a")
      symlink(folder + "/a", folder + "/b")
      symlink(folder + "/none/test.sqlite", folder + "/dangling")
      symlink(folder, folder + "/to-folder")
      let loop = failure { _ = try YapDatabase(path: folder + "/a", options: .quick) }
      #expect(loop?.code == .storage && loop?.message.contains("symbolic links") == true, "\(loop?.message ?? "")")
      let dangling = failure { _ = try YapDatabase(path: folder + "/dangling", options: .quick) }
      #expect(dangling?.code == .invalidArgument)
      #expect(dangling?.message.contains("the folder \(folder)/none does not exist") == true)
      let toFolder = failure { _ = try YapDatabase(path: folder + "/to-folder", options: .quick) }
      #expect(toFolder?.code == .invalidArgument && toFolder?.message.contains("is a folder") == true)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.sorted() == ["a", "b", "dangling", "to-folder"])
    }
  }

  /// SQLite supports 512 bytes, and appends up to 8.
  @Test(arguments: [(503, true), (504, true), (505, false), (600, false), (4_000, false), (5_000, false)])
  func `a path that is too long for SQLite is refused with its length and the limit`(bytes: Int, fits: Bool) throws {
    try withTemporaryFolder { folder in
      var path = folder
      while path.utf8.count < bytes - 120 {
        path += "/" + String(repeating: "d", count: 99)
        mkdir(path, 0o755)
      }
      path += "/" + String(repeating: "f", count: bytes - path.utf8.count - 1)
      let error = failure { try YapDatabase(path: path, options: .quick).close() }
      guard !fits else { return #expect(error == nil, "\(error?.message ?? "")") }
      // The system's own limit is 4,095 bytes.
      #expect(error?.code == (bytes > 4_095 ? .storage : .invalidArgument))
      let expected = bytes > 4_095 ? "File name too long" : "has \(bytes) bytes, and SQLite supports at most 504"
      #expect(error?.message.contains(expected) == true, "\(error?.message ?? "no error")")
    }
  }

  @Test(arguments: [(247, true), (248, false), (251, false), (255, false), (256, false)])
  func `a name to which no suffix can be appended is refused`(bytes: Int, fits: Bool) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/" + String(repeating: "n", count: bytes)
      let error = failure { try YapDatabase(path: path, options: .quick).close() }
      guard !fits else { return #expect(error == nil, "\(error?.message ?? "")") }
      #expect(error?.code == .invalidArgument || bytes > 255)
      let expected = bytes > 255 ? "File name too long" : "has \(bytes) bytes; at most 247"
      #expect(error?.message.contains(expected) == true, "\(error?.message ?? "no error")")
    }
  }

  @Test func `a folder whose name is not UTF-8 is refused by its name`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      reported {
        let name: [CChar] = Array(path.utf8CString.dropLast()) + [0x2f, 0x63, -0x17, 0]
        try Discrepancy.check(mkdir(name, 0o755), 0, "mkdir")
        chdir(name)
        let error = failure { _ = try YapDatabase(path: "test.sqlite", options: .quick) }
        try Discrepancy.check(error?.code, .invalidArgument, "the code")
        try Discrepancy.check(error?.message.contains("not valid UTF-8") == true, true, "\(error?.message ?? "")")
      }
    }
  }
}
