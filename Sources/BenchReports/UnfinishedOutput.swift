internal import Foundation
internal import Synchronization

/// What stands under a temporary name for a while. It gets its own name when it is whole, and a process that has to end
/// at once takes away what is not.
public enum UnfinishedOutput {
  /// Whoever ends the process keeps this lock: after that nothing gets its name, and nobody tells of failures that come
  /// from the taking away alone.
  private static let paths = Mutex<Set<String>>([])

  /// Takes note of a path that must not outlive the process.
  public static func begin(_ path: String) {
    paths.withLock { _ = $0.insert(path) }
  }

  /// Takes away what is at a path that `begin` was told of.
  public static func discard(_ path: String) {
    paths.withLock { paths in
      paths.remove(path)
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Takes away everything that is unfinished, and ends the process. What is being written meanwhile gets no name.
  public static func discardAll(thenEnd end: () -> Never) -> Never {
    paths.withLock { paths in
      for path in paths { takeAway(path) }
      end()
    }
  }

  /// Runs `body`, which writes what stands at `partial`; what is left there afterwards is taken away.
  /// - Parameters:
  ///   - partial: the temporary name.
  ///   - final: the name that it is to get, of which errors tell.
  ///   - body: publishes what it has written.
  static func writing<Value>(_ partial: String, for final: String, _ body: () throws -> Value) throws -> Value {
    begin(partial)
    defer { discard(partial) }
    do {
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
    guard rename(path, doomed) == 0 else { return }
    // A program that works in it, as gnuplot does, may add a file while it is being removed.
    for _ in 1...3 where (try? FileManager.default.removeItem(atPath: doomed)) != nil { return }
  }
}
