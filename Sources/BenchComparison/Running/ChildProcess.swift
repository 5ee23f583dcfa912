internal import Foundation
internal import Glibc
internal import Synchronization

/// A program that runs to its end, with its output.
///
/// Foundation starts it in a process group of its own, so a terminal's Ctrl-C does not reach it: `RunningChild` passes
/// signals on.
enum ChildProcess {
  struct End {
    /// As a shell reports it: 128 plus the number of the signal, if one ended the process.
    var exitCode: Int32
    /// Standard output and standard error together.
    var output: String

    /// The end of the output, for error messages.
    var lastLines: String { output.split(separator: "\n").suffix(5).joined(separator: "; ") }
  }

  /// Runs a program with `/dev/null` as its standard input.
  ///
  /// - Parameter program: a path, or a name that is searched in `PATH`.
  /// - Throws: `ComparisonError` if it cannot be started.
  static func run(_ program: String, _ arguments: [String]) throws -> End {
    let process = Process()
    let isPath = program.contains("/")
    process.executableURL = URL(fileURLWithPath: isPath ? program : "/usr/bin/env")
    process.arguments = isPath ? arguments : [program] + arguments
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    do { try process.run() } catch {
      throw ComparisonError(.missing, "\(program): it could not be run (\(error.localizedDescription))")
    }
    RunningChild.current.withLock { $0 = process.processIdentifier }
    defer { RunningChild.current.withLock { $0 = nil } }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let signal: Int32 = process.terminationReason == .exit ? 0 : 128
    return End(exitCode: process.terminationStatus + signal, output: String(decoding: data, as: UTF8.self))
  }
}

/// The child process that a comparison is waiting for.
public enum RunningChild {
  fileprivate static let current = Mutex<pid_t?>(nil)

  /// Sends a signal to the child process and those that it has started; does nothing if there is none.
  public static func send(_ signal: Int32) {
    // Under the lock, so that `run` does not clear the number before the signal is sent.
    current.withLock { child in
      guard let child else { return }
      // A process without a group of its own receives the signal alone.
      if kill(-child, signal) != 0 { kill(child, signal) }
    }
  }
}

/// Digests of files, computed by the program of coreutils: the package has no other need for cryptography.
enum FileDigest {
  /// Returns 64 hexadecimal digits.
  /// - Throws: `ComparisonError` if the file cannot be read.
  static func sha256(of path: String) throws -> String {
    // A line begins with a backslash if the name of the file has one.
    let end = try ChildProcess.run("sha256sum", ["--", path])
    let digest = end.output.drop { $0 == "\\" }.prefix { !$0.isWhitespace }
    guard end.exitCode == 0, digest.count == 64 else {
      throw ComparisonError(.failure, "sha256sum \(path): \(end.lastLines)")
    }
    return String(digest)
  }
}
