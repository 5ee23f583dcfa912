internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchScenario

struct YCSBCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "ycsb",
    abstract: "Runs a YCSB workload from its properties files.",
    discussion: """
      The workload is converted to a scenario: a read becomes get, an update \
      becomes replace, and so on. Properties without an equivalent are listed as \
      notes. Properties that are needed and cannot be converted are errors, each \
      with its line and column. A property of a later file replaces one of an \
      earlier file, and -p replaces both.

      Examples:
        yapbench ycsb --print workloads/workloada
        yapbench ycsb -P workloads/workloada -P large.properties
        yapbench ycsb workloads/workloada --print > workloada.yaml

        With more rows, for 30 seconds instead of a number of operations:
        yapbench ycsb workloads/workloada -p recordcount=1000000 \\
          -p operationcount=0 -p maxexecutiontime=30

        On two engines, with synced commits:
        yapbench ycsb workloads/workloada -p operationcount=100000 \\
          --driver yap,sqlite --set engine.synchronous=full
      """
  )

  @Argument(help: ArgumentHelp("A properties file.", valueName: "workload"), completion: .file())
  var file: PathArgument?

  @Option(
    name: .customShort("P"),
    help: ArgumentHelp("A properties file, read after those before it. May be repeated.", valueName: "file"),
    completion: .file()
  )
  var files: [PathArgument] = []

  @Option(
    name: .customShort("p"),
    help: ArgumentHelp("Changes one property. May be repeated.", valueName: "name=value"),
    transform: ScenarioOverride.init(argument:)
  )
  var properties: [ScenarioOverride] = []

  @Flag(name: .customLong("print"), help: "Writes the scenario instead of running it.")
  var isPrint = false

  @OptionGroup var options: RunOptionGroup

  @OptionGroup var changes: OverrideOptions

  @OptionGroup var comparison: DriverOptions

  private var paths: [String] { ([file].compactMap { $0 } + files).texts }

  func validate() throws {
    if paths.isEmpty { throw ValidationError("expected a properties file, such as workloads/workloada or -P FILE") }
  }

  func perform(in context: CommandContext) throws -> Int32 {
    let overrides = changes.overrides + options.seedOverride
    let loaded: LoadedScenario
    let name: String
    do throws(ScenarioDiagnostics) {
      let workload = try YCSBWorkload.load(paths: paths, changes: properties.map { (name: $0.path, value: $0.value) })
      name = workload.name
      loaded = try ScenarioLoader.load(
        text: workload.yaml,
        file: name,
        overrides: overrides,
        drivers: comparison.drivers
      )
      for remark in workload.notes + loaded.warnings { context.errors.show(remark) }
      if isPrint {
        context.output.write(overrides.isEmpty ? workload.yaml : loaded.expandedYAML)
        return ExitStatus.passed.rawValue
      }
    } catch {
      for problem in error.diagnostics { context.errors.show(problem) }
      let isMissing = !paths.allSatisfy(ScenarioFiles.isReadableFile)
      return (isMissing ? ExitStatus.missingInput : ExitStatus.invalidScenario).rawValue
    }
    let files = ScenarioFiles(entries: [.init(path: name, loaded: loaded)])
    return try RunAction(options: options).perform(files, in: context)
  }
}
