internal import BenchReports
internal import Foundation

/// Where the databases of one command live: a folder that is new, so that nothing of anybody's is in it. What is not to
/// be kept goes with the process, however that ends itself.
struct DataFolder: Sendable {
  let path: String
  let isKept: Bool

  /// Names it.
  /// - Parameters:
  ///   - parent: where it will be.
  ///   - prefix: how the folder's name begins.
  init(in parent: String, prefix: String, isKept: Bool) {
    let unique = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
    path = "\(parent)/\(prefix)-\(ProcessInfo.processInfo.processIdentifier)-\(unique)"
    self.isKept = isKept
  }

  /// Makes it, in a parent that is there.
  func create() throws {
    // A folder that is kept has no mark, so that no later run takes it for a leftover.
    if isKept { return try Self.create(path) }
    try UnfinishedOutput.begin(path) { try Self.create(path) }
  }

  /// A new folder in it for one run.
  func folder(forRun number: Int, of scenario: String) throws -> String {
    let folder = "\(path)/\(number)-\(scenario)"
    try Self.create(folder)
    return folder
  }

  /// Whether a run has left something in `folder`.
  static func holdsAnything(_ folder: String) -> Bool {
    !((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).isEmpty
  }

  static func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Removes what is not to be kept.
  func removeUnlessKept() {
    if isKept, Self.holdsAnything(path) { return }
    UnfinishedOutput.discard(path)
  }

  private static func create(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    } catch {
      throw ReportError(
        path: folder,
        problem: "the folder for the database could not be created (\(error.localizedDescription))",
        remedy: "Choose another place with --data-dir."
      )
    }
  }
}
