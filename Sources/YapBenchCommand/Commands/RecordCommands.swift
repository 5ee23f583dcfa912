internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives

// MARK: report

struct ReportCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Writes the reports and pictures of a run again, from its run.json.",
    discussion: """
      For a run of an older version, or one without reports. The figures stay as \
      they were measured. Tables are written if the run has none. Existing files \
      are overwritten only with --force.

      Examples:
        yapbench report Reports/RUN
        yapbench report Reports/RUN --out Reports/RUN --force
      """
  )

  @OptionGroup var options: ReportOptions

  func perform(in context: CommandContext) throws -> Int32 { try ReportAction(options: options).perform(in: context) }
}

struct ReportOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The folder of a run, or its run.json.", valueName: "run"), completion: .directory)
  var run: PathArgument

  @Option(
    name: .customLong("out"),
    help: ArgumentHelp("The folder for the reports. (default: redrawn/ in the run's folder)", valueName: "dir"),
    completion: .directory
  )
  var target: PathArgument?

  @Flag(name: .customLong("force"), help: "Overwrites existing reports and pictures.")
  var overwrites = false
}

/// Writes the reports and pictures of a run again, from its record.
struct ReportAction {
  let options: ReportOptions

  func perform(in context: CommandContext) throws -> Int32 {
    let record = RunRecord(options.run.text)
    let result = try record.read()
    let target = options.target?.text ?? "\(record.folder)/redrawn"
    try context.endOnSignals()
    try RunDirectory.redraw(result, of: record.folder, into: target, overwrites: options.overwrites)
    context.output.line(InertText.line("report: \(target)/report.html"))
    return ExitStatus.passed.rawValue
  }
}

// MARK: export

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

        Compares two versions, each run with `repeat: 10`, by benchstat:
        yapbench export Reports/OLD --format benchstat --out old.txt
        yapbench export Reports/NEW --format benchstat --out new.txt
        benchstat old.txt new.txt
      """
  )

  @OptionGroup var options: ExportOptions

  func perform(in context: CommandContext) throws -> Int32 { try ExportAction(options: options).perform(in: context) }

  private static var formats: String {
    AlignedColumns.lines(ExportFormat.allCases.map { [$0.rawValue, $0.summary] }).joined(separator: "\n  ")
  }
}

struct ExportOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The folder of a run, or its run.json.", valueName: "run"), completion: .file())
  var run: PathArgument

  @Option(help: ArgumentHelp("The format.", valueName: "format"))
  var format: FormatArgument

  @Option(
    name: .customLong("out"),
    help: ArgumentHelp("The file, or the folder for a format of several files.", valueName: "path"),
    completion: .file()
  )
  var target: PathArgument?

  @Flag(name: .customLong("force"), help: "Overwrites existing files.")
  var overwrites = false
}

/// The name of an export format.
struct FormatArgument: ExpressibleByArgument {
  let format: ExportFormat

  init?(argument: String) {
    guard let format = ExportFormat(rawValue: argument) else { return nil }
    self.format = format
  }

  static var allValueStrings: [String] { ExportFormat.allCases.map(\.rawValue) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// Reads a run's record and writes it in another format.
struct ExportAction {
  let options: ExportOptions

  func perform(in context: CommandContext) throws -> Int32 {
    let format = options.format.format
    if format.isFolder, options.target == nil {
      throw Failure("\(format.rawValue) has several files: specify a folder with --out", .usage)
    }
    let record = RunRecord(options.run.text)
    let result = try record.read()
    let files: [ExportFormat.File]
    do { files = try format.files(of: result) } catch { throw record.unusable(because: error) }
    guard let target = options.target?.text else {
      for file in files { context.output.write(file.text) }
      return ExitStatus.passed.rawValue
    }
    try context.endOnSignals()
    if format.isFolder {
      try ExportedFiles.write(files, into: target, overwrites: options.overwrites)
    } else {
      for file in files { try ExportedFiles.write(file.text, to: target, overwrites: options.overwrites) }
    }
    let count = files.count == 1 ? "" : " (\(files.count) files)"
    context.output.line(InertText.line("\(target): written\(count)"))
    return ExitStatus.passed.rawValue
  }
}

// MARK: The record

/// The record of a run, `run.json`, as a user names it.
struct RunRecord {
  /// The size of the largest accepted record. This program makes no larger one.
  static let maximumBytes = 1 << 31

  /// The path of `run.json`.
  let path: String

  /// - Parameter run: The folder of a run, or its `run.json`.
  init(_ run: String) {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: run, isDirectory: &isFolder)
    path = exists && isFolder.boolValue ? "\(run)/run.json" : run
  }

  /// The folder that contains the record.
  var folder: String { PathParts(path).folder }

  func read() throws(Failure) -> ScenarioResult {
    do {
      let bytes = try RegularFile(path: path).contents(upTo: Self.maximumBytes + 1)
      guard bytes.count <= Self.maximumBytes else {
        throw Failure("the file is larger than 2 GiB; expected the record of a run", .invalidScenario)
      }
      return try RunDocument.decode(Data(bytes))
    } catch let problem as FileProblem {
      throw Failure("\(path): \(problem.explanation); name a run's folder, or its run.json", .missingInput)
    } catch {
      throw unusable(because: error)
    }
  }

  func unusable(because error: any Error) -> Failure { Failure("\(path): \(Failure(error).text)", .invalidScenario) }
}
