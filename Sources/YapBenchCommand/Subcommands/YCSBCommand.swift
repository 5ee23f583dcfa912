internal import ArgumentParser
internal import BenchModel

struct YCSBCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "ycsb",
    abstract: "Runs a workload of YCSB, from its own file of properties.",
    discussion: """
      The workload becomes a scenario: a read is get, an update replace, and so \
      on. What has no meaning here is said. Properties that must mean something \
      and cannot are problems, each with its place in the file.

      Examples:
        yapbench ycsb --print workloads/workloada
        yapbench ycsb workloads/workloada -p recordcount=1000000
        yapbench ycsb workloads/workloada --print > workloada.yaml
      """
  )

  @Argument(help: ArgumentHelp("A file of properties.", valueName: "workload"), completion: .file())
  var file: String

  @Option(
    name: .customShort("p"),
    help: ArgumentHelp("Changes one property; may be repeated.", valueName: "name=value")
  )
  var properties: [ChangeArgument] = []

  @Flag(name: .customLong("print"), help: "Writes the scenario instead of running it.")
  var isPrint = false

  @OptionGroup var options: RunArguments

  func perform(in context: CommandContext) -> Int32 {
    let run = RunAction(
      files: [],
      reportFolder: options.reportFolder,
      seed: options.seed,
      isSmoke: options.isSmoke,
      dataParent: options.dataFolder,
      keepsDatabase: options.keepsDatabase,
      tellsJSON: options.tellsJSON
    )
    let changes = properties.map { (name: $0.change.path, value: $0.change.value) }
    return YCSBAction(file: file, changes: changes, isPrint: isPrint, run: run).perform(in: context)
  }
}
