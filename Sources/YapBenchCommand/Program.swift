internal import ArgumentParser
internal import BenchModel
internal import BenchRunner
internal import Glibc
internal import SystemFiles

/// The program, as a library: what it does for given arguments, and how its process ends.
public enum Program {
  static let name = "yapbench"
  static let version = "0.1.0"

  /// Does what the process was asked to, and ends it.
  public static func main() -> Never {
    // A reader of the output may end, as `head` does; a run still has a report to write.
    signal(SIGPIPE, SIG_IGN)
    // A file that exceeds the size limit (ulimit -f) is a write error with its path.
    signal(SIGXFSZ, SIG_IGN)
    // Before Foundation and Dispatch are used: they end the process where they get no descriptor.
    do {
      try DescriptorLimit.reserve(DescriptorNeed.ofProgram)
    } catch {
      DescriptorOutput(descriptor: STDERR_FILENO).line("error: \(error). Scenarios with databases need more")
      end(ExitStatus.systemLimit.rawValue)
    }
    if let shown = firstArgumentThatIsNotText() {
      DescriptorOutput(descriptor: STDERR_FILENO).error(
        "the argument \(shown) is not UTF-8; expected text. Rename the file, or name the folder that it is in"
      )
      end(ExitStatus.usage.rawValue)
    }
    end(run(Array(CommandLine.arguments.dropFirst()), in: .process()))
  }

  /// - Returns: the argument with its bytes escaped; nil where all are UTF-8.
  private static func firstArgumentThatIsNotText() -> String? {
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      if String(validatingCString: argument) == nil { return EscapedBytes.text(argument) }
    }
    return nil
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
