internal import Foundation
internal import Glibc
internal import Synchronization
internal import SystemFiles

/// Files and folders under temporary names. Complete output gets its final name. A process that ends at once removes
/// incomplete output, and what a killed process leaves is removed by a later one.
public enum UnfinishedOutput {
  /// The process ends with this lock held: no output gets its name after that, and removed output causes no errors.
  private static let paths = Mutex<[String: OwnershipLock?]>([:])

  /// Leftovers of a killed process, as removed by `removeAbandoned`.
  public struct Leftovers: Sendable, Equatable {
    /// Paths at which nothing is left.
    public var removed: [String] = []
    /// Paths that could not be removed.
    public var remaining: [String] = []
  }

  /// Creates output that must not outlive the process, and registers its path. The process does not end in between.
  /// - Parameter create: creates what is at the path; where it throws, nothing is there.
  /// - Throws: `ReportError` where the path cannot be marked as this process's, and what `create` throws.
  public static func begin(_ path: String, orTell problem: String = "could not be created", _ create: () throws -> Void)
    throws
  {
    try paths.withLock { paths in
      let lock: OwnershipLock?
      do throws(FileProblem) {
        lock = try OwnershipLock(of: path)
      } catch {
        guard case .system(_, let code) = error.reason else { throw ReportError(path, problem, code: ENOENT) }
        throw ReportError(path, problem, code: code)
      }
      do {
        try create()
      } catch {
        lock?.removeMark()
        throw error
      }
      paths[path] = .some(lock)
    }
  }

  /// Removes output that `begin` has registered.
  public static func discard(_ path: String) {
    paths.withLock { paths in
      remove(path)
      if let lock = paths.removeValue(forKey: path) { lock?.removeMark() }
    }
  }

  /// Removes all incomplete output, and ends the process. Output that is being written meanwhile gets no name.
  public static func discardAll(thenEnd end: () -> Never) -> Never {
    paths.withLock { paths in
      for (path, lock) in paths {
        remove(path)
        lock?.removeMark()
      }
      end()
    }
  }

  /// Removes incomplete output of processes that have ended without doing so.
  ///
  /// Output without a mark, of a living process or of another user is not touched; see `OwnershipLock`.
  public static func removeAbandoned(in folder: String) -> Leftovers {
    var leftovers = Leftovers()
    for lock in OwnershipLock.abandoned(in: folder, where: isTemporary) {
      remove(lock.path)
      // A process that was killed while it removed its output.
      try? FileManager.default.removeItem(atPath: discardedName(of: lock.path))
      let paths = [lock.path, discardedName(of: lock.path)]
      if paths.contains(where: { FileManager.default.fileExists(atPath: $0) }) {
        leftovers.remaining.append(lock.path)
      } else {
        lock.removeMark()
        leftovers.removed.append(lock.path)
      }
    }
    return leftovers
  }

  /// The beginnings of all names that the program gives to temporary folders.
  private static func isTemporary(_ name: String) -> Bool {
    [".partial-", ".data-", ".yapbench-bench-", "yapbench-"].contains(where: name.hasPrefix)
  }

  /// Creates a folder and runs `body`, which writes into it; what is left there afterwards is removed.
  /// - Parameters:
  ///   - partial: the folder's temporary name.
  ///   - final: the name that it is to get, of which errors tell.
  ///   - problem: what is told where there is no making the folder.
  ///   - body: publishes what it has written.
  static func writing<Value>(
    _ partial: String,
    for final: String,
    orTell problem: String = "could not be created",
    _ body: () throws -> Value
  ) throws -> Value {
    do {
      try begin(partial, orTell: problem) {
        guard mkdir(partial, 0o755) == 0 else { throw ReportError(partial, problem, code: errno) }
      }
      defer { discard(partial) }
      return try body()
    } catch var error as ReportError {
      if error.path.hasPrefix(partial) { error.path = final + error.path.dropFirst(partial.count) }
      throw error
    }
  }

  /// Gives final names. The process does not end in between.
  static func publish(_ renaming: () throws -> Void) rethrows {
    try paths.withLock { _ in try renaming() }
  }

  private static func discardedName(of path: String) -> String { path + "-discarded" }

  private static func remove(_ path: String) {
    // Under another name, so that no thread adds files to it by its path.
    let discarded = discardedName(of: path)
    if rename(path, discarded) != 0 {
      if errno != ENOENT { try? FileManager.default.removeItem(atPath: path) }
      return
    }
    // A thread that had already resolved the path may add a file while the folder is being removed.
    for _ in 1...3 where (try? FileManager.default.removeItem(atPath: discarded)) != nil { return }
  }
}
