internal import Glibc
internal import ThreadingPrimitives

/// A child process whose standard output is read line by line, and that is killed at a chosen moment.
///
/// Its standard input and output are a socket to this process. Data that it has written survive its death, and its
/// input ends when this process ends. It has a process group of its own, so a terminal's Ctrl-C does not reach it.
final class SpawnedProcess {
  /// The end of a process.
  enum End: Equatable {
    case exited(Int32)
    case signalled(Int32)
  }

  private let process: pid_t
  private let socket: Int32
  /// The beginning of a line whose end has not arrived.
  private var rest: [UInt8] = []
  private var isAtEnd = false
  private var end: End?

  /// Starts a program, which is searched in `PATH` if it is a name without a slash.
  /// - Parameter errors: The path of a file to which standard error is appended.
  /// - Throws: `SpawnError`.
  init(_ program: String, _ arguments: [String], errors: String) throws {
    let (socket, other) = try Self.sockets()
    defer { close(other) }
    self.socket = socket
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, other, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, other, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    let words = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, program, &actions, &attributes, words + [nil], environ)
    guard code == 0 else {
      close(socket)
      throw SpawnError(description: "\(program): it could not be run (\(String(cString: strerror(code))))")
    }
    self.process = process
  }

  deinit {
    if end == nil {
      kill()
      _ = wait()
    }
    close(socket)
  }

  private static func sockets() throws -> (own: Int32, other: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw SpawnError(description: "no socket could be created: \(String(cString: strerror(errno)))")
    }
    return (ends[0], ends[1])
  }

  /// Reads the available lines. Without any, waits for output.
  /// - Parameter milliseconds: The longest wait.
  /// - Returns: Complete lines, which may be none; nil if standard output has ended and all lines were returned.
  func lines(milliseconds: Int32) -> [Substring]? {
    guard !isAtEnd else { return nil }
    var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, milliseconds) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(socket, &bytes, bytes.count)
    if count < 0, errno == EINTR { return [] }
    guard count > 0 else {
      isAtEnd = true
      return nil
    }
    rest += bytes[..<count]
    guard let newline = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let text = String(decoding: rest[...newline], as: UTF8.self)
    rest.removeSubrange(...newline)
    return text.split(separator: "\n")
  }

  /// Sends SIGKILL. Has no effect after `wait`.
  func kill() { if end == nil { Glibc.kill(process, SIGKILL) } }

  /// Waits until the process has ended.
  func wait() -> End {
    if let end { return end }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7f
    let end = signal == 0 ? End.exited(status >> 8 & 0xff) : .signalled(signal)
    self.end = end
    return end
  }
}

/// The error of starting a child process.
struct SpawnError: Error, CustomStringConvertible {
  let description: String
}
