internal import ArgumentParser
internal import BenchDrivers

/// The option that plants bugs of the engine in a campaign's databases.
struct PlantingOptions: ParsableArguments {
  @Option(
    name: .customLong("plant"),
    help: ArgumentHelp(
      "Plants a bug in the engine, which the campaign must find. May be repeated. Needs a build with named points.",
      valueName: "bug"
    )
  )
  var bugs: [String] = []

  /// - Throws: `PlantingError`.
  var settings: EngineTestSettings {
    get throws {
      var settings = EngineTestSettings()
      for bug in bugs { try settings.plant(bug) }
      return settings
    }
  }
}
