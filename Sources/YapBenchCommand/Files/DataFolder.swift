internal import BenchReports
internal import Foundation

/// The new folder of the databases of one command. Unless it is kept, it is removed before the process ends. If the
/// process is killed, a run that writes to the same parent a day later removes it.
struct DataFolder: Sendable {
  let path: String
  let isKept: Bool

  /// Chooses the path, without creating the folder.
  /// - Parameters:
  ///   - parent: The folder that will contain it.
  ///   - keptName: The beginning of the name of a folder that is kept; nil if it is not.
  init(in parent: String, keptAs keptName: String? = nil) {
    let unique = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
    let name = keptName ?? UnfinishedOutput.prefix + "data"
    path = "\(parent)/\(name)-\(ProcessInfo.processInfo.processIdentifier)-\(unique)"
    isKept = keptName != nil
  }

  /// Removes what killed runs have left in a folder, and creates a new folder in it.
  static func create(in parent: String, _ display: ProgressDisplay) throws -> DataFolder {
    for line in UnfinishedOutput.removeLeft(in: [parent]) { display.showMessage(line) }
    let data = DataFolder(in: parent)
    try data.create()
    return data
  }

  /// Creates the folder. Its parent must exist.
  func create() throws {
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
        folder,
        "the folder for the database could not be created (\(error.localizedDescription))",
        remedy: "Choose another folder with --data-dir."
      )
    }
  }
}

extension UnfinishedOutput {
  private static let maximumNames = 3

  /// Removes what killed runs have left in folders.
  ///
  /// - Parameter folders: The folders that this run writes to.
  /// - Returns: The messages to show.
  static func removeLeft(in folders: [String]) -> [String] {
    let leftovers = Set(folders).sorted().map { removeLeft(in: $0) }
    let (removed, remaining) = (leftovers.flatMap(\.removed), leftovers.flatMap(\.remaining))
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
