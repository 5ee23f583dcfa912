internal import Foundation
internal import Glibc
internal import Synchronization

/// Files and folders under temporary names, which begin with `prefix`. Complete output gets its final name. A process
/// that is interrupted removes its incomplete output. The output of a killed process is removed once it is a day old.
package enum UnfinishedOutput {
  package static let prefix = ".partial-"

  /// The time after its last change from which output is taken as left behind. Running processes change theirs.
  private static let leftAfterSeconds = 24 * 3_600.0

  /// The registered paths. An interrupted process ends while it holds this lock, so no other thread publishes output,
  /// or reports an error because output was removed.
  private static let paths = Mutex<Set<String>>([])

  /// The results of `removeLeft`.
  package struct Leftovers: Sendable, Equatable {
    package var removed: [String] = []
    /// Paths that could not be removed.
    package var remaining: [String] = []
  }

  /// Creates output and registers its path for removal, in one step that no interruption of the process divides.
  /// - Parameter create: Creates a file or folder at the path. If it throws, it must leave nothing there.
  package static func begin(_ path: String, _ create: () throws -> Void) rethrows {
    try paths.withLock { paths in
      try create()
      paths.insert(path)
    }
  }

  /// Removes output that `begin` has registered, unless the output already has its final name.
  package static func discard(_ path: String) {
    paths.withLock { paths in
      remove(path)
      paths.remove(path)
    }
  }

  /// Removes all incomplete output, and ends the process. Output that is being written does not get its final name.
  package static func discardAll(thenEnd end: () -> Never) -> Never {
    paths.withLock { paths in
      for path in paths { remove(path) }
      end()
    }
  }

  /// Removes the incomplete output of this user in a folder, of which nothing has changed for a day.
  package static func removeLeft(in folder: String) -> Leftovers {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var leftovers = Leftovers()
    for path in names.filter({ $0.hasPrefix(prefix) }).sorted().map({ "\(folder)/\($0)" }) where isLeft(path) {
      remove(path)
      if FileManager.default.fileExists(atPath: path) {
        leftovers.remaining.append(path)
      } else {
        leftovers.removed.append(path)
      }
    }
    return leftovers
  }

  private static func isLeft(_ path: String) -> Bool {
    let files = FileManager.default
    guard let own = try? files.attributesOfItem(atPath: path),
      (own[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid()
    else { return false }
    // A link is not followed.
    let isFolder = own[.type] as? FileAttributeType == .typeDirectory
    let names = isFolder ? (try? files.subpathsOfDirectory(atPath: path)) ?? [] : []
    let times = names.compactMap { try? files.attributesOfItem(atPath: "\(path)/\($0)") } + [own]
    let latest = Date(timeIntervalSinceNow: -leftAfterSeconds)
    return times.allSatisfy { ($0[.modificationDate] as? Date).map { $0 < latest } ?? false }
  }

  /// Creates a folder for `body`, which writes files there and publishes them. Removes the folder if it still exists.
  /// - Parameters:
  ///   - partial: The temporary name of the folder.
  ///   - final: The path to name in errors instead of `partial`.
  ///   - problem: The problem to report if the folder cannot be created.
  static func writing<Value>(
    _ partial: String,
    for final: String,
    problem: String = "could not be created",
    _ body: () throws -> Value
  ) throws -> Value {
    do {
      try begin(partial) {
        guard mkdir(partial, 0o755) == 0 else { throw ReportError(partial, problem, code: errno) }
      }
      defer { discard(partial) }
      return try body()
    } catch var error as ReportError {
      if error.path.hasPrefix(partial) { error.path = final + error.path.dropFirst(partial.count) }
      throw error
    }
  }

  /// Runs `renaming`, which gives output its final names. An interruption cannot end the process during it.
  static func publish(_ renaming: () throws -> Void) rethrows {
    try paths.withLock { _ in try renaming() }
  }

  private static func remove(_ path: String) {
    // A thread that is still writing may add files during the removal, which is then repeated.
    for _ in 1...10 where access(path, F_OK) == 0 { try? FileManager.default.removeItem(atPath: path) }
  }
}
