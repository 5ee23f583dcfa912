internal import ArgumentParser
internal import EngineStress
internal import Foundation
internal import YapEngine

struct PowerLossCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "power-loss",
    abstract: "Tests that the power can be lost at any moment.",
    discussion: """
      A case records every write and sync of a random workload, and builds the files \
      that a disk may contain if the power is lost at some moment: without the \
      operations that were not synced, with any of them, with torn writes, garbage, \
      zeros, or files that are lost or came back. The engine opens each image, and \
      must find every acknowledged commit and nothing else.

      At the level normal, images may lose the last commits, which are counted. At \
      the level off, they may also be corrupt. At both levels, a campaign without \
      losses has not seen what it must, and ends with exit code 113.

      Without --data-dir, the files are created in /dev/shm if it exists.

      Examples:
        yapbench stress power-loss

        300,000 images:
        yapbench stress power-loss --cases 300

        Every moment of ten workloads:
        yapbench stress power-loss --images 0 --cases 10

        The losses of a weaker level:
        yapbench stress power-loss --synchronous normal --cases 5
      """
  )

  @Option(help: ArgumentHelp("The level of durability: full, normal or off.", valueName: "level"))
  var synchronous = "full"

  @Option(help: ArgumentHelp("The approximate number of images per case; 0: one per moment.", valueName: "n"))
  var images = 1_000

  @Option(help: ArgumentHelp("The number of cases.", valueName: "n"))
  var cases = 50

  @OptionGroup var options: StressOptions

  func validate() throws {
    if YapDatabaseOptions.Synchronous(rawValue: synchronous) == nil {
      throw ValidationError("--synchronous must be full, normal or off, not \(synchronous)")
    }
    if images < 0 { throw ValidationError("--images must be 0 or more, not \(images)") }
    try check(cases: cases)
  }

  func perform(in context: CommandContext) throws -> Int32 {
    let level = YapDatabaseOptions.Synchronous(rawValue: synchronous) ?? .full
    let settings = PowerLossCampaign.Settings(synchronous: level, imagesPerCase: images == 0 ? nil : images)
    var options = options
    let memory = "/dev/shm"
    if options.dataFolder == nil, FileManager.default.isWritableFile(atPath: memory) {
      options.dataFolder = PathArgument(memory)
    }
    return try StressAction(options: options, cases: cases).perform(in: context) { _ in PowerLossCampaign(settings) }
  }
}
