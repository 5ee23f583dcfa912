internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchScenario

struct YCSBCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "ycsb",
    abstract: "Runs a YCSB workload from its properties file.",
    discussion: """
      The workload is converted to a scenario: a read becomes get, an update \
      becomes replace, and so on. Properties without an equivalent are listed as \
      notes. Properties that are needed and cannot be converted are errors, each \
      with its line and column.

      Examples:
        yapbench ycsb --print workloads/workloada
        yapbench ycsb workloads/workloada -p recordcount=1000000
        yapbench ycsb workloads/workloada --print > workloada.yaml
      """
  )

  @Argument(help: ArgumentHelp("A properties file.", valueName: "workload"), completion: .file())
  var file: PathArgument

  @Option(
    name: .customShort("p"),
    help: ArgumentHelp("Changes one property. May be repeated.", valueName: "name=value"),
    transform: ScenarioOverride.init(argument:)
  )
  var properties: [ScenarioOverride] = []

  @Flag(name: .customLong("print"), help: "Writes the scenario instead of running it.")
  var isPrint = false

  @OptionGroup var options: RunOptionGroup

  func perform(in context: CommandContext) throws -> Int32 {
    let file = file.text
    let changes = properties.map { (name: $0.path, value: $0.value) }
    let loaded: LoadedScenario
    let name: String
    do throws(ScenarioDiagnostics) {
      let workload = try YCSBWorkload.load(path: file, changes: changes)
      for note in workload.notes { context.errors.line(InertText.line("\(file): note: \(note)")) }
      if isPrint {
        context.output.write(workload.yaml)
        return ExitStatus.passed.rawValue
      }
      name = workload.name
      loaded = try ScenarioLoader.load(text: workload.yaml, file: name, overrides: options.seedOverride)
    } catch {
      for problem in error.diagnostics { context.errors.show(problem) }
      let isMissing = !ScenarioFiles.isReadableFile(file)
      return (isMissing ? ExitStatus.missingInput : ExitStatus.invalidScenario).rawValue
    }
    let files = ScenarioFiles(entries: [.init(path: name, loaded: loaded)])
    return try RunAction(options: options).perform(files, in: context)
  }
}
