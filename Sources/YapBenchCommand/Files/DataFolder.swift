internal import BenchDrivers
internal import BenchReports
internal import Foundation

/// The new folder of the databases of one command. Unless it is kept, it is removed before the process ends. If the
/// process is killed, a later run that writes to the same parent removes it.
struct DataFolder: Sendable {
  let path: String
  let isKept: Bool

  /// Chooses the path, without creating the folder.
  /// - Parameters:
  ///   - parent: The folder that will contain it.
  ///   - prefix: The beginning of the folder's name.
  init(in parent: String, prefix: String, isKept: Bool) {
    let unique = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
    path = "\(parent)/\(prefix)-\(ProcessInfo.processInfo.processIdentifier)-\(unique)"
    self.isKept = isKept
  }

  /// Creates the folder. Its parent must exist.
  func create() throws {
    // A folder that is kept has no mark, so no later run removes it as a leftover.
    if isKept { return try Self.create(path) }
    try UnfinishedOutput.begin(path) { try Self.create(path) }
  }

  /// Creates the folder of one run.
  func folder(forRun number: Int, of scenario: String) throws -> String {
    let folder = "\(path)/\(number)-\(scenario)"
    try Self.create(folder)
    return folder
  }

  /// Whether `folder` contains a file or folder.
  static func isPopulated(_ folder: String) -> Bool {
    !((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).isEmpty
  }

  static func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Removes the folder, unless it is kept and not empty.
  func removeUnlessKept() {
    if isKept, Self.isPopulated(path) { return }
    UnfinishedOutput.discard(path)
  }

  private static func create(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    } catch {
      throw ReportError(
        path: folder,
        problem: "the folder for the database could not be created (\(error.localizedDescription))",
        remedy: "Choose another folder with --data-dir."
      )
    }
  }
}

/// The files that killed runs have left.
enum Leftovers {
  private static let maximumNames = 3

  /// Removes the files in `folders`, and the socket folders of killed engine processes.
  ///
  /// - Parameter folders: The folders that this run writes to.
  /// - Returns: The messages to show.
  static func remove(in folders: [String]) -> [String] {
    var removed = EngineProcess.removeAbandonedFolders()
    var remaining: [String] = []
    for folder in Set(folders).sorted() {
      let leftovers = UnfinishedOutput.removeAbandoned(in: folder)
      removed += leftovers.removed
      remaining += leftovers.remaining
    }
    var lines: [String] = []
    if !removed.isEmpty { lines.append("removed files of killed runs: \(list(removed))") }
    if !remaining.isEmpty { lines.append("files of killed runs could not be removed: \(list(remaining))") }
    return lines
  }

  private static func list(_ paths: [String]) -> String {
    let names = paths.prefix(maximumNames).joined(separator: ", ")
    return paths.count > maximumNames ? "\(names) and \(paths.count - maximumNames) more" : names
  }
}
