package import BenchResults
internal import Foundation
internal import Glibc
internal import HarnessPrimitives

/// The folder of a run's record, tables and reports. It is written under a temporary name beside its target and renamed
/// when it is complete, so a folder with a run's name is complete. No file of an existing folder is overwritten.
package enum RunDirectory {
  /// Writes the record, the tables and the reports of `result` into a new folder in `folder`.
  /// - Parameters:
  ///   - result: The result of at least one run.
  ///   - command: The command that repeats the run.
  ///   - latencyLog: The log that was written during the run. It is moved into the new folder; nil for none.
  ///   - baseline: The baseline with which the report compares; nil for none.
  /// - Returns: The path of the new folder.
  /// - Throws: `ReportError`. Then the incomplete folder is removed.
  package static func write(
    _ result: ScenarioResult,
    under folder: String,
    repeatedBy command: RepeatCommand,
    latencyLog: LatencyLogFile? = nil,
    baseline: BaselineFolder? = nil
  ) throws -> String {
    try createIfMissing(folder)
    let name = name(of: result.first)
    let partial = "\(folder)/.partial-\(name)-\(UUID().uuidString)"
    return try UnfinishedOutput.writing(partial, for: "\(folder)/\(name)") {
      try writeTables(result, in: partial)
      try writeRecord(result, in: partial)
      try latencyLog?.move(to: "\(partial)/\(LatencyLogFile.name)")
      return try publish(partial, as: "\(folder)/\(name)") { final in
        var earlier = EarlierRuns(before: result, at: final)
        earlier.baseline = baseline?.of(result)
        let files = RunFiles(earlier: earlier, hasLatencyLog: latencyLog != nil)
        let latencies = latencyLog.map { _ in
          LatencyIntervals.read("\(partial)/\(LatencyLogFile.name)", of: result)
        }
        for (name, text) in try reports(result, repeatedBy: command, in: final, files: files, latencies: latencies) {
          try createFolders(of: name, in: partial)
          try OutputFile.replace(Data(text.utf8), at: "\(partial)/\(name)")
        }
      }
    }
  }

  /// Checks before a run that its report can be written afterwards. Creates `folder` if it is missing.
  package static func checkWritable(_ folder: String) throws {
    try createIfMissing(folder)
    try checkTakesFiles(folder)
  }

  /// Checks that a folder exists and that files can be created in it. Leaves nothing in it.
  package static func checkTakesFiles(_ folder: String) throws {
    try checkLinks(onTheWayTo: folder)
    try checkNoFile(at: folder)
    guard FileManager.default.fileExists(atPath: folder) else {
      throw ReportError(folder, "there is no such folder", remedy: "Create it, or name an existing folder.")
    }
    let probe = folder + "/.partial-probe-" + UUID().uuidString
    let problem = "cannot be written to"
    try UnfinishedOutput.writing(probe, for: folder, problem: problem) {
      try attempt(problem, at: folder) { try Data("probe".utf8).write(to: URL(fileURLWithPath: probe + "/file")) }
    }
  }

  /// The name of a run's folder, such as `20260203-040506-stalled-reader-1a2b3c4`.
  static func name(of result: RunResult) -> String {
    let commit = result.environment.commit.map { pathComponent($0, limit: 7) } ?? ""
    return [
      time(of: result.startedAt), scenarioComponent(result.scenario), commit.isEmpty ? "nocommit" : commit,
    ].joined(separator: "-")
  }

  /// The part of a folder's name that is the scenario's.
  static func scenarioComponent(_ scenario: String) -> String { pathComponent(scenario, limit: 80) }

  /// The folder of the report of each run, if several runs were planned.
  static let runFolder = "runs"

  /// The name of a run's files in `runFolder`, without ending: the run's number, variant (if any) and repetition.
  static func stem(of run: RunResult, in result: ScenarioResult) -> String {
    let number = (result.runs.firstIndex { $0.runID == run.runID } ?? 0) + 1
    let label = result.variants.first { $0.name == run.variant }?.label ?? ""
    let digits = String(max(result.plannedRunCount, result.runs.count)).count
    let padded = String(repeating: "0", count: digits - String(number).count) + String(number)
    return [padded, pathComponent(label, limit: 40), String(run.repetition)].filter { !$0.isEmpty }
      .joined(separator: "-")
  }

  /// The names and texts of all files of the reports: Markdown, pages, the pictures that the Markdown shows, and the
  /// verdict.
  /// - Parameters:
  ///   - command: The command that repeats the run.
  ///   - final: The path of the run's folder.
  ///   - files: The files of the run, as seen from the folder of the report of all runs.
  ///   - latencies: The latencies of each run, in the order of the runs, or the reason why their log cannot be read;
  ///     nil for a scenario without a log.
  static func reports(
    _ result: ScenarioResult,
    repeatedBy command: RepeatCommand,
    in final: String,
    files: RunFiles = RunFiles(),
    latencies: Result<[LatencyIntervals], ReportError>? = nil
  ) throws -> [(name: String, text: String)] {
    let repetition = command.text(for: result, in: final)
    let scenario = result.first.scenario
    let verdict = try attempt("could not be encoded", at: "\(final)/\(RunSummary.fileName)") {
      (name: RunSummary.fileName, text: try RunSummary(result).encoded())
    }
    if result.isSingle {
      let own = latencies?.map { $0[0] }
      let report = RunReport(
        result: result.first,
        command: repetition,
        files: files,
        latencies: own,
        shownFigures: result.shownFigures ?? [],
        againstEarlierRuns: EarlierRunsSection.section(of: result, files.earlier)
      )
      let sections = report.sections + EnginesSection.sections(of: result)
      return texts(of: sections, subject: scenario, links: report.links) + [verdict]
    }
    var above = files
    above.folder = "../" + files.folder
    let runs = result.runs.enumerated().flatMap { index, run in
      let stem = stem(of: run, in: result)
      let report = RunReport(
        result: run,
        pictureName: stem + ".svg",
        command: command.text(forRun: run, of: result, in: final),
        files: above,
        latencies: latencies?.map { $0[index] },
        isOneOfSeveral: true,
        shownFigures: result.shownFigures ?? []
      )
      let subject = "\(scenario), \(result.label(of: run))"
      return texts(of: report.sections, subject: subject, links: report.links, named: stem, in: runFolder + "/")
    }
    let report = ScenarioReport(result: result, command: repetition, files: files)
    return runs + texts(of: report.sections, subject: scenario, links: files.links) + [verdict]
  }

  private static func texts(
    of sections: [ReportSection],
    subject: String,
    links: [HTMLReport.Link],
    named stem: String = "report",
    in folder: String = ""
  ) -> [(name: String, text: String)] {
    let drawings = sections.flatMap(\.blocks).compactMap { if case .drawings(let one) = $0 { one } else { nil } }
    let pictures = drawings.compactMap(\.file).map { (name: folder + $0.name, text: $0.text) }
    return pictures + [
      (folder + stem + ".md", MarkdownReport.text(of: sections)),
      (folder + stem + ".html", HTMLReport.text(of: sections, subject: subject, links: links)),
    ]
  }

  /// Whether a run's folder contains tables.
  static func hasTables(_ run: String) -> Bool { FileManager.default.fileExists(atPath: "\(run)/\(timeSeriesTable)") }

  /// The largest table, and the last one that is written.
  package static let timeSeriesTable = "timeseries.csv"

  static func writeTables(_ result: ScenarioResult, in partial: String) throws {
    var texts = [
      ("summary.csv", SummaryTable.table(of: result.runs).contents),
      ("pins.csv", PinsTable.table(of: result.runs).contents),
      ("checkpoints.csv", CheckpointsTable.table(of: result.runs).contents),
    ]
    if !result.isSingle {
      texts.append(("variants.csv", VariantsTable.table(of: result).contents))
    }
    for (name, text) in texts { try OutputFile.write(Data(text.utf8), to: "\(partial)/\(name)") }
    try OutputFile.write(to: "\(partial)/\(timeSeriesTable)") { append in
      try TimeSeriesTable.write(of: result.runs) { text in
        var text = text
        try text.withUTF8 { try append(UnsafeRawBufferPointer($0)) }
      }
    }
  }

  /// Writes the record: the scenario, the files that it names, and `run.json`.
  private static func writeRecord(_ result: ScenarioResult, in partial: String) throws {
    let yaml = result.scenarioYAML
    try OutputFile.write(Data((yaml.hasSuffix("\n") ? yaml : yaml + "\n").utf8), to: "\(partial)/scenario.yaml")
    for (name, text) in result.files ?? [:] {
      try createFolders(of: name, in: partial)
      try OutputFile.write(Data(text.utf8), to: "\(partial)/\(name)")
    }
    let document = try attempt("could not be encoded", at: "\(partial)/run.json") { try RunDocument.encode(result) }
    try OutputFile.write(document, to: "\(partial)/run.json")
  }

  /// Creates the folders in a file's name, but not `folder`: an interruption of the process may have removed that one.
  static func createFolders(of name: String, in folder: String) throws {
    var path = folder
    for part in name.split(separator: "/").dropLast() {
      path += "/" + part
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
        throw ReportError(path, "could not be created", code: errno)
      }
    }
  }

  /// Renames the folder to `wanted`, with the first free suffix of `-2`, `-3` … if that name is taken.
  /// - Parameter prepare: Writes the files that contain the final path. Called before each attempt to rename.
  private static func publish(_ partial: String, as wanted: String, prepare: (String) throws -> Void) throws -> String {
    for number in 1...9_999 {
      let final = number == 1 ? wanted : "\(wanted)-\(number)"
      // A broken link counts as existing.
      if (try? FileManager.default.attributesOfItem(atPath: final)) != nil { continue }
      try prepare(final)
      // Renaming never replaces a folder that is not empty, so the folder of another run is safe.
      var code: Int32 = 0
      UnfinishedOutput.publish { code = rename(partial, final) == 0 ? 0 : errno }
      if code == 0 { return final }
      if code == EEXIST || code == ENOTEMPTY || code == ENOTDIR { continue }
      throw ReportError(final, "the run's folder could not be renamed", code: code)
    }
    throw ReportError(wanted, "9,999 folders with this name exist", remedy: "Move some of them away.")
  }

  /// Throws if the path contains a broken link: a folder can neither be found nor created there.
  private static func checkLinks(onTheWayTo path: String) throws {
    guard let problem = SymbolicLink.broken(onTheWayTo: path) else { return }
    throw ReportError(problem.path, problem.explanation, remedy: "Name another folder, or repair the link.")
  }

  private static func checkNoFile(at path: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else { return }
    throw ReportError(path, "this is a file; expected a folder", remedy: "Name a folder, or move the file away.")
  }

  /// Creates a folder and the folders above it, as far as they are missing.
  static func createIfMissing(_ folder: String) throws {
    try checkLinks(onTheWayTo: folder)
    try checkNoFile(at: folder)
    try attempt("could not be created", at: folder) {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
  }

  /// Returns a time such as `20260203-040506`; the current time if `startedAt` is not an ISO 8601 time in UTC.
  package static func time(of startedAt: String) -> String {
    let seconds = startedAt.prefix(19).utf8.map { $0 }
    let pattern = Array("0000-00-00T00:00:00".utf8)
    let fits =
      startedAt.hasSuffix("Z") && seconds.count == pattern.count
      && zip(seconds, pattern).allSatisfy { $1 == UInt8(ascii: "0") ? (0x30...0x39).contains($0) : $0 == $1 }
    let time = fits ? String(startedAt.prefix(19)) : Date().formatted(.iso8601)
    return String(time.filter { $0.isNumber || $0 == "T" }.map { $0 == "T" ? "-" : $0 })
  }

  /// Returns the beginning of a text for a file's name, with `-` for all but ASCII letters, digits, `.` and `_`.
  private static func pathComponent(_ text: String, limit: Int) -> String {
    let safe = text.unicodeScalars.map { scalar in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isPlain || scalar == "." || scalar == "_" ? Character(scalar) : "-"
    }
    return String(safe.prefix(limit))
  }
}
