internal import ArgumentParser

struct NightlyCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "nightly",
    abstract: "Tests this build within a time budget, and writes a summary.",
    discussion: """
      It runs the suite of scenarios, compares this build with the pinned one and \
      with that of the previous night, adds the result to the history, and searches \
      for the commit that caused a regression. A night without such a search \
      compares this build with itself in one scenario instead, a different one each \
      night. The first night keeps its build as the pinned one.

      The night's folder contains summary.md and summary.html, whose first line \
      is the verdict, junit.xml, two files for github-action-benchmark, and the \
      reports of all steps. index.html in --folder has all nights, and the course \
      of each figure of the suite. The folders of all but the last 30 nights are \
      removed (--keep), also of nights with a --name; the history stays. A night \
      that was killed or interrupted continues when it is started again on the \
      same local day, within 12 hours after its start, or with the same --name.

      The exit code is the most severe one of the suite, the comparisons, the \
      history and the trend.

      Examples:
        Two hours, in Reports/nightly:
        yapbench nightly

        Against a release, only by times and counts:
        yapbench nightly --budget 3h --pinned v1.0 --no-instructions

        A change was accepted; later nights compare with this build:
        yapbench nightly --repin
      """
  )

  static let defaultFolder = "Reports/nightly"

  @Option(help: ArgumentHelp("The time for the whole night, such as 90m.", valueName: "duration"))
  var budget = "2h"

  @Option(
    help: ArgumentHelp("The pinned build: an executable or a revision. (default: the kept build)", valueName: "build")
  )
  var pinned: BuildArgument?

  @Flag(help: "Keeps this build as the pinned one, without comparing it with the earlier pinned build.")
  var repin = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Scenario files or folders of the suite. (default: six folders of Scenarios)",
      valueName: "file"
    ),
    completion: .scenarios
  )
  var suite: [PathArgument] = []

  @Option(
    name: .customLong("scenario"),
    parsing: .upToNextOption,
    help: ArgumentHelp("Scenarios of the comparisons. (default: Scenarios/compare)", valueName: "file"),
    completion: .scenarios
  )
  var scenarios: [PathArgument] = []

  @Flag(
    inversion: .prefixedNo,
    help: "Whether instructions are counted, too, with Valgrind. (default: if Valgrind is installed)"
  )
  var instructions: Bool?

  @Option(help: ArgumentHelp("The number of nights whose reports are kept.", valueName: "n"))
  var keep = 30

  @Option(help: ArgumentHelp("The folder of all nights, the history and the kept builds.", valueName: "dir"))
  var folder = PathArgument(defaultFolder)

  @Option(
    help: ArgumentHelp("The name of this night's folder in --folder. (default: the local date)", valueName: "name")
  )
  var name: String?

  @Option(
    help: ArgumentHelp("The calibration file. (default: ~/.local/state/yapbench/calibration.jsonl)", valueName: "file")
  )
  var calibration: PathArgument?

  @Option(help: ArgumentHelp("The acknowledged alarms, a file for the repository.", valueName: "file"))
  var acknowledgements = HistoryFiles.defaultAcknowledgements
}
