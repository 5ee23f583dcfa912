internal import ArgumentParser
internal import BenchDrivers
internal import BenchReports
internal import BenchResults
internal import EngineStress
internal import Foundation
internal import HarnessPrimitives

struct VerifyCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks that a stopped database contains exactly what was committed.",
    discussion: """
      Compares every row of a database that has a ledger, as those of "stress" do, \
      with the commits that wrote it. The files are only read: a copy in TMPDIR is \
      opened. No process may have the database open.

      SQLite cannot find that the newest commits are missing as a whole, such as \
      after the loss of the WAL. A file with the number of each acknowledged commit \
      on a line, as "stress crash" writes it, makes such a loss visible.

      The last line is the verdict. The exit code is 0 for PASSED and 111 for \
      WRONG DATA. It is 113 for INVALID: nothing wrong was found, but without a \
      ledger the rows could not be compared with the commits.

      Examples:
        yapbench verify store.sqlite
        yapbench verify store.sqlite --acknowledged acknowledged.txt
        yapbench verify --json store.sqlite
      """
  )

  @Argument(help: ArgumentHelp("A database file.", valueName: "database"), completion: .file())
  var database: PathArgument

  @Option(
    help: ArgumentHelp("A file with the number of each acknowledged commit, one per line.", valueName: "file"),
    completion: .file()
  )
  var acknowledged: PathArgument?

  @Option(
    help: ArgumentHelp(
      "The most commits after the newest ledger entry that may have none: registrations of views.",
      valueName: "n"
    )
  )
  var unrecorded = 0

  @Flag(help: "Writes the report as JSON.")
  var json = false

  func validate() throws {
    if unrecorded < 0 { throw ValidationError("--unrecorded must be 0 or more, not \(unrecorded)") }
  }

  func perform(in context: CommandContext) throws -> Int32 {
    let log = try acknowledged.map { try AcknowledgementLog(path: $0.text) }
    try context.endOnSignals()
    let folder = DataFolder(in: Self.temporaryFolder)
    try folder.create()
    defer { folder.removeUnlessKept() }
    let verification = StoreVerification { object, _ in try Document.payload(ofStored: object) }
    let report = try verification.verify(
      database.text,
      acknowledged: log,
      unrecorded: UInt64(unrecorded),
      in: folder.path
    )
    context.output.write(try json ? Self.document(report) : Self.text(report))
    return report.status.rawValue
  }

  /// The folder of temporary files, without the slash at its end.
  private static var temporaryFolder: String {
    let path = FileManager.default.temporaryDirectory.path
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private static func document(_ report: VerificationReport) throws -> String {
    String(decoding: try StableJSON.document(VerificationDocument(report: report)), as: UTF8.self)
  }

  private static func text(_ report: VerificationReport) -> String {
    var rows = [
      ["newest commit", Quantity.count(Int(clamping: report.commit))],
      ["ledger entries", Quantity.count(report.entries)],
      ["rows", "\(Quantity.count(report.rows)) in \(Quantity.count(report.collections, of: "collection"))"],
      ["stored views", "\(Quantity.count(report.views)) with \(Quantity.count(report.viewRows, of: "row"))"],
      ["database file", Quantity.bytes(report.databaseBytes)],
      [
        "WAL",
        report.walBytes.map { "\(Quantity.bytes($0)), \(Quantity.count(report.recoveredFrames, of: "frame"))" }
          ?? "none",
      ],
    ]
    if let count = report.acknowledgedCommits, let newest = report.newestAcknowledged {
      rows.append(["acknowledged commits", "\(Quantity.count(count)), the newest is \(newest)"])
    }
    let lines =
      [report.path] + AlignedColumns.lines(rows.map { ["  " + $0[0], $0[1]] })
      + report.checked.map { "checked: \($0)" } + report.unchecked.map { "not checked: \($0)" }
      + report.errors.map { "error: \($0)" } + [report.headline]
    return lines.map { InertText.line($0) + "\n" }.joined()
  }
}

extension VerificationReport {
  var status: ExitStatus {
    switch verdict {
    case .passed: .passed
    case .wrongData: .invariantViolated
    case .incomplete: .measurementInvalid
    }
  }

  /// The verdict with its reason.
  fileprivate var headline: String {
    switch verdict {
    case .passed:
      "\(status.word): \(Quantity.count(entries, of: "commit")) and \(Quantity.count(rows, of: "row")), no error"
    case .wrongData: "\(status.word): \(Quantity.count(errorCount, of: "error")), the first: \(errors[0])"
    case .incomplete: "\(status.word): no error, but without a ledger the rows could not be compared with the commits"
    }
  }
}

/// The report as JSON, with the verdict and the checks that it implies.
private struct VerificationDocument: Encodable {
  private enum Key: String, CodingKey {
    case verdict, checked, unchecked
  }

  let report: VerificationReport

  func encode(to encoder: any Encoder) throws {
    try report.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(report.verdict, forKey: .verdict)
    try container.encode(report.checked, forKey: .checked)
    try container.encode(report.unchecked, forKey: .unchecked)
  }
}
