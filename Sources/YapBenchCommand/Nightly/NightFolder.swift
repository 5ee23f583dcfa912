internal import BenchComparison
internal import BenchRegression
internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import Glibc
internal import HarnessPrimitives

/// The files of nightly runs: `builds`, the history, and a folder for each night.
struct NightFolder {
  /// A build that is kept for later nights.
  enum KeptBuild: String {
    case pinned, last
  }

  /// The folder of all nights.
  let home: String
  /// The name of this night's folder in `home`.
  let name: String

  /// The folder of a named night.
  init(home: String, name: String) {
    (self.home, self.name) = (home, name)
  }

  /// The folder of a night without a name. An unfinished night is continued in its folder; a new one is named by the
  /// local day, with a number if that day has a complete night.
  ///
  /// An unfinished night is continued on its day, and otherwise until `continuableSeconds` after its start, so that one
  /// that runs over midnight, or is started again in another time zone, stays one night. A nightly timer begins a new
  /// one.
  /// - Parameters:
  ///   - sha256: The digest of this build. The unfinished night of another day and another build is left as it is.
  init(home: String, at time: Date, sha256: String) {
    self.home = home
    let day = LocalDay(of: time).text
    var candidate = day
    var number = 2
    func summary(_ name: String) -> NightSummary? { try? Self.summary(in: "\(home)/\(name)") }
    while summary(candidate)?.isComplete == true {
      candidate = "\(day)-\(number)"
      number += 1
    }
    if summary(candidate) == nil, let unfinished = Self.lastUnfinished(in: home, at: time, sha256: sha256) {
      candidate = unfinished
    }
    name = candidate
  }

  /// The time after its start until which an unfinished night of another day is continued.
  static let continuableSeconds = 12 * 3_600.0

  /// Returns the name of the last night that can be continued; nil if there is none.
  private static func lastUnfinished(in home: String, at time: Date, sha256: String) -> String? {
    // In another time zone, the name may differ by more than a day.
    let days = (-2...2).map { LocalDay(of: time + Double($0) * 86_400).text }
    // A name that a user gave is continued only on request.
    func isUnnamed(_ name: String) -> Bool {
      days.contains { name == $0 || name.hasPrefix($0 + "-") && Int(name.dropFirst($0.count + 1)) != nil }
    }
    let continuable = nights(in: home).filter { night in
      guard isUnnamed(night.name), !night.summary.isComplete, night.summary.sha256 == sha256,
        let start = try? Date(night.summary.startedAt, strategy: .iso8601)
      else { return false }
      // The clock may have been set back.
      return abs(time.timeIntervalSince(start)) < continuableSeconds
    }
    return continuable.max { $0.summary.startedAt < $1.summary.startedAt }?.name
  }

  /// The folder of this night.
  var path: String { "\(home)/\(name)" }
  var history: String { "\(home)/history.sqlite" }
  /// The folder of the suite's reports of all nights, so that a report names the previous run.
  var suite: String { "\(home)/suite" }

  /// Creates the night's folder, and reserves the folder of all nights for this process.
  func lock() throws -> FileLock {
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw Failure("\(path): the folder cannot be created (\(error.localizedDescription))", .cannotCreateOutput)
    }
    guard let lock = try FileLock(ifFree: "\(home)/.lock") else {
      throw Failure(
        "\(home): another nightly run uses it; wait for it to end, or use another --folder",
        .cannotCreateOutput
      )
    }
    return lock
  }

  /// Returns the path of a report in `suite`, relative to the night's folder and without its extension.
  func page(ofReport report: String) -> String? {
    guard report.hasPrefix(suite + "/"), report.hasSuffix(".md") else { return nil }
    return "../suite/" + report.dropFirst(suite.count + 1).dropLast(3)
  }

  // MARK: The summary

  /// Returns the summary of the night; nil if it has not begun.
  func summary() throws -> NightSummary? { try Self.summary(in: path) }

  private static func summary(in folder: String) throws -> NightSummary? {
    let path = "\(folder)/night.json"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do { return try NightSummary.decode(Data(contentsOf: URL(fileURLWithPath: path))) } catch {
      throw Failure("\(path): this is not a summary of a night (\(error)); move the folder away", .missingInput)
    }
  }

  func write(_ summary: NightSummary) throws { try summary.write(in: path) }

  /// Returns the nights of a folder with the names of their folders, the newest first. A night that cannot be read,
  /// such as one of another version, is left out.
  private static func nights(in home: String) -> [(name: String, summary: NightSummary)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
    let nights = names.compactMap { name in (try? summary(in: "\(home)/\(name)")).map { (name: name, summary: $0) } }
    return nights.sorted { ($0.summary.startedAt, $0.name) > ($1.summary.startedAt, $1.name) }
  }

  /// Returns, for each scenario that has run in the suite of another night, the start of the last such night.
  /// - Parameter start: The start of this night.
  func lastRuns(before start: String) throws -> [String: String] {
    guard hasHistory else { return [:] }
    return try HistoryFile(at: history).suiteRuns().reduce(into: [:]) { last, run in
      if run.night != start { last[run.scenario] = max(last[run.scenario] ?? "", run.night) }
    }
  }

  /// Returns the result of a comparison of this night; nil if it was not completed or cannot be read.
  func outcome(of part: NightSummary.Part) -> ComparisonOutcome? {
    let path = "\(path)/\(part.rawValue)/compare.json"
    return (try? Data(contentsOf: URL(fileURLWithPath: path))).flatMap { try? ComparisonOutcome.decode($0) }
  }

  // MARK: Reports

  private func report(of summary: NightSummary) -> NightReport {
    let outcomes = [NightSummary.Part.pinned, .last].map { ($0, outcome(of: $0)) }
    return NightReport(
      summary,
      outcomes: Dictionary(uniqueKeysWithValues: outcomes).compactMapValues { $0 },
      exitCode: summary.exitCode
    )
  }

  /// Writes the report of the night as it is, so that a killed night has one.
  func writeReport(of summary: NightSummary) throws -> NightReport {
    let report = report(of: summary)
    try report.write(in: path)
    return report
  }

  /// Writes the page of all nights.
  func writeIndex(acknowledgements: [Acknowledgement]) throws {
    let nights = Self.nights(in: home).map { night in
      NightsReport.Night(night.name, NightFolder(home: home, name: night.name).report(of: night.summary))
    }
    guard !nights.isEmpty else { return }
    let file = hasHistory ? try HistoryFile(at: history) : nil
    let comparisons = HistoryReport(
      nights: try file?.nights() ?? [],
      alarms: try file?.alarms() ?? [],
      acknowledgements: acknowledgements
    )
    let pages = NightsReport.Page.allCases.filter { FileManager.default.fileExists(atPath: "\(home)/\($0.rawValue)") }
    try NightsReport(nights, history: comparisons, suite: try file?.suiteRuns() ?? [], pages: pages).write(in: home)
  }

  private var hasHistory: Bool { FileManager.default.fileExists(atPath: history) }

  /// Adds the figures of a run of the suite to the history.
  /// - Parameter start: The start of the night.
  func addToHistory(runOf report: String, nightOf start: String) throws {
    let result = try RunRecord(PathParts(report).folder).read()
    try HistoryFile(at: history).add(SuiteRun(result, night: start))
  }

  /// Removes the oldest nights, the reports in `suite` from before the oldest one that stays, and files of earlier
  /// nights that no later one needs.
  /// - Parameter keep: The number of nights that stay. This night stays, too.
  /// - Returns: The names of the removed nights.
  func prune(keep: Int) throws -> [String] {
    let nights = Self.nights(in: home)
    let kept = nights.prefix(keep) + nights.dropFirst(keep).filter { $0.name == name }
    let removed = nights.dropFirst(keep).map(\.name).filter { $0 != name }
    removeUnneeded(of: nights)
    guard let oldest = kept.last, !removed.isEmpty else { return [] }
    let reports = suiteReports(before: oldest.summary.startedAt)
    for path in reports + removed.map({ "\(home)/\($0)" }) {
      do { try FileManager.default.removeItem(atPath: path) } catch {
        throw Failure("\(path): the folder cannot be removed (\(error.localizedDescription))", .cannotCreateOutput)
      }
    }
    if !reports.isEmpty { try ReportIndex.rewrite(in: suite) }
    return removed
  }

  /// Removes from other nights the copies of programs and the unfinished files that killed comparisons have left, and
  /// from earlier runs of the suite the table with every sample, more than half of their size.
  private func removeUnneeded(of nights: [(name: String, summary: NightSummary)]) {
    let files = FileManager.default
    for other in nights where other.name != name {
      let folder = "\(home)/\(other.name)"
      for path in files.subpaths(atPath: folder) ?? [] {
        let name = PathParts(path).name
        guard name == ComparisonPreparation.copies || name.hasPrefix(UnfinishedOutput.prefix) else { continue }
        try? files.removeItem(atPath: "\(folder)/\(path)")
      }
    }
    guard let own = nights.first(where: { $0.name == name }) else { return }
    for report in suiteReports(before: own.summary.startedAt) {
      try? files.removeItem(atPath: "\(report)/\(RunDirectory.timeSeriesTable)")
    }
  }

  /// Returns the folders of the suite's runs that began before a time, whose names begin with their times. Links to
  /// folders elsewhere are left out.
  private func suiteReports(before start: String) -> [String] {
    let first = RunDirectory.time(of: start)
    return ((try? FileManager.default.contentsOfDirectory(atPath: suite)) ?? []).filter { report in
      report.prefixMatch(of: #/[0-9]{8}-[0-9]{6}-/#) != nil && report < first
        && (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(suite)/\(report)")) == nil
    }.map { "\(suite)/\($0)" }
  }

  // MARK: Builds

  func executable(of build: KeptBuild) -> String { "\(home)/builds/\(build.rawValue)/yapbench" }

  func has(_ build: KeptBuild) -> Bool { FileManager.default.isExecutableFile(atPath: executable(of: build)) }

  /// Returns the commit of a kept build; nil if the commit is not known.
  func commit(of build: KeptBuild) -> String? {
    (try? String(contentsOfFile: "\(home)/builds/\(build.rawValue)/commit", encoding: .utf8))
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Replaces a kept executable and its libraries.
  ///
  /// If the process is killed, either the earlier build or the new one is kept. The commit may then be missing.
  func keep(_ executable: String, commit: String?, as build: KeptBuild) throws {
    let files = FileManager.default
    let kept = self.executable(of: build)
    let folder = "\(home)/builds/\(build.rawValue)"
    do {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let partial = "\(folder)/.partial-yapbench"
      try? files.removeItem(atPath: partial)
      try files.copyItem(atPath: executable, toPath: partial)
      try ReleaseArchive.copyLibraries(of: executable, to: folder)
      // The file names the commit of the earlier build.
      try? files.removeItem(atPath: "\(folder)/commit")
      guard rename(partial, kept) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      try Data((commit ?? "").utf8).write(to: URL(fileURLWithPath: "\(folder)/commit"), options: .atomic)
    } catch {
      throw Failure("\(folder): the build could not be kept (\(error.localizedDescription))", .cannotCreateOutput)
    }
  }
}

/// The largest regression of a night: since the last night's build, or since the pinned build if there is no comparison
/// with the last night's.
struct NightRegression {
  let figure: FigureName
  /// The commits of the two builds; nil if both are the same, one is not known, or the head has uncommitted changes.
  let commits: (good: String, bad: String)?

  /// - Parameter pinnedIsKept: Whether the night's pinned build is the one that an earlier night has kept.
  /// - Returns: nil if the comparison found no regression, or if there is none.
  init?(of folder: NightFolder, pinnedIsKept: Bool) {
    let last = folder.outcome(of: .last)
    guard let outcome = last ?? folder.outcome(of: .pinned),
      let worst = outcome.figures.first(where: { $0.verdict == .regressed && $0.role == .primary })
    else { return nil }
    figure = worst.name
    let keptBuild: NightFolder.KeptBuild = last == nil ? .pinned : .last
    let isKept = last != nil || pinnedIsKept
    guard let good = isKept ? folder.commit(of: keptBuild) : outcome.base.commit, let bad = outcome.head.commit,
      good != bad, !outcome.head.hasUncommittedChanges
    else {
      commits = nil
      return
    }
    commits = (good, bad)
  }
}

/// A day in the time zone of this machine, or of the variable `TZ`.
struct LocalDay {
  /// ISO 8601, such as 2026-01-31.
  let text: String

  init(of time: Date) {
    var seconds = time_t(Int(saturating: time.timeIntervalSince1970.rounded(.down)))
    var parts = tm()
    // Not `TimeZone`, which does not know all forms of `TZ`.
    tzset()
    localtime_r(&seconds, &parts)
    text = String(format: "%04d-%02d-%02d", parts.tm_year + 1_900, parts.tm_mon + 1, parts.tm_mday)
  }
}
