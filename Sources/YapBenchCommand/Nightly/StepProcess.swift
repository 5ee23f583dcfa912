internal import BenchComparison
internal import BenchResults
internal import Foundation
internal import Glibc
internal import Synchronization
internal import ThreadingPrimitives

/// Runs the steps of a night, each in a process of its own, so a crash of the engine ends one step and not the night.
///
/// Foundation puts a step's process into a group of its own, so a terminal's Ctrl-C reaches only the night, which sends
/// SIGINT to the step.
final class StepProcess: Sendable {
  /// The longest wait for output before `shouldEnd` is called.
  private static let pollMilliseconds: Int32 = 100
  /// The time that a step gets to end its own child processes after a second Ctrl-C.
  private static let endNanoseconds: UInt64 = 500_000_000
  /// A program of util-linux that makes the kernel kill the step when the night is killed.
  private static let setpriv = "/usr/bin/setpriv"

  private let program: String
  private let child = Mutex<pid_t?>(nil)

  /// - Parameter program: By default the program of this process, even if its file has been replaced since the start.
  init(_ program: String = "/proc/\(getpid())/exe") { self.program = program }

  /// Runs a step to its end.
  ///
  /// - Parameters:
  ///   - output: Receives the lines of the step's standard output as they arrive.
  ///   - errors: Receives the lines of the step's standard error as they arrive.
  ///   - shouldEnd: Is called about ten times per second or more often, until it returns true and the step gets SIGINT.
  /// - Returns: The exit code as a shell reports it: 128 plus the number of the signal, if one ended the step.
  /// - Throws: `ComparisonError` if the program cannot be started.
  func run(
    _ arguments: [String],
    output: any TextOutput,
    errors: any TextOutput,
    shouldEnd: () -> Bool
  ) throws -> Int32 {
    var streams = [LineStream(to: output), LineStream(to: errors)]
    let process = process(arguments, streams)
    do { try process.run() } catch {
      throw ComparisonError(.missing, "\(program): it could not be run (\(error.localizedDescription))")
    }
    child.withLock { $0 = process.processIdentifier }
    defer { child.withLock { $0 = nil } }
    var wasInterrupted = false
    while streams.contains(where: \.isOpen) {
      var descriptors = streams.map(\.polled)
      let ready = poll(&descriptors, nfds_t(streams.count), Self.pollMilliseconds)
      // A process that a crashed step has left behind may hold the pipes open.
      if ready == 0, !process.isRunning { break }
      for index in streams.indices where descriptors[index].revents != 0 { streams[index].receive() }
      if !wasInterrupted, shouldEnd() {
        wasInterrupted = true
        interrupt()
      }
    }
    for index in streams.indices { streams[index].finish() }
    process.waitUntilExit()
    let signal: Int32 = process.terminationReason == .exit ? 0 : 128
    return process.terminationStatus + signal
  }

  private func process(_ arguments: [String], _ streams: [LineStream]) -> Process {
    let process = Process()
    let endsWithThis = FileManager.default.isExecutableFile(atPath: Self.setpriv)
    process.executableURL = URL(fileURLWithPath: endsWithThis ? Self.setpriv : program)
    process.arguments = (endsWithThis ? ["--pdeathsig", "KILL", "--", program] : []) + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = streams[0].pipe
    process.standardError = streams[1].pipe
    return process
  }

  // MARK: Signals

  /// Sends SIGINT to the running step; does nothing if there is none.
  private func interrupt() {
    child.withLock { child in
      guard let child else { return }
      kill(child, SIGINT)
    }
  }

  /// Makes Ctrl-C raise the interruption of the context, at which the night ends its step. A second Ctrl-C interrupts
  /// the step again, and ends this process half a second later.
  func endOnSignals(in context: CommandContext) throws {
    let errors = context.errors
    try context.watchSignals {
      errors.line("interrupted: ending the current step; interrupt again to end immediately")
    } end: {
      self.interrupt()
      Parker().park(deadline: MonotonicClock.now + Self.endNanoseconds)
      Program.end(ExitStatus.interrupted.rawValue)
    }
  }
}

/// A pipe whose lines are written to an output as soon as they are complete.
private struct LineStream {
  private static let newline = UInt8(ascii: "\n")
  private static let maximumBytes = 1 << 16

  let pipe = Pipe()
  private(set) var isOpen = true
  private let receiver: any TextOutput
  /// The beginning of a line.
  private var rest: [UInt8] = []

  init(to receiver: any TextOutput) { self.receiver = receiver }

  private var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

  /// The argument for `poll`, which ignores the negative descriptor of a closed pipe.
  var polled: pollfd { pollfd(fd: isOpen ? descriptor : -1, events: Int16(POLLIN), revents: 0) }

  /// Reads once. Must be called after `poll` has reported data or the end of the pipe.
  mutating func receive() {
    var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
    let count = read(descriptor, &bytes, Self.maximumBytes)
    if count < 0, errno == EINTR { return }
    guard count > 0 else {
      isOpen = false
      return
    }
    rest += bytes[..<count]
    guard let end = rest.lastIndex(of: Self.newline) else { return }
    receiver.write(String(decoding: rest[...end], as: UTF8.self))
    rest.removeSubrange(...end)
  }

  /// Writes the incomplete last line, if there is one.
  mutating func finish() {
    guard !rest.isEmpty else { return }
    receiver.line(String(decoding: rest, as: UTF8.self))
    rest = []
  }
}
