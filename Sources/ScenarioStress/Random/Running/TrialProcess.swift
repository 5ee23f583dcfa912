internal import BenchDrivers
internal import EngineStress
internal import Foundation
internal import ThreadingPrimitives

/// Runs trials, each in a process of its own, so that a crash, a trap or a hang of the engine is a result.
struct TrialProcess: Sendable {
  /// The time after which a trial is killed. Trials take a second, and give a blocked engine up after ten.
  static let longestSeconds = 60

  var program: EngineProcess.Program
  /// Raised when trials should end; the running ones are killed.
  var interruption: StopFlag

  init(interruption: StopFlag, program: EngineProcess.Program = .this) {
    self.program = EngineProcess.Program(path: program.path, arguments: ChildRole.trial.arguments)
    self.interruption = interruption
  }

  /// Runs a scenario and waits for its end. Then the folder contains the scenario, its database, and the text that
  /// the process wrote to standard error.
  /// - Parameter folder: a new folder, which is created.
  /// - Returns: nil after an interruption.
  /// - Throws: errors of creating files, and of starting the process.
  func run(_ scenario: String, _ settings: TrialSettings, in folder: String) throws -> TrialResult? {
    let files = FileManager.default
    try? files.removeItem(atPath: folder)
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let order = TrialOrder(folder: folder, settings: settings)
    try Data(scenario.utf8).write(to: URL(fileURLWithPath: order.scenarioPath))
    let process = try RequestProcess(
      program.path,
      // The folder shows in lists of processes.
      program.arguments + [folder],
      limitSeconds: Self.longestSeconds,
      errorPath: "\(folder)/stderr.txt"
    )
    let answer: RequestProcess.Answer<TrialResult> = try process.ask(order, until: interruption)
    var failed = TrialResult()
    switch answer {
    case .reply(let result): return result
    case .interrupted: return nil
    case .hung: failed.failures = ["the run did not end within \(Self.longestSeconds) s"]
    case .ended(let end):
      if interruption.isRaised { return nil }
      failed.failures = ["the process of the run ended with \(end)"]
    }
    return failed
  }
}
