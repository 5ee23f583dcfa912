internal import ArgumentParser
internal import BenchDrivers

/// What a run starts, which ends its engine's process, and nobody else.
struct EngineProcessCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: Drivers.hostArgument,
    abstract: "Holds an engine for a run that kills it.",
    shouldDisplay: false
  )

  func perform(in context: CommandContext) -> Int32 { EngineHost.serve() }
}
