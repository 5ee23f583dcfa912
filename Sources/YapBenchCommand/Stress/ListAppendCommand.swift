internal import ArgumentParser
internal import BenchReports
internal import EngineStress

struct ListAppendCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "list-append",
    abstract: "Searches histories of appends and reads for cycles, without the engine's own numbers.",
    discussion: """
      Several connections append values to small lists and read them, some of them \
      from a bookmark. One read of a list shows the order of its versions, so the \
      dependencies between transactions follow from the answers alone. A cycle \
      proves that the answers fit no serial order. The kinds of errors are those of \
      Elle: G0, G1a, G1b, G1c, G-single, G2 and lost updates.

      With --export-edn, Elle itself can check the histories. The processes with odd \
      numbers read bookmarks, which the order of time does not bind.

      Examples:
        A million transactions:
        yapbench stress list-append --cases 50 --data-dir /dev/shm

        Histories for Elle:
        yapbench stress list-append --cases 2 --export-edn histories
      """
  )

  @Option(
    help: ArgumentHelp(
      "The number of cases, each of \(ListAppendCampaign.transactionsPerCase) transactions.",
      valueName: "n"
    )
  )
  var cases: Int?

  @Option(
    name: .customLong("export-edn"),
    help: ArgumentHelp("An existing folder that gets a file with the history of each case.", valueName: "folder")
  )
  var historyFolder: PathArgument?

  @OptionGroup var options: StressOptions

  func validate() throws { try check(cases: cases) }

  func perform(in context: CommandContext) throws -> Int32 {
    let historyFolder = historyFolder?.text
    if let historyFolder { try RunDirectory.checkTakesFiles(historyFolder) }
    let planned = cases ?? (options.time == nil ? 5 : nil)
    return try StressAction(options: options, cases: planned).perform(in: context) { _ in
      ListAppendCampaign(historyFolder: historyFolder)
    }
  }
}
