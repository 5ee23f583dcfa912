internal import CSpawn
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// A running program that this process has started. This is the only way in which it starts programs.
///
/// - It has a process group of its own, so a terminal's Ctrl-C does not reach it. Signals go to the whole group, which
///   includes the processes that the program starts.
/// - The kernel kills it when this process ends, even by SIGKILL; a program that it has started may stay.
/// - It inherits no descriptors but standard input, output and error, and no variables of `Git.repositoryVariables`.
/// - It blocks no signal, whatever the thread that starts it blocks.
///
/// It is killed if the last reference to it is released before its end was awaited.
public final class ChildProcess: Sendable {
  /// The end of a process.
  public enum End: Sendable, Equatable, CustomStringConvertible {
    case exited(Int32)
    /// A signal of this number has ended the process.
    case signalled(Int32)

    /// - Parameter status: The status that `waitpid` has stored.
    init(status: Int32) {
      // The low seven bits are the number of the signal that ended the process, the next byte its exit code.
      let signal = status & 0x7F
      self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
    }

    /// The exit code as a shell reports it: 128 plus the number of the signal, if one ended the process.
    public var exitCode: Int32 {
      switch self {
      case .exited(let code): code
      case .signalled(let number): 128 + number
      }
    }

    public var description: String {
      switch self {
      case .exited(let code): "exit code \(code)"
      case .signalled(let number): "signal \(number)"
      }
    }
  }

  /// The file of a standard stream of a child process.
  public enum Stream: Sendable {
    case inherited
    /// `/dev/null`.
    case null
    /// The file at a path. Output is appended; a missing file for output is created.
    case file(String)
    /// An open descriptor, such as an end of a pipe or a socket. The caller closes it.
    case descriptor(Int32)
  }

  private static let tickMilliseconds: Int32 = 10

  public let identifier: Int32
  /// nil until the process was reaped. Signals are sent under this lock, so that none reaches a process that has got
  /// the same number later.
  private let end = Mutex<End?>(nil)

  /// Starts a program.
  /// - Parameters:
  ///   - program: A path, or a name that is searched in `PATH`. A relative path begins at this process's folder.
  ///   - variables: Variables that are added to the environment, or replaced.
  /// - Throws: `ProgramNotStarted`.
  public init(
    _ program: String,
    _ arguments: [String],
    input: Stream = .null,
    output: Stream = .null,
    errors: Stream = .inherited,
    variables: [String: String] = [:]
  ) throws(ProgramNotStarted) {
    // They stay open until the process has its copies.
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    let input = try Self.descriptor(of: input, STDIN_FILENO, for: program, &opened)
    let output = try Self.descriptor(of: output, STDOUT_FILENO, for: program, &opened)
    let errors = try Self.descriptor(of: errors, STDERR_FILENO, for: program, &opened)
    let path = try Self.path(of: program)
    let environment = ProcessInfo.processInfo.environment.filter { !Git.repositoryVariables.contains($0.key) }
      .merging(variables) { $1 }
      .map { "\($0)=\($1)" }
    guard !([program] + arguments + environment).contains(where: { $0.utf8.contains(0) }) else {
      throw ProgramNotStarted(program: program, .nullByte)
    }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var settings = environment.map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    var child: pid_t = 0
    let code = words.withUnsafeMutableBufferPointer { words in
      settings.withUnsafeMutableBufferPointer { settings in
        path.withCString { path in
          var order = cspawn_order(
            program: path,
            arguments: words.baseAddress!,
            environment: settings.baseAddress!,
            input: input,
            output: output,
            errors: errors
          )
          return cspawn_start(&order, &child)
        }
      }
    }
    guard code == 0 else { throw ProgramNotStarted(program: program, .system(code)) }
    identifier = child
  }

  deinit {
    guard end.withLock({ $0 == nil }) else { return }
    _ = kill()
  }

  // MARK: Signals and the end

  /// Sends a signal to the processes of its group; does nothing once its end was awaited.
  public func send(_ signal: Int32) {
    end.withLock { end in
      guard end == nil else { return }
      _ = Glibc.kill(-identifier, signal)
    }
  }

  /// Kills the processes of its group, and waits for its end.
  /// - Returns: An earlier end, if the process had already ended.
  @discardableResult
  public func kill() -> End {
    send(SIGKILL)
    return wait()
  }

  /// Waits until the process has ended.
  @discardableResult
  public func wait() -> End {
    // Without the lock, so that signals can be sent. The process is not reaped yet, so no other gets its number.
    var info = siginfo_t()
    while !isReaped, waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return reap()
  }

  /// Waits until the process has ended, but no longer than a time.
  /// - Parameter isCancelled: Ends the wait; it is called about a hundred times per second.
  /// - Returns: nil if the process still runs.
  public func wait(milliseconds: Int, until isCancelled: () -> Bool = { false }) -> End? {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    while !hasEnded {
      guard ContinuousClock.now < deadline, !isCancelled() else { return nil }
      poll(nil, 0, Self.tickMilliseconds)
    }
    return reap()
  }

  /// Whether the process has ended.
  public var hasEnded: Bool {
    guard !isReaped else { return true }
    var info = siginfo_t()
    // Without an ended child, `waitid` leaves `info` as it is.
    return waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT | WNOHANG) != 0 || info.si_signo != 0
  }

  private var isReaped: Bool { end.withLock { $0 != nil } }

  private func reap() -> End {
    end.withLock { end in
      if let end { return end }
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0 {
        precondition(errno == EINTR, "only this instance reaps its process, and SIGCHLD is not ignored")
      }
      let reaped = End(status: status)
      end = reaped
      return reaped
    }
  }

  // MARK: Starting

  /// Returns the descriptor of a standard stream. One that is opened for it is appended to `opened`.
  private static func descriptor(
    of stream: Stream,
    _ number: Int32,
    for program: String,
    _ opened: inout [Int32]
  ) throws(ProgramNotStarted) -> Int32 {
    let path: String
    switch stream {
    case .descriptor(let descriptor): return descriptor
    case .inherited where fcntl(number, F_GETFD) >= 0: return number
    case .inherited, .null: path = "/dev/null"
    case .file(let given): path = given
    }
    let flags = number == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND
    let descriptor = open(path, flags | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw ProgramNotStarted(program: program, .file(path, errno)) }
    opened.append(descriptor)
    return descriptor
  }

  /// Returns the path of a program. A name without a slash is the name of the first executable file in `PATH`.
  private static func path(of program: String) throws(ProgramNotStarted) -> String {
    if program.contains("/") {
      return program.hasPrefix("/") ? program : "\(FileManager.default.currentDirectoryPath)/\(program)"
    }
    var code = ENOENT
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    for folder in folders.split(separator: ":") where !program.isEmpty {
      let path = "\(folder)/\(program)"
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if access(path, X_OK) == 0 { return path }
      code = EACCES
    }
    throw ProgramNotStarted(program: program, .system(code))
  }
}
