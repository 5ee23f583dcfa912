import BenchResults
import BenchScenario
import Foundation
import HarnessPrimitives
import SQLiteBinding
import TestSupport
import YapEngine

@testable import YapBenchCommand

/// Damaged files through `inspect`, and through the engine: opened, read, written, checkpointed and closed, twice.
///
/// Each call returns a right result, or throws `YapDatabaseError`. If only the WAL or its index is damaged, and no
/// frame was copied, the rows are those after one of the commits, because SQLite checks every frame. A damaged database
/// file may lose rows without an error, because only `integrity_check` checks the order of an index.
struct DatabaseCases: FuzzSubject.Cases {
  private let seed: UInt64
  private let folder: String
  private let made: FuzzDatabase
  /// A planted bug: the rows of one commit are expected after all commits.
  private let isMistaken: Bool
  private let trial = Trial()

  init(seed: UInt64, folder: String, isMistaken: Bool = false) throws {
    self.seed = seed
    self.folder = folder
    self.isMistaken = isMistaken
    made = try FuzzDatabase(in: folder)
  }

  func run(_ number: Int) throws -> String? {
    var random = RandomStream(seed: seed, "\(number)")
    var damage = DatabaseDamage(random)
    let files = damage.damaged(made)
    let path = folder + "/case/file.sqlite"
    try? FileManager.default.removeItem(atPath: folder + "/case")
    try FileManager.default.createDirectory(atPath: folder + "/case", withIntermediateDirectories: true)
    for (suffix, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: path + suffix)) }
    if let finding = inspect(path) { return finding }
    var options = FuzzDatabase.options
    options.corruptAction = random.pick(YapDatabaseCorruptAction.allCases)
    let isSound = damage.startsInWAL && damage.sparesDatabaseFile
    if let finding = use(path, options, isSound: isSound, isFirst: true) {
      return "\(options.corruptAction): \(finding)"
    }
    return use(path, options, isSound: isSound, isFirst: false).map { "opened again: \($0)" }
  }

  private func inspect(_ path: String) -> String? {
    for format in ["--line", "--json"] {
      trial.output.clear()
      trial.errors.clear()
      let arguments = format == "--json" ? ["inspect", format, path] : ["inspect", path]
      let code = Program.run(arguments, in: .captured(by: trial))
      let documented: [BenchResults.ExitStatus] = [.passed, .usage, .invalidScenario, .missingInput]
      if let problem = CommandText.problem(code, trial, documented: documented) { return "inspect: \(problem)" }
    }
    return nil
  }

  /// - Parameters:
  ///   - isSound: Whether the database file is undamaged, and all commits are in the WAL.
  ///   - isFirst: Whether the rows are still unchanged.
  /// - Returns: An error of a type that the engine does not document, or wrong rows.
  private func use(_ path: String, _ options: YapDatabaseOptions, isSound: Bool, isFirst: Bool) -> String? {
    do {
      let database = try YapDatabase(path: path, options: options)
      var finding: String?
      var stored: [UInt8]?
      let used = Result {
        finding = try use(database, isKnown: isSound && isFirst && database.replacedFile == nil)
        stored = try database.newConnection().read {
          try $0.object([UInt8].self, forKey: "new 7", inCollection: "rows")
        }
      }
      do { try database.close() } catch let error where !(error is YapDatabaseError) { return "close: \(error)" }
      try used.get()
      if finding != nil || stored == [7] || !isSound && isDamaged(path) { return finding }
      return "expected the row that was just written, found \(stored.map { "\($0)" } ?? "none")"
    } catch is YapDatabaseError {
      return nil
    } catch {
      return "expected a YapDatabaseError, found \(type(of: error)): \(error)"
    }
  }

  private func use(_ database: YapDatabase, isKnown: Bool) throws -> String? {
    let connection = try database.newConnection()
    var rows: [String: Any] = [:]
    try connection.read { transaction in
      try transaction.enumerateKeysAndObjects(inCollection: "rows") { key, object, _ in rows[key] = object }
    }
    if isKnown, let finding = wrongRows(rows) { return finding }
    try FuzzDatabase.register(in: database)
    try connection.read { transaction in
      let view = try transaction.ext(FuzzDatabase.view) as? YapDatabaseViewTransaction
      for index in 0..<(try view?.numberOfItems(inGroup: "all") ?? 0) {
        _ = try view?.object(atIndex: index, inGroup: "all")
      }
    }
    try connection.readWrite { transaction in
      for number in 0..<8 { try transaction.setObject([UInt8(number)], forKey: "new \(number)", inCollection: "rows") }
      try transaction.removeObject(forKey: "key 3", inCollection: "rows")
    }
    try database.checkpoint(.truncate)
    return nil
  }

  private func isDamaged(_ path: String) -> Bool {
    (try? SQLiteHandle(path: path).text("PRAGMA integrity_check")) != "ok"
  }

  private func wrongRows(_ rows: [String: Any]) -> String? {
    let commit = (rows["commit"] as? [UInt8])?.first.map { Int($0) } ?? 0
    let expected = FuzzDatabase.rows(after: isMistaken ? FuzzDatabase.commitCount : commit)
    let isRight = rows.count == expected.count && expected.allSatisfy { rows[$0.key] as? [UInt8] == $0.value }
    return isRight ? nil : "expected the \(expected.count) rows after commit \(commit), found \(rows.count) others"
  }
}
