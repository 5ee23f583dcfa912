internal import ArgumentParser
internal import BenchModel
internal import Glibc

/// The program, as a library: what it does for given arguments, and how its process ends.
public enum Program {
  static let name = "yapbench"
  static let version = "0.1.0"

  /// Does what the process was asked to, and ends it.
  public static func main() -> Never {
    // Whoever reads our output may go away, as `head` does; a run still has a report to write.
    signal(SIGPIPE, SIG_IGN)
    end(run(Array(CommandLine.arguments.dropFirst()), in: .process()))
  }

  /// - Parameter arguments: without the program's own name.
  /// - Returns: the exit code.
  static func run(_ arguments: [String], in context: CommandContext) -> Int32 {
    let code = perform(arguments, in: context)
    guard let problem = context.output.failure else { return code }
    context.errors.error("standard output: could not be written (\(problem)). Check that its disk has room.")
    return ExitStatus.gravest([code, ExitStatus.cannotCreateOutput.rawValue])
  }

  private static func perform(_ arguments: [String], in context: CommandContext) -> Int32 {
    do {
      var command = try RootCommand.parseAsRoot(arguments)
      if let subcommand = command as? any Subcommand { return subcommand.perform(in: context) }
      try command.run()
      return ExitStatus.allHeld.rawValue
    } catch {
      // Help and the version arrive as errors, too.
      let code = RootCommand.exitCode(for: error)
      let message = RootCommand.fullMessage(for: error)
      let output = code.isSuccess ? context.output : context.errors
      if !message.isEmpty { output.line(message) }
      return code.rawValue
    }
  }

  /// The only place where the process ends. Nothing is buffered, and threads may be running still that would not
  /// survive the destructors of the libraries.
  static func end(_ code: Int32) -> Never { _exit(code) }
}
