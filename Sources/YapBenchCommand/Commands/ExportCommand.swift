internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchScenario

struct ExportCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a run's figures in the formats of other tools.",
    discussion: """
      RUN is the folder of a run, or its run.json. A format of one file goes to \
      standard output, or to the file that --out names. A format of several files \
      needs --out with a folder. Figures of smoke runs, of invalid runs and of \
      warm-up phases are left out.

      Formats:
        \(formats)

      Examples:
        yapbench export Reports/RUN --format junit --out junit.xml
        yapbench export Reports/RUN --format hgrm --out percentiles

        Compares two versions with benchstat; each was run with `repeat: 10`:
        yapbench export Reports/OLD --format benchstat --out old.txt
        yapbench export Reports/NEW --format benchstat --out new.txt
        benchstat old.txt new.txt
      """
  )

  @Argument(help: ArgumentHelp("The folder of a run, or its run.json.", valueName: "run"), completion: .file())
  var path: PathArgument

  @Option(help: ArgumentHelp("The format.", valueName: "format"))
  var format: NamedArgument<ExportFormat>

  @Option(
    name: .customLong("out"),
    help: ArgumentHelp("The file, or the folder for a format of several files.", valueName: "path"),
    completion: .file()
  )
  var target: PathArgument?

  @Flag(name: .customLong("force"), help: "Overwrites existing files.")
  var overwrites = false

  func perform(in context: CommandContext) throws -> Int32 {
    let format = format.value
    if format.isFolder, target == nil {
      throw Failure("\(format.rawValue) has several files: specify a folder with --out", .usage)
    }
    let record = RunRecord(path.text)
    let result = try record.read()
    let files: [ExportFormat.File]
    do { files = try format.files(of: result) } catch { throw record.unusable(because: error) }
    guard let target = target?.text else {
      for file in files { context.output.write(file.text) }
      return ExitStatus.passed.rawValue
    }
    try context.endOnSignals()
    if format.isFolder {
      try ExportedFiles.write(files, into: target, overwrites: overwrites)
    } else {
      for file in files { try ExportedFiles.write(file.text, to: target, overwrites: overwrites) }
    }
    let count = files.count == 1 ? "" : " (\(files.count) files)"
    context.output.line(InertText.line("\(target): written\(count)"))
    return ExitStatus.passed.rawValue
  }

  private static var formats: String {
    AlignedColumns.lines(ExportFormat.allCases.map { [$0.rawValue, $0.summary] }).joined(separator: "\n  ")
  }
}
