internal import ArgumentParser

struct CalibrateCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Compares this program with itself, to measure the noise of the machine.",
    discussion: """
      The result is appended to the calibration file. From then on \
      `yapbench compare` on this machine uses the measured noise as the margin \
      of each figure that varies more than its margin allows, and its reports \
      say how often equal builds were reported as changed.

      Examples:
        yapbench calibrate
        yapbench calibrate --budget 20m
        yapbench calibrate --scenario my.yaml --pairs 40
      """
  )

  @Option(
    name: .customLong("scenario"),
    parsing: .upToNextOption,
    help: ArgumentHelp("Scenario files, or folders. (default: Scenarios/compare)", valueName: "file"),
    completion: .scenarios
  )
  var scenarios: [String] = []

  @Option(help: ArgumentHelp("Pairs of runs of each scenario, 6 to 500. (default: 30)", valueName: "n"))
  var pairs: Int?

  @Option(help: ArgumentHelp("As many pairs as fit into this time, such as 20m.", valueName: "duration"))
  var budget: String?

  @Option(help: ArgumentHelp("The source of all orders and seeds. (default: drawn)", valueName: "n"))
  var seed: UInt64?

  @Option(name: .customLong("out"), help: ArgumentHelp("The folder for the report and the journal.", valueName: "dir"))
  var folder: String?

  @Option(
    name: .customLong("calibration"),
    help: ArgumentHelp("The calibration file. (default: ~/.local/state/yapbench/calibration.jsonl)", valueName: "file")
  )
  var calibration: String?

  func perform(in context: CommandContext) -> Int32 {
    CompareAction(
      base: ".",
      head: ".",
      scenarios: scenarios,
      pairs: pairs ?? (budget == nil ? 30 : nil),
      budget: budget,
      // A fixed seed would repeat the same draw of orders and keys each time.
      seed: seed ?? UInt64(UInt32.random(in: 1 ... .max)),
      folder: folder,
      calibration: calibration,
      isCalibration: true
    ).perform(in: context)
  }
}
