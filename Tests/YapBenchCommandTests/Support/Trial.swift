import BenchResults
import BenchRunner
import BenchScenario
import Foundation
import Synchronization
import ThreadingPrimitives

@testable import YapBenchCommand

/// A command with captured output and a made-up environment.
struct Trial {
  static let release = BuildKind(isDebug: false, hasTestPoints: false)
  static let debug = BuildKind(isDebug: true, hasTestPoints: false)
  static let testPoints = BuildKind(isDebug: true, hasTestPoints: true)

  var output = CapturedOutput()
  var errors = CapturedOutput()
  var outputTerminal: Terminal?
  var build = release
  var interruption = StopFlag()
  var reserveDescriptors: @Sendable (Int) throws -> Void = { _ in }
  var runner: CommandContext.Runner = { _, _, _, _ in throw NothingRuns() }
  var benchmarker: CommandContext.Benchmarker = { _, _, _ in throw NothingRuns() }
  var grower: CommandContext.Grower = { _, _, _ in throw NothingRuns() }
  var availableMemory: @Sendable () -> AvailableMemory? = { nil }
  var environment: [String: String] = [:]

  func run(_ arguments: String...) -> Int32 { run(arguments) }

  func run(_ arguments: [String]) -> Int32 { Program.run(arguments, in: .captured(by: self)) }
}

extension CommandContext {
  static func captured(by trial: Trial) -> CommandContext {
    CommandContext(
      output: trial.output,
      errors: trial.errors,
      outputTerminal: trial.outputTerminal,
      terminal: nil,
      build: trial.build,
      interruption: trial.interruption,
      watchesSignals: false,
      reserveDescriptors: trial.reserveDescriptors,
      runner: trial.runner,
      benchmarker: trial.benchmarker,
      grower: trial.grower,
      availableMemory: trial.availableMemory,
      environment: { trial.environment }
    )
  }
}

struct NothingRuns: Error, CustomStringConvertible {
  var description: String { "nothing was to run here; leave it alone" }
}

/// A runner that creates a database, records its calls, and returns the given verdicts in turn.
final class MadeUpRunner: Sendable {
  private let verdicts: Mutex<[ExitStatus]>
  private let calls = Mutex<[(loaded: LoadedScenario, options: RunOptions)]>([])

  convenience init(_ verdicts: ExitStatus...) { self.init(verdicts) }

  init(_ verdicts: [ExitStatus]) { self.verdicts = Mutex(verdicts) }

  var runs: [(loaded: LoadedScenario, options: RunOptions)] { calls.withLock { $0 } }

  var runner: CommandContext.Runner {
    { loaded, options, interruption, onProgress in
      self.calls.withLock { $0.append((loaded, options)) }
      try "pages".write(toFile: options.dataFolder + "/database.sqlite", atomically: true, encoding: .utf8)
      onProgress(.phaseBegan(name: "warm", number: 1, of: 3, plannedNanoseconds: 5_000_000_000))
      onProgress(.phaseEnded(name: "warm", end: .reached, nanoseconds: 5_010_000_000))
      let verdict = self.verdicts.withLock { $0.isEmpty ? .passed : $0.removeFirst() }
      return .madeUp(of: loaded, verdict: interruption.isRaised ? .interrupted : verdict)
    }
  }

  /// A runner that also replaces the report folder by a file.
  func losing(_ reportFolder: String) -> CommandContext.Runner {
    { loaded, options, interruption, onProgress in
      let result = try self.runner(loaded, options, interruption, onProgress)
      try FileManager.default.removeItem(atPath: reportFolder)
      try Data().write(to: URL(fileURLWithPath: reportFolder))
      return result
    }
  }
}
