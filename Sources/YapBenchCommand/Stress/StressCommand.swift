internal import ArgumentParser

struct StressCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stress",
    abstract: "Tests that no acknowledged commit is lost and no read is wrong.",
    discussion: """
      Each campaign consists of numbered cases that its seed determines. It writes a \
      folder with a journal of the cases, the files of failed ones, and a report \
      that states what was tested, how often, and what was not. The first lines \
      show the commands that repeat and resume it.

      With --shard, each of several processes, on any machines, runs a part of the \
      cases: shard I of N those whose number leaves the rest I - 1 when divided by N. \
      "yapbench merge" adds the counts and judges the campaign.

      Exit code 111 means that a failure was found, 113 that too little was \
      tested, 130 that the campaign was interrupted.

      Examples:
        The second of four parts of a campaign:
        yapbench stress crash --kills 10000 --seed 7 --shard 2/4 --out job/shard-2

        In a task of a Slurm array, or in a pod of an indexed Kubernetes job:
        yapbench stress random --for 60m --seed 7 --shard auto/4 --out Reports/job

        The report of all parts:
        yapbench merge Reports/job
      """,
    subcommands: [
      LoadCommand.self,
      ListAppendCommand.self,
      RandomCommand.self,
      CrashCommand.self,
      PowerLossCommand.self,
      FaultsCommand.self,
      DamageCommand.self,
      SchedulesCommand.self,
      SoakCommand.self,
    ]
  )
}
