internal import BenchModel
internal import BenchRunner
internal import EngineBenchmarks
internal import Foundation
internal import Glibc
internal import SystemFiles
internal import ThreadingPrimitives

/// What a command meets outside of its arguments. Tests bring their own.
struct CommandContext: Sendable {
  /// Runs a scenario to its end, or until the flag is raised.
  typealias Runner =
    @Sendable (LoadedScenario, RunOptions, StopFlag, @escaping @Sendable (RunProgress) -> Void) throws
    -> ScenarioResult
  /// Measures the engine, or what is asked of it, until the flag is raised.
  typealias Benchmarker =
    @Sendable (BenchmarkOptions, StopFlag, @escaping @Sendable (BenchmarkProgress) -> Void) throws -> BenchmarkReport

  var output: any TextOutput
  var errors: any TextOutput
  /// What `errors` is shown on; nil where that is a file or a pipe.
  var terminal: Terminal?
  var build: BuildKind
  /// Raised to end what goes on.
  var interruption: StopFlag
  /// Whether Ctrl-C and other wishes to end raise `interruption` while scenarios run.
  var watchesSignals: Bool
  /// Folders that may take a report, in this order, where its own cannot.
  var refuges: [String]
  /// Raises the limit of open files where descriptors beside those that are open need it.
  var reserveDescriptors: @Sendable (_ need: Int) throws -> Void
  var runner: Runner
  var benchmarker: Benchmarker
  /// The memory that runs may take; nil where the system does not say.
  var availableMemory: @Sendable () -> AvailableMemory? = { .current() }

  /// That of the program when it is run by people.
  static func process() -> CommandContext {
    CommandContext(
      output: DescriptorOutput(descriptor: STDOUT_FILENO),
      errors: DescriptorOutput(descriptor: STDERR_FILENO),
      terminal: .standardError(),
      build: .current,
      interruption: StopFlag(),
      watchesSignals: true,
      refuges: [FileManager.default.temporaryDirectory.path, "/dev/shm"],
      reserveDescriptors: { try DescriptorLimit.reserve($0) },
      runner: benchmark,
      benchmarker: engineBenchmark
    )
  }

  static let benchmark: Runner = { loaded, options, interruption, onProgress in
    try ScenarioRun(loaded, options: options, interruption: interruption, onProgress: onProgress).perform()
  }

  static let engineBenchmark: Benchmarker = { options, interruption, onProgress in
    try BenchmarkSession(options, interruption: interruption, onProgress: onProgress).perform()
  }
}
