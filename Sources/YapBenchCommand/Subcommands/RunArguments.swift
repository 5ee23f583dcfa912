internal import ArgumentParser

/// How and where scenarios run.
struct RunArguments: ParsableArguments {
  @Option(name: .customLong("out"), help: ArgumentHelp("Where each run's folder is created.", valueName: "dir"))
  var reportFolder = "Reports"

  @Option(help: ArgumentHelp("Where all randomness comes from, instead of the scenario's own.", valueName: "n"))
  var seed: UInt64?

  @Flag(name: .customLong("smoke"), help: "Cuts every phase to a few hundred milliseconds; expectations do not judge.")
  var isSmoke = false

  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp(
      "Where the database lives while it runs; must be there. (default: the --out folder)",
      valueName: "dir"
    )
  )
  var dataFolder: String?

  @Flag(name: .customLong("keep-database"), help: "Leaves the database there and prints where.")
  var keepsDatabase = false

  @Flag(name: .customLong("json-progress"), help: "Tells the progress to programs: an object of JSON a line.")
  var tellsJSON = false
}
