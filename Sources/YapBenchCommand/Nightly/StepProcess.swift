internal import BenchResults
internal import Glibc
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// Runs the steps of a night, each in a process of its own, so a crash of the engine ends one step and not the night.
struct StepProcess: Sendable {
  /// The time that a step gets to end its own child processes after a second Ctrl-C.
  private static let endNanoseconds: UInt64 = 500_000_000

  private let program: String

  /// - Parameter program: By default the program of this process, even if its file has been replaced since the start.
  init(_ program: String = "/proc/\(getpid())/exe") { self.program = program }

  /// Runs a step to its end.
  ///
  /// - Parameters:
  ///   - output: Receives the lines of the step's standard output as they arrive.
  ///   - errors: Receives the lines of the step's standard error as they arrive.
  ///   - shouldEnd: Is called about ten times per second or more often, until it returns true and the step gets SIGINT.
  /// - Returns: The exit code as a shell reports it: 128 plus the number of the signal, if one ended the step.
  /// - Throws: `ProgramNotStarted`.
  func run(
    _ arguments: [String],
    output: any TextOutput,
    errors: any TextOutput,
    shouldEnd: () -> Bool
  ) throws -> Int32 {
    var streams = [WrittenLines(to: output), WrittenLines(to: errors)]
    let end = try ChildProcess.run(program, arguments, interruptIf: shouldEnd) { streams[$0.rawValue].receive($1) }
    for index in streams.indices { streams[index].finish() }
    return end.exitCode
  }

  /// Makes Ctrl-C raise the interruption of the context, at which the night ends its step. A second Ctrl-C interrupts
  /// the step again, and ends this process half a second later.
  func endOnSignals(in context: CommandContext) throws {
    let errors = context.errors
    try context.watchSignals {
      errors.line("interrupted: ending the current step; interrupt again to end immediately")
    } end: {
      ChildProcess.sendToRunning(SIGINT)
      Parker().park(deadline: MonotonicClock.now + Self.endNanoseconds)
      Program.end(ExitStatus.interrupted.rawValue)
    }
  }
}

/// Output of a process, whose lines are written to an output as soon as they are complete.
private struct WrittenLines {
  private static let newline = UInt8(ascii: "\n")

  private let receiver: any TextOutput
  /// The beginning of a line.
  private var rest: [UInt8] = []

  init(to receiver: any TextOutput) { self.receiver = receiver }

  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    rest += bytes
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
