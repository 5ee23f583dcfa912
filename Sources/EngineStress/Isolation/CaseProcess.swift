internal import Foundation
internal import Glibc
internal import ThreadingPrimitives

/// A child process that runs cases. It ends when the instance is released.
///
/// It runs in a process group of its own, so that a terminal's Ctrl-C ends the campaign but no case.
// Used by one thread at a time.
final class CaseProcess: @unchecked Sendable {
  enum End {
    case finished(CaseOutcome)
    case hung
    /// The case was ended because its campaign was interrupted.
    case interrupted
    /// The signal or exit code, and the message of the trap.
    case crashed(String)
  }

  private let program: CaseProgram
  private let limitSeconds: Int
  private let descriptor: Int32
  private let socket: LineSocket
  /// Receives the process's standard error. The file has no name.
  private let errors: Int32
  private var child: pid_t?

  /// - Throws: `CaseProcessNotStarted`.
  init(_ program: CaseProgram, limitSeconds: Int) throws {
    self.program = program
    self.limitSeconds = limitSeconds
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw CaseProcessNotStarted(program: program.path, code: errno)
    }
    defer { close(ends[1]) }
    let errors = open(NSTemporaryDirectory(), O_RDWR | O_CLOEXEC | Self.temporaryFile, 0o600)
    let child: pid_t
    do { child = try Self.start(program, input: ends[1], errors: errors) } catch {
      close(ends[0])
      if errors >= 0 { close(errors) }
      throw error
    }
    // Only an instance whose process was started is complete, so that `deinit` closes no descriptor twice.
    descriptor = ends[0]
    socket = LineSocket(ends[0])
    self.errors = errors
    self.child = child
  }

  deinit {
    // Without its parent's end of the socket, an idle process ends by itself.
    close(descriptor)
    if errors >= 0 { close(errors) }
    _ = reap()
  }

  /// Runs one case. After all results but `finished`, the process has ended.
  func run(_ request: CaseRequest, until interruption: StopFlag) throws -> End {
    do { try socket.send(JSONEncoder().encode(request)) } catch is POSIXError { return .crashed(ending()) }
    switch try socket.receive(limitSeconds: limitSeconds, until: interruption) {
    case .line(let line): return .finished(try JSONDecoder().decode(CaseOutcome.self, from: line))
    case .closed: return .crashed(ending())
    case .timedOut:
      end()
      return .hung
    case .interrupted:
      end()
      return .interrupted
    }
  }

  private func end() {
    if let child { kill(child, SIGKILL) }
    _ = reap()
  }

  private func ending() -> String {
    let status = reap()
    let signal = status & 0x7F
    let end = signal == 0 ? "exit code \(status >> 8 & 0xFF)" : "signal \(signal)"
    return trapMessage.isEmpty ? end : "\(end): \(trapMessage)"
  }

  private var trapMessage: String {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = errors < 0 ? 0 : pread(errors, &bytes, bytes.count, 0)
    let lines = String(decoding: bytes[..<max(count, 0)], as: UTF8.self).split(separator: "\n")
    return String(lines.first { $0.contains("Fatal error") } ?? lines.last ?? "")
  }

  /// Waits for the end of the process.
  /// - Returns: The status of `waitpid`; 0 if it has been returned before.
  private func reap() -> Int32 {
    guard let ended = child else { return 0 }
    child = nil
    var status: Int32 = 0
    while waitpid(ended, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// `O_TMPFILE`, which is a macro that Swift cannot see.
  private static let temporaryFile: Int32 = 0o20000000 | O_DIRECTORY

  private static func start(_ program: CaseProgram, input: Int32, errors: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    if errors >= 0 { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var texts = ([program.path] + program.arguments).map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    // A backtrace would take longer than the limit of a case.
    let environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in variables { free(text) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, program.path, &actions, &attributes, &texts, &variables)
    guard code == 0 else { throw CaseProcessNotStarted(program: program.path, code: code) }
    return child
  }
}

/// The error of a child process that cannot be started.
public struct CaseProcessNotStarted: Error, CustomStringConvertible {
  public let program: String
  /// The value of `errno`.
  public let code: Int32

  public var description: String {
    "\(program): it could not be run (\(String(cString: strerror(code)))). Check that it is the yapbench program."
  }
}
