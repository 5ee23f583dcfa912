internal import Foundation
internal import Glibc
internal import HarnessPrimitives
internal import Synchronization

/// Files and folders under temporary names. Complete output gets its final name. A process that is interrupted removes
/// its incomplete output, and a later process removes the output of a killed process.
public enum UnfinishedOutput {
  /// The registered paths with the locks of their marks. An interrupted process ends while it holds this lock, so no
  /// other thread publishes output, or reports an error because output was removed.
  private static let paths = Mutex<[String: OwnershipLock?]>([:])

  /// The results of `removeAbandoned`.
  public struct Leftovers: Sendable, Equatable {
    public var removed: [String] = []
    /// Paths that could not be removed.
    public var remaining: [String] = []
  }

  /// Creates output and registers its path for removal, in one step that no interruption of the process divides.
  /// - Parameters:
  ///   - problem: The problem to report if the path cannot be marked as this process's.
  ///   - create: Creates a file or folder at the path. If it throws, it must leave nothing there.
  /// - Throws: `ReportError` if the path cannot be marked; the errors of `create`.
  public static func begin(
    _ path: String,
    problem: String = "could not be created",
    _ create: () throws -> Void
  ) throws {
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

  /// Removes output that `begin` has registered, unless the output already has its final name.
  public static func discard(_ path: String) {
    paths.withLock { paths in
      remove(path)
      if let lock = paths.removeValue(forKey: path) { lock?.removeMark() }
    }
  }

  /// Removes all incomplete output, and ends the process. Output that is being written does not get its final name.
  public static func discardAll(thenEnd end: () -> Never) -> Never {
    paths.withLock { paths in
      for (path, lock) in paths {
        remove(path)
        lock?.removeMark()
      }
      end()
    }
  }

  /// Removes the incomplete output of processes that ended without removing it.
  ///
  /// Output without a mark, of a running process or of another user is not touched; see `OwnershipLock`.
  public static func removeAbandoned(in folder: String) -> Leftovers {
    var leftovers = Leftovers()
    for lock in OwnershipLock.abandoned(in: folder, where: isTemporary) {
      remove(lock.path)
      if FileManager.default.fileExists(atPath: lock.path) {
        leftovers.remaining.append(lock.path)
      } else {
        lock.removeMark()
        leftovers.removed.append(lock.path)
      }
    }
    return leftovers
  }

  /// Whether the name begins like those that the program gives to temporary files and folders.
  private static func isTemporary(_ name: String) -> Bool {
    [".partial-", ".data-", ".yapbench-bench-", "yapbench-"].contains(where: name.hasPrefix)
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
      try begin(partial, problem: problem) {
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
    // A thread that is still writing may add files meanwhile, so that the removal has to be repeated.
    for _ in 1...10 where access(path, F_OK) == 0 { try? FileManager.default.removeItem(atPath: path) }
  }
}
