internal import ArgumentParser
internal import BenchResults
internal import BenchScenario

/// The options of commands that run scenarios.
struct RunOptionGroup: ParsableArguments {
  @Option(name: .customLong("out"), help: ArgumentHelp("The parent folder of the runs' folders.", valueName: "dir"))
  var reportFolder = PathArgument("Reports")

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The random seed, instead of the scenario's own.", valueName: "n"),
    transform: parseSeed
  )
  var seed: UInt64?

  @Flag(
    name: .customLong("smoke"),
    help: "Shortens phases to a few hundred ms; expectations do not affect the verdict."
  )
  var isSmoke = false

  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("An existing folder for the database. (default: the --out folder)", valueName: "dir")
  )
  var dataFolder: PathArgument?

  @Flag(name: .customLong("keep-database"), help: "Keeps the database and prints its path.")
  var keepsDatabase = false

  /// `EventStream.isWanted` reads it.
  @Flag(
    name: .customLong("json-progress"),
    help: "Writes everything on standard error as JSON: events, one per line, from started to ended."
  )
  var writesEvents = false

  @Option(
    name: .customLong("retry-invalid"),
    parsing: .unconditional,
    help: ArgumentHelp(
      "How often invalid runs of a matrix or of repetitions are retried, after all planned runs.",
      valueName: "n"
    )
  )
  var retries = 1

  @Option(
    name: .customLong("wait-for-quiet"),
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long to wait for other processes before invalid runs of a matrix or of repetitions are repeated.",
      valueName: "duration"
    )
  )
  var quietWait = defaultQuietWait

  private static let defaultQuietWait = DurationArgument(text: "1m", nanoseconds: 60_000_000_000)

  @Flag(
    name: .customLong("strict"),
    help: "Fails if the repetitions do not decide an expectation that compares variants."
  )
  var isStrict = false

  @Option(
    help: ArgumentHelp("Compares with this baseline, of those that yapbench baseline has saved.", valueName: "name")
  )
  var baseline: String?

  /// `compare` counts instructions with it.
  @Flag(
    name: .customLong("in-turns"),
    help: ArgumentHelp(
      "Makes the threads work one at a time, so that instructions can be counted; times mean nothing.",
      visibility: .hidden
    )
  )
  var takesTurns = false

  /// The options that a command repeats beside those that a run's result and the reports' folder determine.
  var repeated: [String] {
    (keepsDatabase ? ["--keep-database"] : []) + (isStrict ? ["--strict"] : [])
      + (retries == 1 ? [] : ["--retry-invalid", String(retries)])
      + (quietWait.text == Self.defaultQuietWait.text ? [] : ["--wait-for-quiet", quietWait.text])
  }

  func validate() throws {
    guard (0...100).contains(retries) else {
      throw ValidationError("--retry-invalid: expected 0 to 100, found \(retries)")
    }
  }

  private static func parseSeed(_ text: String) throws -> UInt64 {
    guard let seed = UInt64(text) else {
      throw ValidationError("expected a whole number from 0 to \(UInt64.max), found \"\(text)\"")
    }
    return seed
  }

  var seedOverride: [ScenarioOverride] { seed.map { [ScenarioOverride(path: "seed", value: String($0))] } ?? [] }
}

/// The values that are changed in scenarios.
struct OverrideOptions: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Changes one value of every given scenario. May be repeated.", valueName: "path=value"),
    transform: ScenarioOverride.init(argument:)
  )
  var overrides: [ScenarioOverride] = []
}

/// The drivers that a command compares.
struct DriverOptions: ParsableArguments {
  @Option(
    name: .customLong("driver"),
    help: ArgumentHelp("Runs each scenario on these engines and compares them. May be repeated.", valueName: "names"),
    transform: DriverKind.list(argument:)
  )
  private var lists: [[DriverKind]] = []

  /// Empty for the scenarios' own drivers.
  var drivers: [DriverKind] { lists.flatMap(\.self) }

  func validate() throws {
    if let twice = drivers.first(where: { driver in drivers.count { $0 == driver } > 1 }) {
      throw ValidationError("--driver: the driver \(twice.rawValue) is listed twice; leave one out")
    }
  }
}

/// The values that are changed in scenarios, and the variants that are selected.
struct ScenarioChoice: ParsableArguments {
  @OptionGroup private var changes: OverrideOptions

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp("Selects the given scenarios that have one of these tags. May be repeated.", valueName: "tag")
  )
  var tags: [String] = []

  @Option(
    name: .customLong("only"),
    help: ArgumentHelp(
      "Selects this variant of a scenario's matrix, such as share or objectPolicy=share. May be repeated.",
      valueName: "variant"
    )
  )
  var variants: [String] = []

  var overrides: [ScenarioOverride] { changes.overrides }

  /// The message if no scenario has one of the tags.
  var noneTagged: String {
    "no given scenario has the tag \(tags.joined(separator: " or ")); yapbench list shows the tags"
  }

  /// The options that change scenarios and select their variants, as words of a command.
  var repeated: [String] { overrides.flatMap { ["--set", $0.text] } + variants.flatMap { ["--only", $0] } }
}

extension ScenarioOverride {
  /// Reads an argument `path=value`, such as the value of `--set`. The path is checked when the file is loaded.
  init(argument text: String) throws {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw ValidationError("expected a name, \"=\" and a value, such as seed=7, found \"\(text)\"")
    }
    self.init(path: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
  }
}

extension DriverKind {
  /// Returns the drivers of an argument of `--driver`: names with commas between them.
  static func list(argument text: String) throws -> [DriverKind] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let driver = DriverKind(rawValue: String(name)) else {
        let names = DriverKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--driver: expected some of \(names), with commas between them, found \"\(name)\"")
      }
      return driver
    }
  }
}

/// The name of a value of another module, such as a format.
struct NamedArgument<Value: RawRepresentable<String> & CaseIterable & Sendable>: ExpressibleByArgument, Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  init?(argument: String) {
    guard let value = Value(rawValue: argument) else { return nil }
    self.value = value
  }

  var defaultValueDescription: String { value.rawValue }
  static var allValueStrings: [String] { Value.allCases.map(\.rawValue) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension CompletionKind {
  static let scenarios = CompletionKind.file(extensions: ["yaml", "yml"])
}
