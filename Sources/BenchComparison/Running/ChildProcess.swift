internal import Foundation
internal import Glibc
internal import Synchronization

/// Runs programs to their end. Each runs in a process group of its own, so a terminal's Ctrl-C does not reach it;
/// `RunningChild` passes signals on.
enum ChildProcess {
  struct End {
    /// As a shell reports it: 128 plus the number of the signal, if one ended the process.
    var exitCode: Int32
    /// Standard output and standard error together.
    var output: String

    /// The last five lines of the output, for error messages.
    var lastLines: String { output.split(separator: "\n").suffix(5).joined(separator: "; ") }
  }

  /// Runs a program with `/dev/null` as its standard input.
  /// - Parameter program: a path, or a name that is searched in `PATH`.
  /// - Throws: `ComparisonError` if it cannot be started.
  static func run(_ program: String, _ arguments: [String]) throws -> End {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw problem(program, code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let started = Result { try start(program, arguments, writingTo: ends[1]) }
    // While this end is open here, the output would not end with the process.
    close(ends[1])
    let child = try started.get()
    RunningChild.current.withLock { $0 = child }
    let data = output.readDataToEndOfFile()
    // Until the child is reaped, no other process can get its number, so `RunningChild` signals no other process.
    var info = siginfo_t()
    while waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    RunningChild.current.withLock { $0 = nil }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    // The low seven bits are the number of the signal that ended the process, the next byte its exit code.
    let signal = status & 0x7F
    let code = signal == 0 ? status >> 8 & 0xFF : 128 + signal
    return End(exitCode: code, output: String(decoding: data, as: UTF8.self))
  }

  /// Starts a program in a process group of its own.
  private static func start(_ program: String, _ arguments: [String], writingTo output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var texts = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    var variables = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in variables { free(text) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, program, &actions, &attributes, &texts, &variables)
    guard code == 0 else { throw problem(program, code: code) }
    return child
  }

  private static func problem(_ program: String, code: Int32) -> ComparisonError {
    ComparisonError(.missing, "\(program): it could not be run (\(String(cString: strerror(code))))")
  }
}

/// The child process that a comparison is waiting for.
public enum RunningChild {
  fileprivate static let current = Mutex<pid_t?>(nil)

  /// Sends a signal to the child process and to those that it has started; does nothing without a child process.
  public static func send(_ signal: Int32) {
    // Under the lock, so that `run` does not reap the process before the signal is sent.
    current.withLock { child in
      guard let child else { return }
      // If there is no such group, the child process alone receives the signal.
      if kill(-child, signal) != 0 { kill(child, signal) }
    }
  }
}

/// Digests of files, computed by `sha256sum`: the package has no other need for cryptography.
enum FileDigest {
  /// Returns 64 hexadecimal digits.
  /// - Throws: `ComparisonError` if the file cannot be read.
  static func sha256(of path: String) throws -> String {
    // The output begins with a backslash if the name of the file has one.
    let end = try ChildProcess.run("sha256sum", ["--", path])
    let digest = end.output.drop { $0 == "\\" }.prefix { !$0.isWhitespace }
    guard end.exitCode == 0, digest.count == 64 else {
      throw ComparisonError(.failure, "sha256sum \(path): \(end.lastLines)")
    }
    return String(digest)
  }
}
