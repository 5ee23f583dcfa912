internal import ArgumentParser

struct BisectCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "bisect",
    abstract: "Finds the commit that made a figure of a scenario worse.",
    discussion: """
      It compares both ends first, then single commits with the good end, by \
      pairs of runs as `compare` does. Commits that are unclear are compared \
      again; commits that do not build are skipped. It ends with the commit, \
      the change with its interval, and the probability that the commit is \
      right. Work in a checkout of yapbench. Each commit is built once, in some \
      minutes, and kept in ~/.cache/yapbench. A search that was killed continues \
      when it is started again with the same arguments.

      Exit code 0: a commit was found. 3: the ends do not differ, or the result \
      is not certain.

      Examples:
        yapbench bisect v1.2 main --scenario Scenarios/compare/one-row-commit.yaml
        yapbench bisect HEAD~12 HEAD --scenario my.yaml --metric p99 --pairs 40
      """
  )

  @Argument(help: "A commit without the regression.")
  var good: String

  @Argument(help: "A later commit with it.")
  var bad: String

  @Option(help: ArgumentHelp("The scenario that got worse.", valueName: "file"), completion: .scenarios)
  var scenario: String

  @Option(help: ArgumentHelp("Such as p50, p99 or throughput. (default: the clearest change)", valueName: "name"))
  var metric: String?

  @Option(help: ArgumentHelp("Pairs of runs of each comparison, 6 to 500. (default: 20)", valueName: "n"))
  var pairs: Int?

  @Option(help: ArgumentHelp("The source of all orders and seeds.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(name: .customLong("out"), help: ArgumentHelp("The folder for the comparisons.", valueName: "dir"))
  var folder: String?

  func perform(in context: CommandContext) -> Int32 {
    BisectAction(
      good: good,
      bad: bad,
      scenario: scenario,
      metric: metric,
      pairs: pairs,
      seed: seed,
      folder: folder
    ).perform(in: context)
  }
}
