internal import ArgumentParser
internal import BenchReports

struct ExportCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a run's figures in the formats of other tools.",
    discussion: """
      RUN is a folder that `run` has left, or the run.json in it. One file goes \
      to standard output unless --out names another place; formats of several \
      files need a folder. Figures of smoke runs, of runs that are not to be \
      trusted and of warm-up phases are left out.

      Formats:
        \(formats)

      Examples:
        yapbench export Reports/RUN --format junit --out junit.xml
        yapbench export Reports/RUN --format hgrm --out percentiles

        Do two versions differ? Each with `repeat: 10`, as benchstat wants it:
        yapbench export Reports/OLD --format benchstat --out old.txt
        yapbench export Reports/NEW --format benchstat --out new.txt
        benchstat old.txt new.txt
      """
  )

  @Argument(help: ArgumentHelp("A run's folder, or its run.json.", valueName: "run"), completion: .file())
  var run: String

  @Option(help: ArgumentHelp("What to write.", valueName: "format"))
  var format: FormatArgument

  @Option(
    name: .customLong("out"),
    help: ArgumentHelp("The file, or the folder of a format of several files.", valueName: "path"),
    completion: .file()
  )
  var target: String?

  @Flag(name: .customLong("force"), help: "Writes over what is there.")
  var overwrites = false

  func perform(in context: CommandContext) -> Int32 {
    ExportAction(run: run, format: format.format, target: target, overwrites: overwrites).perform(in: context)
  }

  private static var formats: String {
    AlignedColumns.lines(ExportFormat.allCases.map { [$0.rawValue, $0.summary] }).joined(separator: "\n  ")
  }
}

/// A format by its name.
struct FormatArgument: ExpressibleByArgument {
  let format: ExportFormat

  init?(argument: String) {
    guard let format = ExportFormat(rawValue: argument) else { return nil }
    self.format = format
  }

  static var allValueStrings: [String] { ExportFormat.allCases.map(\.rawValue) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
