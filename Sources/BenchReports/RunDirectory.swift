public import BenchModel
internal import Foundation
internal import Glibc
internal import SystemFiles

/// The folder that a run leaves behind. It is written under a temporary name and gets its own when it is whole, so what
/// bears a run's name can be relied on; what is there already is never overwritten.
public enum RunDirectory {
  /// Writes everything there is to say of `result` into a new folder in `folder`.
  /// - Parameters:
  ///   - result: of at least one run.
  ///   - folder: where the new one is created.
  ///   - command: repeats the run.
  ///   - latencyLog: what was written while the run lasted; nil for none.
  /// - Returns: the path of the new folder.
  /// - Throws: `ReportError`; then nothing is left behind.
  public static func write(
    _ result: ScenarioResult,
    under folder: String,
    repeatedBy command: RepeatCommand,
    latencyLog: LatencyLogFile? = nil
  ) throws -> String {
    try create(for: result, under: folder) { partial in
      try writeTables(result, in: partial)
      try writeRecord(result, in: partial)
      try latencyLog?.copy(to: "\(partial)/latency.hlog")
      return { final in
        for (name, text) in reports(result, repeatedBy: command, in: final) {
          try createFolders(of: name, in: partial)
          try DurableFile.replace(Data(text.utf8), at: "\(partial)/\(name)")
        }
        if !result.isSingle { try DurableFile.synchronize("\(partial)/\(runFolder)") }
      }
    }
  }

  /// Finds out before a run whether its report can be written afterwards. Creates `folder` where it is missing.
  public static func checkWritable(_ folder: String) throws {
    try createParent(folder)
    try checkTakesFiles(folder)
  }

  /// Finds out whether a folder is there and takes new files. Creates nothing that stays.
  public static func checkTakesFiles(_ folder: String) throws {
    try checkLinks(onTheWayTo: folder)
    try checkNoFile(at: folder)
    guard FileManager.default.fileExists(atPath: folder) else {
      throw ReportError(
        path: folder,
        problem: "there is no such folder",
        remedy: "Create it, or name one that is there."
      )
    }
    let probe = folder + "/.partial-probe-" + UUID().uuidString
    let problem = "cannot be written to"
    try UnfinishedOutput.writing(probe, for: folder, orTell: problem) {
      try attempt(problem, at: folder) { try Data("probe".utf8).write(to: URL(fileURLWithPath: probe + "/file")) }
    }
  }

  /// Writes a new folder in `folder` with no more of `result` than `redraw` needs, for a disk that has no room for all.
  /// - Returns: the path of the new folder.
  /// - Throws: `ReportError`; then nothing is left behind.
  public static func writeRecord(_ result: ScenarioResult, under folder: String) throws -> String {
    try create(for: result, under: folder) { partial in
      try writeRecord(result, in: partial)
      return { _ in }
    }
  }

  /// Makes a run's folder.
  /// - Parameter fill: writes into it, under its temporary name, and returns what writes all that depends on its own.
  private static func create(
    for result: ScenarioResult,
    under folder: String,
    _ fill: (_ partial: String) throws -> (_ final: String) throws -> Void
  ) throws -> String {
    try createParent(folder)
    let name = name(of: result.first)
    let partial = "\(folder)/.partial-\(name)-\(UUID().uuidString)"
    return try UnfinishedOutput.writing(partial, for: "\(folder)/\(name)") {
      let finish = try fill(partial)
      let final = try publish(partial, as: "\(folder)/\(name)") { final in
        try finish(final)
        try DurableFile.synchronize(partial)
      }
      // So that the new name reaches the disk, too. The run is whole by now, so a failure here must not disown it.
      try? DurableFile.synchronize(folder)
      return final
    }
  }

  /// Such as `20260203-040506-stalled-reader-1a2b3c4`.
  static func name(of result: RunResult) -> String {
    let commit = result.environment.commit.map { pathComponent($0, limit: 7) } ?? ""
    return [
      time(of: result.startedAt), pathComponent(result.scenario, limit: 80), commit.isEmpty ? "nocommit" : commit,
    ].joined(separator: "-")
  }

  /// The reports of several runs by themselves.
  static let runFolder = "runs"

  /// What a run's own files are called without their ending, in `runFolder`: its place in the order, what it is, and
  /// which of its kind.
  static func stem(of run: RunResult, in result: ScenarioResult) -> String {
    let number = (result.runs.firstIndex { $0.runID == run.runID } ?? 0) + 1
    let label = result.variants.first { $0.name == run.variant }?.label ?? ""
    let digits = String(result.plannedRunCount).count
    let padded = String(repeating: "0", count: digits - String(number).count) + String(number)
    return [padded, pathComponent(label, limit: 40), String(run.repetition)].filter { !$0.isEmpty }
      .joined(separator: "-")
  }

  /// The files of every report and their texts, by name: Markdown, pages, and the pictures that the Markdown shows.
  /// - Parameters:
  ///   - command: repeats the run.
  ///   - final: the path of the run's folder.
  static func reports(
    _ result: ScenarioResult,
    repeatedBy command: RepeatCommand,
    in final: String
  ) -> [(name: String, text: String)] {
    let repetition = command.text(for: result, in: final)
    if result.isSingle { return files(of: RunReport(result: result.first, command: repetition).sections) }
    let runs = result.runs.flatMap { run in
      let stem = stem(of: run, in: result)
      let report = RunReport(
        result: run,
        pictureName: stem + ".svg",
        command: command.text(forRun: run, in: final),
        tableFolder: "../"
      )
      return files(of: report.sections, named: stem, in: runFolder + "/", back: report.back)
    }
    return runs + files(of: ScenarioReport(result: result, command: repetition).sections)
  }

  private static func files(
    of sections: [ReportSection],
    named stem: String = "report",
    in folder: String = "",
    back: HTMLReport.Link? = nil
  ) -> [(name: String, text: String)] {
    let figures = sections.flatMap(\.blocks).compactMap { if case .figure(let figure) = $0 { figure } else { nil } }
    let pictures = figures.compactMap(\.file).map { (name: folder + $0.name, text: $0.text) }
    return pictures + [
      (folder + stem + ".md", MarkdownReport.text(of: sections)),
      (folder + stem + ".html", HTMLReport.text(of: sections, back: back)),
    ]
  }

  /// Whether tables are in a run's folder.
  static func hasTables(_ run: String) -> Bool { FileManager.default.fileExists(atPath: "\(run)/\(summaryTable)") }

  static let summaryTable = "summary.csv"

  /// Writes the tables, which can be made again from the record.
  static func writeTables(_ result: ScenarioResult, in partial: String) throws {
    var texts = [
      (summaryTable, SummaryTable.table(of: result.runs).contents),
      ("pins.csv", PinsTable.table(of: result.runs).contents),
      ("checkpoints.csv", CheckpointsTable.table(of: result.runs).contents),
    ]
    if !result.isSingle {
      texts.append(("variants.csv", VariantsTable.table(of: VariantComparison(result)).contents))
    }
    for (name, text) in texts { try DurableFile.write(Data(text.utf8), to: "\(partial)/\(name)") }
    try DurableFile.write(to: "\(partial)/timeseries.csv") { append in
      try TimeSeriesTable.write(of: result.runs) { text in
        var text = text
        try text.withUTF8 { try append(UnsafeRawBufferPointer($0)) }
      }
    }
  }

  /// Writes the run's record: its scenario, the files that this names, and `run.json`.
  private static func writeRecord(_ result: ScenarioResult, in partial: String) throws {
    let yaml = result.scenarioYAML
    try DurableFile.write(Data((yaml.hasSuffix("\n") ? yaml : yaml + "\n").utf8), to: "\(partial)/scenario.yaml")
    for (name, text) in result.files ?? [:] {
      try createFolders(of: name, in: partial)
      try DurableFile.write(Data(text.utf8), to: "\(partial)/\(name)")
    }
    let document = try attempt("could not be encoded", at: "\(partial)/run.json") { try RunDocument.encode(result) }
    try DurableFile.write(document, to: "\(partial)/run.json")
  }

  /// Makes the folders that a file's name leads through, but not the one that it is in: that may have been taken away.
  static func createFolders(of name: String, in folder: String) throws {
    var path = folder
    for part in name.split(separator: "/").dropLast() {
      path += "/" + part
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
        throw ReportError(path, "could not be created", code: errno)
      }
    }
  }

  /// Gives the folder its name, or the first of `-2`, `-3` … that is free.
  /// - Parameter prepare: writes what depends on the name that is tried next.
  private static func publish(
    _ partial: String,
    as wanted: String,
    prepare: (String) throws -> Void
  ) throws -> String {
    for number in 1...9_999 {
      let final = number == 1 ? wanted : "\(wanted)-\(number)"
      // A link that leads nowhere counts as there.
      if (try? FileManager.default.attributesOfItem(atPath: final)) != nil { continue }
      try prepare(final)
      // Renaming never replaces a folder that holds something, so another run that comes first loses nothing.
      var code: Int32 = 0
      UnfinishedOutput.publish { code = rename(partial, final) == 0 ? 0 : errno }
      if code == 0 { return final }
      if code == EEXIST || code == ENOTEMPTY || code == ENOTDIR { continue }
      throw ReportError(final, "the run's folder could not get its name", code: code)
    }
    throw ReportError(path: wanted, problem: "9,999 folders of that name are there", remedy: "Move some of them away.")
  }

  /// A link that leads nowhere is in the way of a folder, and does not exist where it is followed.
  private static func checkLinks(onTheWayTo path: String) throws {
    guard let problem = SymbolicLink.broken(onTheWayTo: path) else { return }
    throw ReportError(
      path: problem.path,
      problem: problem.explanation,
      remedy: "Name another folder, or mend the link."
    )
  }

  private static func checkNoFile(at path: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else { return }
    throw ReportError(
      path: path,
      problem: "this is a file and no folder",
      remedy: "Name a folder, or move the file away."
    )
  }

  /// Makes a folder, and those above it, where there is none.
  static func createParent(_ folder: String) throws {
    try checkLinks(onTheWayTo: folder)
    try checkNoFile(at: folder)
    try attempt("could not be created", at: folder) {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
  }

  /// Digits of an ISO 8601 time in UTC; the time of writing where it is none.
  private static func time(of startedAt: String) -> String {
    let seconds = startedAt.prefix(19).utf8.map { $0 }
    let pattern = Array("0000-00-00T00:00:00".utf8)
    let fits =
      startedAt.hasSuffix("Z") && seconds.count == pattern.count
      && zip(seconds, pattern).allSatisfy { $1 == UInt8(ascii: "0") ? (0x30...0x39).contains($0) : $0 == $1 }
    let time = fits ? String(startedAt.prefix(19)) : Date().formatted(.iso8601)
    return String(time.filter { $0.isNumber || $0 == "T" }.map { $0 == "T" ? "-" : $0 })
  }

  /// Text from a scenario must not lead out of the folder, hide or need quoting.
  private static func pathComponent(_ text: String, limit: Int) -> String {
    let safe = text.unicodeScalars.map { scalar in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isPlain || scalar == "." || scalar == "_" ? Character(scalar) : "-"
    }
    return String(safe.prefix(limit))
  }
}
