internal import Glibc
internal import Synchronization

/// A program that has run to its end, with the text that it has written.
public struct FinishedProcess: Sendable {
  public var end: ChildProcess.End
  /// Standard output.
  public var output = ""
  /// Standard error.
  public var errors = ""

  /// As a shell reports it: 128 plus the number of the signal, if one ended the process.
  public var exitCode: Int32 { end.exitCode }

  /// The last five lines of standard error, for error messages.
  public var errorLines: String { errors.split(separator: "\n").suffix(5).joined(separator: "; ") }

  /// The last five lines of standard output followed by standard error, for error messages.
  public var lastLines: String { (output + "\n" + errors).split(separator: "\n").suffix(5).joined(separator: "; ") }
}

extension ChildProcess {
  /// A standard stream that a program writes.
  public enum Written: Int, Sendable {
    case output, errors
  }

  /// The processes that `run` is waiting for.
  private static let running = Mutex<[pid_t: ChildProcess]>([:])

  /// The longest wait for output before the process is asked for its state.
  private static let pollMilliseconds: Int32 = 100

  /// The bytes that are read after the end of a process: as many as a pipe can hold. A process that it has left behind
  /// may write more without end.
  private static let mostBytesAfterEnd = 1 << 20

  /// Runs a program to its end. Its standard input is empty.
  /// - Parameters:
  ///   - program: A path, or a name that is searched in `PATH`.
  ///   - variables: Variables that are added to the environment, or replaced.
  ///   - interruptIf: Is called about ten times per second or more often, until it returns true and the process gets
  ///     SIGINT.
  /// - Throws: `ProgramNotStarted`.
  public static func run(
    _ program: String,
    _ arguments: [String],
    variables: [String: String] = [:],
    interruptIf: () -> Bool = { false }
  ) throws(ProgramNotStarted) -> FinishedProcess {
    var written: [[UInt8]] = [[], []]
    let end = try run(program, arguments, variables: variables, interruptIf: interruptIf) { written[$0.rawValue] += $1 }
    let texts = written.map { String(decoding: $0, as: UTF8.self) }
    return FinishedProcess(end: end, output: texts[0], errors: texts[1])
  }

  /// Runs a program to its end, and passes on its output as it arrives.
  /// - Parameters:
  ///   - interruptIf: Is called about ten times per second or more often, until it returns true and the process gets
  ///     SIGINT.
  ///   - receive: Receives a part of the output.
  /// - Throws: `ProgramNotStarted`.
  public static func run(
    _ program: String,
    _ arguments: [String],
    variables: [String: String] = [:],
    interruptIf: () -> Bool = { false },
    receive: (Written, ArraySlice<UInt8>) -> Void
  ) throws(ProgramNotStarted) -> End {
    let pipes = [try Pipe(for: program), try Pipe(for: program)]
    let child = try ChildProcess(
      program,
      arguments,
      output: .descriptor(pipes[0].writing),
      errors: .descriptor(pipes[1].writing),
      variables: variables
    )
    running.withLock { $0[child.identifier] = child }
    defer { _ = running.withLock { $0.removeValue(forKey: child.identifier) } }
    // While they are open here, the output does not end with the process.
    for pipe in pipes { pipe.closeWriting() }
    child.read(pipes, interruptIf: interruptIf, receive)
    return child.wait()
  }

  /// Sends a signal to each process that `run` is waiting for, and to the processes that these have started.
  public static func sendToRunning(_ signal: Int32) {
    for child in running.withLock({ Array($0.values) }) { child.send(signal) }
  }

  /// Reads pipes to their ends. All are read at once, because the process blocks while one of them is full. A process
  /// that the child has left behind may hold them open, so reading also ends with the child.
  private func read(_ pipes: [Pipe], interruptIf: () -> Bool, _ receive: (Written, ArraySlice<UInt8>) -> Void) {
    var polled = pipes.map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var wasInterrupted = false
    var bytesAfterEnd = 0
    // `poll` ignores negative descriptors.
    while polled.contains(where: { $0.fd >= 0 }), bytesAfterEnd < Self.mostBytesAfterEnd {
      // Asked before the pipes are looked at, so that they contain everything that an ended process has written.
      let hasEnded = self.hasEnded
      let ready = poll(&polled, nfds_t(polled.count), hasEnded ? 0 : Self.pollMilliseconds)
      if ready < 0, errno != EINTR { break }
      if ready == 0, hasEnded { break }
      for index in polled.indices where ready > 0 && polled[index].fd >= 0 && polled[index].revents != 0 {
        let count = Glibc.read(polled[index].fd, &buffer, buffer.count)
        if count > 0 {
          if hasEnded { bytesAfterEnd += count }
          if let stream = Written(rawValue: index) { receive(stream, buffer[..<count]) }
        } else if count == 0 || errno != EINTR {
          polled[index].fd = -1
        }
      }
      if !wasInterrupted, interruptIf() {
        wasInterrupted = true
        send(SIGINT)
      }
    }
  }
}

/// A pipe, whose ends are closed with the instance.
private final class Pipe {
  let reading: Int32
  private(set) var writing: Int32

  init(for program: String) throws(ProgramNotStarted) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ProgramNotStarted(program: program, .system(errno)) }
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
