internal import ArgumentParser

struct CalibrateCommand: Subcommand {
  private static let defaultPairs = 30

  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Compares this program with itself, to measure the noise of the machine.",
    discussion: """
      The result is appended to the calibration file. From then on \
      `yapbench compare` on this machine uses a figure's measured noise as its \
      margin if the noise is larger, and its reports state how often equal builds \
      were reported as changed.

      With --shard, each machine calibrates a part of the scenarios, with all of \
      their pairs. Noise belongs to one machine and is never pooled: "yapbench \
      merge" prints the noise of each machine.

      Examples:
        yapbench calibrate
        yapbench calibrate --budget 20m
        yapbench calibrate --scenario my.yaml --pairs 40

        The first half of the scenarios, on one of two machines:
        yapbench calibrate --shard 1/2 --seed 7 --data-dir /tmp --out job/shard-1
        yapbench merge Reports/job
      """
  )

  @OptionGroup var comparison: ComparisonOptionGroup

  @Option(help: ArgumentHelp("The seed for orders and runs. (default: random)", valueName: "n"))
  var seed: UInt64?

  @OptionGroup var sharding: ShardOptions

  func perform(in context: CommandContext) throws -> Int32 {
    let shard = try sharding.shard(unseeded: seed == nil ? "the calibration" : nil, in: context)
    var options = try CompareOptions.parse([".", "."])
    options.comparison = comparison
    options.instructions = false
    if comparison.pairs == nil, comparison.budget == nil { options.comparison.pairs = Self.defaultPairs }
    // A fixed seed would repeat the same orders and keys in each calibration.
    options.seed = seed ?? UInt64(UInt32.random(in: 1 ... .max))
    return try CompareAction(options: options, isCalibration: true, shard: shard).perform(in: context)
  }
}
