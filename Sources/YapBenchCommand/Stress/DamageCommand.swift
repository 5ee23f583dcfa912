internal import ArgumentParser
internal import BenchResults
internal import EngineStress

struct DamageCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: StressKind.damage.rawValue,
    abstract: "Opens damaged databases, and uses databases while the system refuses a resource.",
    discussion: """
      A case damages the files of a database whose rows are known: it truncates, \
      overwrites or swaps parts, flips bytes, or puts an older file or that of \
      another database in place. Other cases put a folder, a FIFO, a link or \
      nothing at a path, or limit open files, file sizes or the file system.

      The engine must return right rows or an error of its own type, and the \
      ledger check must find every wrong row. Cases run in child processes, so a \
      crash, or a hang of \(IsolatedCampaign.limitSeconds) s, is the failure of one case.

      Examples:
        yapbench stress damage --cases 2000
        yapbench stress damage --seed 42 --case 17
      """
  )

  @Option(help: ArgumentHelp("The number of cases.", valueName: "n"))
  var cases = 2_000

  @OptionGroup var options: StressOptions

  func validate() throws { try check(cases: cases) }

  func perform(in context: CommandContext) throws -> Int32 {
    try StressAction(options: options, cases: cases).perform(in: context) { _ in
      // `inMountNamespace` runs child processes.
      IsolatedCampaign(DamageCampaign(), in: CaseProgram.this(for: .damage).inMountNamespace)
    }
  }
}
