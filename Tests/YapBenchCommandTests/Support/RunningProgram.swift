import BenchDrivers
import Foundation

/// The program in a process of its own.
struct RunningProgram {
  struct End {
    var code: Int32
    var bySignal: Bool
    var errors: String
  }

  /// Runs a shell command, in which `$program` is the program, and waits for its end.
  /// - Parameter values: Further variables of the shell.
  func run(_ line: String, _ values: [String: String] = [:]) throws -> End {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // The tests may run in the background or without a terminal, where some signals are ignored.
    process.arguments = ["--default-signal=HUP,INT,QUIT,TERM", "/bin/sh", "-c", line]
    process.environment = values.merging(["program": EngineProcess.Program.this.path, "PATH": "/usr/bin:/bin"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return End(
      code: process.terminationStatus,
      bySignal: process.terminationReason == .uncaughtSignal,
      errors: String(decoding: text, as: UTF8.self)
    )
  }
}
