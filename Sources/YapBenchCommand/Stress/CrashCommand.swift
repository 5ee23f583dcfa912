internal import ArgumentParser
internal import BenchDrivers
internal import EngineStress
internal import YapEngine

struct CrashCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "crash",
    abstract: "Kills processes while they use a database, and checks what they leave.",
    discussion: """
      Each case is a fresh database. Processes in turn open it, compare every row \
      with the ledger, and write with several threads until they are killed: at a \
      random moment, at the n-th commit, during a checkpoint, while they close the \
      database, or while they open it. In a build with test points they also kill \
      themselves at every named point of a commit, checkpoint, reset and close.

      Every acknowledged commit must exist afterwards. Of the others, only those \
      may that were being made, each as a whole. A case ends after 25 kills \
      or a few more.

      Examples:
        yapbench stress crash

        In memory, which is faster than a disk:
        yapbench stress crash --kills 10000 --data-dir /dev/shm

        Half an hour:
        yapbench stress crash --for 30m
      """
  )

  @Option(
    help: ArgumentHelp("The least number of kills, a multiple of 25. (default: 500, or until --for)", valueName: "n")
  )
  var kills: Int?

  @Option(help: ArgumentHelp("The syncs of the databases: off, normal or full.", valueName: "level"))
  var synchronous = NamedArgument(YapDatabaseOptions.Synchronous.full)

  @OptionGroup var options: StressOptions

  func validate() throws {
    guard let kills else { return }
    let step = CrashCampaign.killsPerCase
    if kills < step || kills % step != 0 {
      throw ValidationError("--kills must be a multiple of \(step), not \(kills)")
    }
  }

  func perform(in context: CommandContext) throws -> Int32 {
    let kills = kills ?? (options.time == nil ? 500 : nil)
    let action = StressAction(
      options: options,
      cases: kills.map { $0 / CrashCampaign.killsPerCase },
      caseLimit: kills.map { ["--kills", String($0)] }
    )
    return try action.perform(in: context) { _ in
      CrashCampaign(
        program: EngineProcess.Program.this.path,
        programArguments: ChildRole.crash.arguments,
        synchronous: synchronous.value,
        kills: kills
      )
    }
  }
}
