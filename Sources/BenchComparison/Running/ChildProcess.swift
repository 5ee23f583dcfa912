internal import Foundation

/// A program that runs to its end, with its output.
enum ChildProcess {
  struct End {
    /// As a shell reports it: 128 plus the number of the signal, if one ended the process.
    var exitCode: Int32
    /// Standard output and standard error together.
    var output: String

    /// The end of the output, for error messages.
    var lastLines: String { output.split(separator: "\n").suffix(5).joined(separator: "; ") }
  }

  /// Runs a program with `/dev/null` as its standard input.
  ///
  /// - Parameter program: a path, or a name that is searched in `PATH`.
  /// - Throws: `ComparisonError` if it cannot be started.
  static func run(_ program: String, _ arguments: [String]) throws -> End {
    let process = Process()
    let isPath = program.contains("/")
    process.executableURL = URL(fileURLWithPath: isPath ? program : "/usr/bin/env")
    process.arguments = isPath ? arguments : [program] + arguments
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    do { try process.run() } catch {
      throw ComparisonError(.missing, "\(program): it could not be run (\(error.localizedDescription))")
    }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let signal: Int32 = process.terminationReason == .exit ? 0 : 128
    return End(exitCode: process.terminationStatus + signal, output: String(decoding: data, as: UTF8.self))
  }
}
