internal import ArgumentParser
internal import BenchReports
internal import EngineBenchmarks

struct BenchCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures the engine beside plain C over SQLite, and holds it against its targets.",
    discussion: """
      Everybody does the same work in one process, in rounds, each in an order \
      drawn anew; a figure is the median of the rounds' ratios, beside it the \
      quartiles. Databases live in a new folder and are removed. Progress goes \
      to standard error, the table to standard output. What the lines mean: \
      Documentation/benchmarks.md.

      Examples:
        yapbench bench

        Two targets, with more rounds:
        yapbench bench --only P1,P6 --rounds 31

        Which figures there are:
        yapbench bench --list

        On another disk, with all figures of all rounds for a program to read:
        yapbench bench --data-dir /mnt/ssd --json bench.json

        The long WAL as long as the target has it:
        yapbench bench --only P16 --stuck-wal-mib 1024

      Exit code 99 means that a target was missed, 113 that a figure has no result, \
      111 that a read returned a wrong value.
      """
  )

  @Option(
    help: ArgumentHelp("Only these targets; may be repeated.", valueName: "P1,P2")
  )
  var only: [TargetsArgument] = []

  @Option(help: ArgumentHelp("Rounds, 1 to 999; fewer than 5 say little.", valueName: "n"))
  var rounds = 9

  @Option(help: ArgumentHelp("Where the order of turns, keys and values come from.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("A new file for all figures of all rounds.", valueName: "file"))
  var json: String?

  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("Where the databases live meanwhile; must be there.", valueName: "dir")
  )
  var dataFolder = "."

  @Option(
    name: .customLong("stuck-wal-mib"),
    help: ArgumentHelp("MiB of the long WAL of P16, 2 to 4096; its target has 1024.", valueName: "n")
  )
  var stuckWALMebibytes = BenchmarkScale.whole.stuckWALBytes >> 20

  @Option(help: ArgumentHelp("Lets only this one take its turns, such as engine, for a profiler.", valueName: "name"))
  var contestant: String?

  @Flag(help: "Shows the targets and their figures, and measures nothing.")
  var list = false

  func validate() throws {
    guard (1...999).contains(rounds) else { throw ValidationError("--rounds takes 1 to 999, not \(rounds)") }
    guard (2...4_096).contains(stuckWALMebibytes) else {
      throw ValidationError("--stuck-wal-mib takes 2 to 4096, not \(stuckWALMebibytes)")
    }
    if let contestant, !BenchmarkSession.contestants.contains(contestant) {
      let names = BenchmarkSession.contestants.map { "\"\($0)\"" }.joined(separator: ", ")
      throw ValidationError("--contestant takes \(names); not \"\(InertText.line(contestant))\"")
    }
  }

  func perform(in context: CommandContext) -> Int32 {
    let targets = only.reduce(into: Set()) { $0.formUnion($1.targets) }
    if list { return BenchListAction(targets: targets).perform(in: context) }
    return BenchAction(
      targets: targets,
      rounds: rounds,
      seed: seed,
      jsonPath: json,
      contestant: contestant,
      dataParent: dataFolder,
      stuckWALBytes: stuckWALMebibytes << 20
    ).perform(in: context)
  }
}

/// `P1,P6`, as `--only` takes it.
struct TargetsArgument: ExpressibleByArgument {
  let targets: Set<Int>

  init?(argument: String) {
    let known = Set(PerformanceTarget.all.map(\.number))
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { word in
      word.first.flatMap { "Pp".contains($0) ? Int(word.dropFirst()) : nil }
    }
    let targets = numbers.compactMap { $0 }
    guard targets.count == numbers.count, known.isSuperset(of: targets) else { return nil }
    self.targets = Set(targets)
  }
}
