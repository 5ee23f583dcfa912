internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Runs programs to their end. Each runs in a process group of its own, so a terminal's Ctrl-C does not reach it;
/// `RunningChild` passes signals on.
public enum ChildProcess {
  public struct End: Sendable {
    /// As a shell reports it: 128 plus the number of the signal, if one ended the process.
    public var exitCode: Int32
    /// Standard output.
    public var output: String
    /// Standard error.
    public var errors: String

    /// The last five lines of standard output followed by standard error, for error messages.
    public var lastLines: String { (output + "\n" + errors).split(separator: "\n").suffix(5).joined(separator: "; ") }
  }

  /// Runs a program with `/dev/null` as its standard input, in the environment of this process without the variables of
  /// `Git.repositoryVariables`.
  /// - Parameters:
  ///   - program: A path, or a name that is searched in `PATH`.
  ///   - variables: Variables that are added to the environment, or replaced.
  /// - Throws: `ProgramNotStarted`.
  public static func run(
    _ program: String,
    _ arguments: [String],
    variables: [String: String] = [:]
  ) throws(ProgramNotStarted) -> End {
    let (output, errors) = (try Pipe(for: program), try Pipe(for: program))
    let child = try start(program, arguments, environment: environment(with: variables), output: output, errors: errors)
    RunningChild.current.withLock { $0 = child }
    let texts = contents(of: [output, errors], writtenBy: child)
    // Until the child is reaped, no other process can get its number, so `RunningChild` signals no other process.
    var info = siginfo_t()
    while waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    RunningChild.current.withLock { $0 = nil }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    // The low seven bits are the number of the signal that ended the process, the next byte its exit code.
    let signal = status & 0x7F
    let code = signal == 0 ? status >> 8 & 0xFF : 128 + signal
    return End(exitCode: code, output: texts[0], errors: texts[1])
  }

  private static func environment(with variables: [String: String]) -> [String: String] {
    ProcessInfo.processInfo.environment.filter { !Git.repositoryVariables.contains($0.key) }
      .merging(variables) { $1 }
  }

  /// Starts a program in a process group of its own, and closes the writing ends of the pipes: while they are open
  /// here, the output would not end with the process.
  private static func start(
    _ program: String,
    _ arguments: [String],
    environment: [String: String],
    output: Pipe,
    errors: Pipe
  ) throws(ProgramNotStarted) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      output.closeWriting()
      errors.closeWriting()
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, STDERR_FILENO)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var texts = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in variables { free(text) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, program, &actions, &attributes, &texts, &variables)
    guard code == 0 else { throw ProgramNotStarted(program: program, code: code) }
    return child
  }

  /// The longest wait for output before the process is asked for its state.
  private static let pollMilliseconds: Int32 = 500

  /// Reads pipes to their ends. All are read at once, because the process blocks while one of them is full. A process
  /// that the child has left behind may hold them open, so reading also ends with the child.
  private static func contents(of pipes: [Pipe], writtenBy child: pid_t) -> [String] {
    var polled = pipes.map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
    var contents = pipes.map { _ in [UInt8]() }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var hasEnded = false
    // `poll` ignores negative descriptors.
    while polled.contains(where: { $0.fd >= 0 }) {
      let ready = poll(&polled, nfds_t(polled.count), hasEnded ? 0 : pollMilliseconds)
      if ready < 0, errno != EINTR { break }
      if ready == 0 {
        if hasEnded { break }
        // It may have written something before its end, after the pipes were looked at.
        hasEnded = self.hasEnded(child)
      }
      for index in polled.indices where polled[index].fd >= 0 && polled[index].revents != 0 {
        polled[index].revents = 0
        let count = read(polled[index].fd, &buffer, buffer.count)
        if count > 0 {
          contents[index] += buffer[..<count]
        } else if count == 0 || errno != EINTR {
          polled[index].fd = -1
        }
      }
    }
    return contents.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func hasEnded(_ child: pid_t) -> Bool {
    var info = siginfo_t()
    // Without an ended child, `waitid` leaves `info` as it is.
    return waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT | WNOHANG) != 0 || info.si_signo != 0
  }

  /// A pipe that child processes do not inherit, except as their output.
  private final class Pipe {
    let reading: Int32
    private(set) var writing: Int32

    init(for program: String) throws(ProgramNotStarted) {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw ProgramNotStarted(program: program, code: errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }

    func closeWriting() {
      if writing >= 0 { close(writing) }
      writing = -1
    }

    deinit {
      closeWriting()
      close(reading)
    }
  }
}

/// The error for a program that cannot be started.
public struct ProgramNotStarted: Error, Sendable, Equatable, CustomStringConvertible {
  public let program: String
  /// The number of the system's error.
  public let code: Int32

  public var description: String { "\(program): it could not be run (\(String(cString: strerror(code))))" }
}

/// The child process that this process is waiting for.
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
