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

      Exit code 111 means that a failure was found, 113 that too little was \
      tested, 130 that the campaign was interrupted.
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
      SelfTestCommand.self,
    ]
  )
}
