public import BenchDrivers
internal import Foundation
internal import Glibc
public import ThreadingPrimitives

/// Runs trials, each in a process of its own, so that a crash, a trap or a hang of the engine is a result.
public struct TrialProcess: Sendable {
  /// The time after which a trial is killed. Trials take a second, and give a blocked engine up after ten.
  static let longestNanoseconds: UInt64 = 60_000_000_000
  private static let pollNanoseconds: UInt64 = 100_000_000

  public var program: EngineProcess.Program
  /// Raised when trials should end; the running ones are killed.
  public var interruption: StopFlag

  public init(interruption: StopFlag, program: EngineProcess.Program = .this) {
    self.program = EngineProcess.Program(path: program.path, arguments: [TrialHost.argument])
    self.interruption = interruption
  }

  /// Runs a scenario and waits for its end. Then the folder contains the scenario, its database, and the text that
  /// the process wrote to standard error.
  /// - Parameter folder: a new folder, which is created.
  /// - Returns: nil after an interruption.
  /// - Throws: errors of creating files, and of starting the process.
  public func run(_ scenario: String, _ settings: TrialSettings, in folder: String) throws -> TrialResult? {
    let files = FileManager.default
    try? files.removeItem(atPath: folder)
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(scenario.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(TrialHost.scenarioFile)"))
    try JSONEncoder().encode(settings).write(to: URL(fileURLWithPath: "\(folder)/\(TrialHost.settingsFile)"))
    let errors = "\(folder)/stderr.txt"
    try Data().write(to: URL(fileURLWithPath: errors))
    let end = try end(folder, errors: errors)
    if interruption.isRaised, end != .exit(0) { return nil }
    let result = try? JSONDecoder().decode(
      TrialResult.self,
      from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(TrialHost.resultFile)"))
    )
    if let result, end == .exit(0) { return result }
    var failed = TrialResult()
    let text = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
    failed.failures = ["\(end)" + (text.isEmpty ? "" : ": \(text.split(separator: "\n").first ?? "")")]
    return failed
  }

  private enum End: Equatable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)
    case killed

    var description: String {
      switch self {
      case .exit(let code): "the process of the run ended with exit code \(code)"
      case .signal(let number): "the process of the run ended with signal \(number)"
      case .killed: "the run did not end within \(TrialProcess.longestNanoseconds / 1_000_000_000) s"
      }
    }
  }

  private func end(_ folder: String, errors: String) throws -> End {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program.path)
    process.arguments = program.arguments + [folder]
    // Nothing is written. The process ends when the pipe is closed, which happens when this process ends.
    let input = Pipe()
    defer { try? input.fileHandleForWriting.close() }
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    let errorFile = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
    defer { try? errorFile.close() }
    process.standardError = errorFile
    let ended = Parker()
    process.terminationHandler = { _ in ended.unpark() }
    try process.run()
    let latest = MonotonicClock.now + Self.longestNanoseconds
    while !ended.park(deadline: MonotonicClock.now + Self.pollNanoseconds) {
      guard interruption.isRaised || MonotonicClock.now > latest else { continue }
      kill(process.processIdentifier, SIGKILL)
      ended.park()
      return .killed
    }
    process.waitUntilExit()
    return process.terminationReason == .exit ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
  }
}
