import Foundation
import Glibc
import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

/// Random forms of paths and states of locks: each call sees the rows of the file that the path names, or throws an
/// error of the engine that names a cause.
@Suite struct PathFuzzTests {
  @Test func `every form of a path and every state of the lock leads to the same rows or to a typed error`() async {
    let seed = Seed.announce(for: "PathFuzzTests")
    await #expect(processExitsWith: .success) { [seed = seed as UInt64] in
      reported {
        try withTemporaryFolder { folder in
          var fuzz = try PathFuzz(DatabasePath.existing(folder) ?? folder, seed: seed)
          for _ in 0..<max(TestScale.count(400), 100) { try fuzz.step() }
          try Discrepancy.check(fuzz.hasReadAndFailed, true, "both outcomes were seen")
        }
      }
    }
  }
}

/// A database in a folder with links to it. Its process may change the working folder.
private struct PathFuzz {
  /// A form of a path, and whether it names the database.
  private enum Form: CaseIterable {
    case direct, doubled, detour, folderLink, fileLink, chain, relative, dotted  // the database
    case missing, dangling, missingFolder  // no file
    case empty, memory, uri, nul, folder, fifo, slash, device, longName, longPath, inFile  // no path of a database

    var namesDatabase: Bool { self <= .dotted }
    var namesNothing: Bool { [.missing, .dangling].contains(self) }
    static func <= (left: Form, right: Form) -> Bool {
      (allCases.firstIndex(of: left) ?? 0) <= (allCases.firstIndex(of: right) ?? 0)
    }
  }

  private enum Lock: CaseIterable { case none, held }
  private enum Call: CaseIterable { case write, read, backup, restore, check }

  private let root: String
  private var random: RandomStream
  private var rows = 5
  private var seen: Set<Bool> = []
  /// Names with bytes that a shell, a URI or SQL would treat specially.
  private let name: String

  var hasReadAndFailed: Bool { seen.count == 2 }

  private var file: String { root + "/real/" + name }

  init(_ root: String, seed: UInt64) throws {
    self.root = root
    random = RandomStream(seed: seed)
    let names = ["db.sqlite", "a b", "100%41?x=1#f", "it's \"quoted\"", "e\u{301}", "line\nbreak", "-wal", "..db"]
    name = names[random.below(names.count)]
    mkdir(root + "/real", 0o755)
    mkdir(root + "/other", 0o755)
    symlink(root + "/real", root + "/folder-link")
    symlink(file, root + "/file-link")
    symlink("file-link", root + "/chain")
    mkfifo(root + "/fifo", 0o644)
    try StoredFiles.create(file, count: rows)
    try StoredFiles.create(root + "/backup", count: 7, value: "b")
  }

  private func path(_ form: Form) -> String {
    switch form {
    case .direct: file
    case .doubled: root + "//real///" + name
    case .detour: root + "/other/../real/./" + name
    case .folderLink: root + "/folder-link/" + name
    case .fileLink: root + "/file-link"
    case .chain: root + "/chain"
    case .relative: "../real/" + name
    case .dotted: "./../folder-link/" + name
    case .missing: root + "/missing"
    case .dangling: root + "/dangling"
    case .missingFolder: root + "/none/db"
    case .empty: ""
    case .memory: ":memory:"
    case .uri: "file:" + file
    case .nul: file + "\0x"
    case .folder: root + "/real"
    case .fifo: root + "/fifo"
    case .slash: file + "/"
    case .device: "/dev/null"
    case .longName: root + "/" + String(repeating: "n", count: 300)
    case .longPath: root + String(repeating: "/real/..", count: 20) + "/" + String(repeating: "x", count: 700)
    case .inFile: file + "/db"
    }
  }

  mutating func step() throws {
    let form = Form.allCases[random.below(Form.allCases.count)]
    let lock = Lock.allCases[random.below(2)]
    let call = Call.allCases[random.below(5)]
    let what = "\(call) by \(form) with the lock \(lock), name \(name.debugDescription)"
    chdir(root + "/other")
    symlink(root + "/no-target", root + "/dangling")
    let held = lock == .held ? try YapDatabase(path: file, options: options()) : nil
    let error = try attempt(call, form, what)
    try held?.close()
    for left in [root + "/missing", root + "/no-target", root + "/copy"] { unlink(left) }
    for suffix in ["-wal", "-shm"] { for left in ["/missing", "/no-target"] { unlink(root + left + suffix) } }
    seen.insert(error == nil)
    try judge(error, form, lock, call, what)
    try StoredFiles.check(file, count: rows, value: rows == 7 ? "b" : "v")
    let names = try FileManager.default.contentsOfDirectory(atPath: root + "/real")
    try Discrepancy.check(names, [name], "the files after \(what)")
    try Discrepancy.check(FileManager.default.contentsOfDirectory(atPath: root + "/other"), [], "stray files: \(what)")
  }

  private func options(readOnly: Bool = false) -> YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.busyTimeoutNanoseconds = 0
    options.isReadOnly = readOnly
    return options
  }

  /// Makes the call.
  /// - Returns: The engine's error. Any other error is a discrepancy.
  private mutating func attempt(_ call: Call, _ form: Form, _ what: String) throws -> YapDatabaseError? {
    let path = path(form)
    do {
      switch call {
      case .write, .read, .backup:
        let database = try YapDatabase(path: path, options: options(readOnly: call == .read))
        // Whatever happens to the working folder and to links, the database stays the same.
        chdir("/")
        unlink(root + "/dangling")
        let connection = try database.newConnection()
        let found = try connection.read { try $0.numberOfKeysInAllCollections() }
        try Discrepancy.check(found, form.namesDatabase ? rows : 0, "rows: \(what)")
        if call == .backup {
          try connection.backup(to: root + "/copy")
          try StoredFiles.check(root + "/copy", count: found, value: rows == 7 ? "b" : "v")
        }
        try database.close()
      case .restore:
        try YapDatabase.restore(from: root + "/backup", to: path)
        if form.namesDatabase { rows = 7 }
      case .check: try YapDatabase.checkIsClosed(path)
      }
      return nil
    } catch let error as YapDatabaseError { return error }
  }

  private func judge(_ error: YapDatabaseError?, _ form: Form, _ lock: Lock, _ call: Call, _ what: String) throws {
    if let error, error.message.contains("see the SQLite code") { throw Discrepancy("\(what): \(error.message)") }
    switch (form.namesDatabase, lock) {
    case (true, .held): try Discrepancy.check(error?.code, .alreadyOpen, what)
    case (true, _): try Discrepancy.check(error?.message, nil, what)
    case (false, _):
      if call == .check || (form.namesNothing && call != .read) { return }
      try Discrepancy.check(error != nil, true, "an error: \(what)")
    }
  }
}
