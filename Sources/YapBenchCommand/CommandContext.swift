internal import BenchDrivers
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import EngineBenchmarks
internal import Foundation
internal import Glibc
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// The environment of a command, which tests replace.
struct CommandContext: Sendable {
  /// Runs a scenario to its end, or until the flag is raised.
  typealias Runner =
    @Sendable (LoadedScenario, RunOptions, StopFlag, @escaping @Sendable (RunProgress) -> Void) throws
    -> ScenarioResult
  /// Measures the requested targets of the engine to the end, or until the flag is raised.
  typealias Benchmarker =
    @Sendable (BenchmarkOptions, StopFlag, @escaping @Sendable (BenchmarkProgress) -> Void) throws -> BenchmarkReport

  /// Measures the requested axes of growth to the end, or until the flag is raised. Passes on lines of progress.
  typealias Grower =
    @Sendable (GrowthOptions, StopFlag, @escaping @Sendable (String) -> Void) throws -> GrowthReport

  var output: any TextOutput
  var errors: any TextOutput
  /// The terminal that shows `output`; nil if `output` is not a terminal.
  var outputTerminal: Terminal?
  /// The terminal that shows `errors`; nil if `errors` is not a terminal on which a line can be overwritten.
  var terminal: Terminal?
  /// The stream of events that `errors` is; nil if `errors` is text.
  var events: EventStream? { errors as? EventStream }
  var build: BuildKind
  /// The flag that is raised to end the running command.
  var interruption: StopFlag
  /// Whether commands handle signals such as Ctrl-C. Commands that run or measure then raise `interruption`.
  var watchesSignals: Bool
  /// Raises the limit of open files if it is too low for `need` descriptors in addition to the open ones.
  var reserveDescriptors: @Sendable (_ need: Int) throws -> Void
  var runner: Runner
  var benchmarker: Benchmarker
  /// Counts the instructions of the requested targets.
  var instructionCounter: Benchmarker = InstructionSession.perform
  var grower: Grower
  /// Returns the memory that runs may use; nil if it is not known.
  var availableMemory: @Sendable () -> AvailableMemory? = { .current() }

  /// Returns the variables of the process's environment.
  var environment: @Sendable () -> [String: String] = { ProcessInfo.processInfo.environment }

  /// The environment of the program.
  static func process() -> CommandContext {
    CommandContext(
      output: DescriptorOutput(descriptor: STDOUT_FILENO),
      errors: DescriptorOutput(descriptor: STDERR_FILENO),
      outputTerminal: .of(descriptor: STDOUT_FILENO),
      terminal: .of(descriptor: STDERR_FILENO),
      build: .current,
      interruption: StopFlag(),
      watchesSignals: true,
      reserveDescriptors: { try DescriptorLimit.reserve($0) },
      runner: ScenarioRun.perform,
      benchmarker: BenchmarkSession.perform,
      grower: GrowthSession.perform
    )
  }
}

/// The build mode of this program, which decides whether it may measure.
struct BuildKind: Sendable {
  var isDebug: Bool
  /// Whether runs and benchmarks are refused because named points are compiled into the engine.
  var hasTestPoints: Bool

  static var current: BuildKind {
    #if DEBUG
      BuildKind(isDebug: true, hasTestPoints: refusesTestPoints)
    #else
      BuildKind(isDebug: false, hasTestPoints: refusesTestPoints)
    #endif
  }

  /// Whether the engine has test points for which runs and benchmarks are refused. Tests that run scenarios with such a
  /// build set YAP_RUN_WITH_TEST_POINTS.
  private static var refusesTestPoints: Bool {
    DriverBuild.hasTestPoints && getenv("YAP_RUN_WITH_TEST_POINTS") == nil
  }

  var name: String { (isDebug ? "debug" : "release") + (hasTestPoints ? " with test points" : "") }

  /// Returns the reason why this build may not run scenarios, and the remedy; nil if it may.
  func refusal(isSmoke: Bool) -> String? {
    if hasTestPoints {
      return "this build has test points, which change the engine; build without them: swift build -c release"
    }
    if isDebug, !isSmoke {
      return "a debug build runs no scenario, because its figures would be those of unoptimised code; "
        + "build with: swift build -c release (or add --smoke, which measures nothing)"
    }
    return nil
  }

  /// The reason why this build may not run the engine's benchmarks, and the remedy; nil if it may.
  var benchRefusal: String? {
    if hasTestPoints { return refusal(isSmoke: true) }
    return isDebug ? "a debug build measures unoptimised code; build with: swift build -c release" : nil
  }
}
