internal import Foundation
internal import Glibc
internal import Synchronization

/// What stands under a temporary name for a while. It gets its own name when it is whole, and a process that has to end
/// at once takes away what is not.
public enum UnfinishedOutput {
  /// Whoever ends the process keeps this lock: after that nothing gets its name, and nobody tells of failures that come
  /// from the taking away alone.
  private static let paths = Mutex<Set<String>>([])

  /// Makes what must not outlive the process, and takes note of its path. The process does not end in between.
  /// - Parameter create: makes what stands at the path; where it throws, nothing stands there.
  public static func begin(_ path: String, _ create: () throws -> Void) rethrows {
    try paths.withLock { paths in
      try create()
      paths.insert(path)
    }
  }

  /// Takes away what is at a path that `begin` was told of.
  public static func discard(_ path: String) {
    paths.withLock { paths in
      paths.remove(path)
      takeAway(path)
    }
  }

  /// Takes away everything that is unfinished, and ends the process. What is being written meanwhile gets no name.
  public static func discardAll(thenEnd end: () -> Never) -> Never {
    paths.withLock { paths in
      for path in paths { takeAway(path) }
      end()
    }
  }

  /// Makes a folder and runs `body`, which writes into it; what is left there afterwards is taken away.
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

  /// Gives final names. The process does not end in between.
  static func publish(_ renaming: () throws -> Void) rethrows {
    try paths.withLock { _ in try renaming() }
  }

  private static func takeAway(_ path: String) {
    // Nobody finds it under another name, to write more into it.
    let doomed = path + "-discarded"
    if rename(path, doomed) != 0 {
      if errno != ENOENT { try? FileManager.default.removeItem(atPath: path) }
      return
    }
    // A program that works in it, as gnuplot does, may add a file while it is being removed.
    for _ in 1...3 where (try? FileManager.default.removeItem(atPath: doomed)) != nil { return }
  }
}
