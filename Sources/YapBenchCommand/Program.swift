internal import ArgumentParser
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import Glibc
internal import HarnessPrimitives

/// The program as a library.
package enum Program {
  static let name = "yapbench"
  static let version = "0.1.0"

  /// Runs the command of the process's arguments, and ends the process.
  package static func main() -> Never {
    StandardStreams.occupyMissing()
    // A reader of the output may end, as `head` does, while a run still has a report to write.
    signal(SIGPIPE, SIG_IGN)
    // A file that exceeds the size limit (ulimit -f) is a write error with its path.
    signal(SIGXFSZ, SIG_IGN)
    // Before Foundation and Dispatch are used, which end the process if they get no descriptor.
    do {
      try DescriptorLimit.reserve(DescriptorNeed.ofProgram)
    } catch {
      DescriptorOutput(descriptor: STDERR_FILENO).line("error: \(error). Runs of scenarios need more descriptors.")
      end(ExitStatus.systemLimit.rawValue)
    }
    if let shown = firstArgumentThatIsNotText() {
      DescriptorOutput(descriptor: STDERR_FILENO).error(
        "the argument \(shown) is not UTF-8; expected text. Rename the file, or name its folder"
      )
      end(ExitStatus.usage.rawValue)
    }
    end(run(Array(CommandLine.arguments.dropFirst()), in: .process()))
  }

  /// - Returns: The first such argument, with its bytes escaped; nil if all arguments are UTF-8.
  private static func firstArgumentThatIsNotText() -> String? {
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      if String(validatingCString: argument) == nil { return EscapedBytes.text(argument) }
    }
    return nil
  }

  /// - Parameter arguments: The arguments without the program's own name.
  /// - Returns: The exit code.
  static func run(_ arguments: [String], in context: CommandContext) -> Int32 {
    var context = context
    if EventStream.isWanted(by: arguments) { context.errors = EventStream(to: context.errors) }
    var code = perform(arguments, in: context)
    if let problem = context.output.failure {
      context.errors.error("standard output: could not be written (\(problem)). Check the free space of its disk.")
      code = ExitStatus.mostSevere([ExitStatus(rawValue: code), .cannotCreateOutput].compactMap(\.self)).rawValue
    }
    context.events?.end(exit: code)
    return code
  }

  private static func perform(_ arguments: [String], in context: CommandContext) -> Int32 {
    let command: any ParsableCommand
    do {
      command = try RootCommand.parseAsRoot(arguments)
    } catch {
      let code = showParserMessage(error, in: context)
      if let word = RootCommand.subcommand(mistypedIn: arguments) { context.errors.line("Did you mean \"\(word)\"?") }
      return code
    }
    do {
      if let subcommand = command as? any Subcommand { return try subcommand.perform(in: context) }
    } catch let end as CleanExit {
      return showParserMessage(end, in: context)
    } catch {
      let failure = Failure(error)
      context.errors.error(failure.text)
      return failure.status.rawValue
    }
    // A command with subcommands only shows its help.
    do {
      var command = command
      try command.run()
      return ExitStatus.passed.rawValue
    } catch {
      return showParserMessage(error, in: context)
    }
  }

  /// Shows the message of a parser's error. Successful ends also are errors, such as those that show help or a version.
  private static func showParserMessage(_ error: any Error, in context: CommandContext) -> Int32 {
    let code = RootCommand.exitCode(for: error)
    let message = RootCommand.fullMessage(for: error)
    let output = code.isSuccess ? context.output : context.errors
    if !message.isEmpty { output.line(message) }
    return code.rawValue
  }

  /// Ends the process without calling exit handlers, which could destroy objects that running threads still use. Output
  /// is not buffered, so none is lost.
  static func end(_ code: Int32) -> Never { _exit(code) }
}
