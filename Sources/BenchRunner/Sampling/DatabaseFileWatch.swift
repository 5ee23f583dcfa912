internal import HarnessPrimitives

/// Detects that the database of a run was removed or replaced.
///
/// An engine keeps using files that were removed while open: its figures then describe deleted files, and the path
/// leads to another database, or to none.
struct DatabaseFileWatch {
  private let path: String
  private let outage: Outage?
  /// The number of restarts of the engine when the files were noted.
  private var restarts = 0
  private var noted: [String: FileIdentity] = [:]

  /// - Parameters:
  ///   - path: the database's file.
  ///   - outage: knows when the engine closes the database during the run, and so replaces its WAL; nil if it never
  ///     does.
  init(path: String, outage: Outage?) {
    self.path = path
    self.outage = outage
  }

  /// Compares the files with those that were found before.
  /// - Returns: a description of the first difference; nil if there is none.
  mutating func check() -> String? {
    let before = state
    guard !before.isAway else { return nil }
    let found = ["", "-wal"].map { ($0, FileIdentity(path: path + $0)) }
    // The engine's process may have ended while the files were read.
    guard state == before else { return nil }
    if restarts != before.restarts {
      restarts = before.restarts
      noted = [:]
    }
    for (suffix, identity) in found {
      guard let known = noted[suffix] else {
        noted[suffix] = identity
        continue
      }
      guard identity != known else { continue }
      let what = identity == nil ? "was removed" : "was replaced by another file"
      return "the database file \(path + suffix) \(what) during the run; do not change the data folder meanwhile"
    }
    return nil
  }

  private var state: (isAway: Bool, restarts: Int) { (outage?.isAway ?? false, outage?.restarts ?? 0) }
}
