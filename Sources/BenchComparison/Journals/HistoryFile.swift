internal import BenchRegression
package import BenchResults
internal import Foundation
internal import HarnessPrimitives
internal import SQLiteBinding

/// The history of a project: an SQLite file with a row for each compared night, for each alarm, and for each scenario
/// of a night's suite.
///
/// Every change is one transaction under a lock between processes. So a process that is killed leaves a whole change or
/// none, and no change is lost if two processes make changes. Rows are JSON in the column `record`. The view `ratios`
/// has a row for each figure of each compared night, and the view `suite_figures` for each figure of each suite.
package final class HistoryFile {
  private static let layout = """
    CREATE TABLE IF NOT EXISTS nights (
      number INTEGER PRIMARY KEY, time TEXT NOT NULL, head TEXT NOT NULL, reference TEXT NOT NULL, record TEXT NOT NULL,
      UNIQUE (time, head, reference)
    );
    CREATE TABLE IF NOT EXISTS alarms (number INTEGER PRIMARY KEY, record TEXT NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS suite (
      night TEXT NOT NULL, scenario TEXT NOT NULL, started TEXT NOT NULL, record TEXT NOT NULL,
      PRIMARY KEY (night, scenario)
    );
    CREATE VIEW IF NOT EXISTS ratios AS
      SELECT time, head, reference, json_extract(value, '$.name.workload') AS workload,
        json_extract(value, '$.name.metric') AS metric, json_extract(value, '$.effect') AS effect,
        json_extract(value, '$.base') AS base_value, json_extract(value, '$.head') AS head_value,
        json_extract(value, '$.verdict') AS verdict
      FROM nights, json_each(nights.record, '$.figures');
    CREATE VIEW IF NOT EXISTS suite_figures AS
      SELECT night, started, json_extract(record, '$.commit') AS head,
        json_extract(value, '$.name.workload') AS workload, json_extract(value, '$.name.metric') AS metric,
        json_extract(value, '$.value') AS value, json_extract(value, '$.unit') AS unit
      FROM suite, json_each(suite.record, '$.figures');
    """
  private static let lockTimeoutMilliseconds: Int32 = 30_000

  package let path: String
  private let handle: SQLiteHandle

  /// Opens a history, or creates it.
  /// - Throws: `ComparisonError` if the file cannot be used.
  package init(at path: String) throws {
    self.path = path
    do {
      try WritableFolder.prepare(PathParts(path).folder)
      handle = try SQLiteHandle(path: path)
      handle.setBusyTimeout(milliseconds: Self.lockTimeoutMilliseconds)
      try handle.execute("BEGIN IMMEDIATE")
      try handle.execute(Self.layout)
      try handle.execute("COMMIT")
    } catch {
      throw ComparisonError(
        .output,
        "\(path): the history cannot be opened (\(error)); move it away, or name another file"
      )
    }
  }

  // MARK: Reading

  /// Returns all nights, the oldest first.
  package func nights() throws -> [Night] { try records("SELECT record FROM nights ORDER BY time, number") }

  /// Returns all alarms, in the order in which they were raised.
  package func alarms() throws -> [TrendAlarm] { try records("SELECT record FROM alarms ORDER BY number") }

  /// Returns the runs of all suites, the oldest first.
  package func suiteRuns() throws -> [SuiteRun] { try records("SELECT record FROM suite ORDER BY started, scenario") }

  // MARK: Writing

  /// Adds a night, and the alarms that it raises. A night that the history already has is not added again.
  /// - Parameters:
  ///   - smallestChange: the smallest change of an alarm, as a logarithm; nil uses the figure's uncalibrated margin.
  ///   - whileLocked: called with all nights, just before the change is committed. If it throws, nothing is changed.
  /// - Returns: the new alarms; nil if the history already had the night.
  package func add(
    _ night: Night,
    smallestChange: Double? = nil,
    whileLocked: ([Night]) throws -> Void
  ) throws -> [TrendAlarm]? {
    try change {
      let values = [night.time, night.commit, night.reference, try Self.text(of: night)].map(Self.quoted)
      try handle.execute(
        "INSERT OR IGNORE INTO nights (time, head, reference, record) VALUES (\(values.joined(separator: ", ")))"
      )
      guard handle.changes > 0 else { return nil }
      let nights = try nights()
      let known = try alarms()
      // The other series were searched when their own nights were added.
      let series = NightSeries.all(of: nights).first { $0.contains(night) }
      let raised = night.figures.filter { $0.role == .primary }.flatMap { figure in
        TrendSearch(minimumMagnitude: smallestChange ?? Margins().margin(of: figure.name, figure.role))
          .newAlarms(of: figure.name, in: series?.nights ?? [], known: known)
      }
      for alarm in raised {
        try handle.execute("INSERT OR IGNORE INTO alarms (record) VALUES (\(Self.quoted(try Self.text(of: alarm))))")
      }
      try whileLocked(nights)
      return raised
    }
  }

  /// Adds a run of a night's suite. It replaces an earlier one of the same scenario in the same night.
  package func add(_ run: SuiteRun) throws {
    try change {
      let values = [run.night, run.scenario, run.startedAt, try Self.text(of: run)].map(Self.quoted)
      try handle.execute(
        "INSERT OR REPLACE INTO suite (night, scenario, started, record) VALUES (\(values.joined(separator: ", ")))"
      )
    }
  }

  /// Removes the oldest nights, with comparisons or with suites. Alarms stay.
  /// - Parameters:
  ///   - keep: the number of nights of each kind that stay.
  ///   - whileLocked: as in `add`, with the nights that stay.
  /// - Returns: the numbers of nights of each kind that were removed.
  package func prune(keep: Int, whileLocked: ([Night]) throws -> Void) throws -> (compared: Int, suites: Int) {
    try change {
      try handle.execute(
        "DELETE FROM nights WHERE number NOT IN "
          + "(SELECT number FROM nights ORDER BY time DESC, number DESC LIMIT \(keep))"
      )
      let compared = handle.changes
      let suites = Set(try suiteRuns().map(\.night)).sorted().dropLast(keep)
      if let last = suites.last { try handle.execute("DELETE FROM suite WHERE night <= \(Self.quoted(last))") }
      try whileLocked(try nights())
      return (compared, suites.count)
    }
  }

  private func change<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      let lock = try FileLock(at: path + ".lock")
      return try withExtendedLifetime(lock) {
        try handle.execute("BEGIN IMMEDIATE")
        do {
          let result = try body()
          try handle.execute("COMMIT")
          return result
        } catch {
          try? handle.execute("ROLLBACK")
          throw error
        }
      }
    } catch let error as SQLiteError {
      throw ComparisonError(.output, "\(path): the history cannot be changed (\(error)); nothing was written")
    }
  }

  // MARK: Records

  private func records<Record: Decodable>(_ sql: String) throws -> [Record] {
    do {
      let statement = try handle.prepare(sql)
      var records: [Record] = []
      while try statement.step() {
        records.append(try JSONDecoder().decode(Record.self, from: Data(statement.text(at: 0).utf8)))
      }
      return records
    } catch {
      throw ComparisonError(.missing, "\(path): the history cannot be read (\(error))")
    }
  }

  private static func text(of record: some Encodable) throws -> String {
    String(decoding: try StableJSON.encoder().encode(record), as: UTF8.self)
  }

  /// Returns a text as a literal of SQL.
  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
}

/// The acknowledgements of a project: a JSON array, in the order in which they were made.
package struct AcknowledgementFile: Sendable {
  package let path: String

  package init(at path: String) { self.path = path }

  /// Returns the acknowledgements; none if there is no file.
  /// - Throws: `ComparisonError` if the file cannot be read.
  package func acknowledgements() throws -> [Acknowledgement] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    do {
      let contents = Data(try RegularFile(path: path).contents(upTo: .max))
      return try JSONDecoder().decode([Acknowledgement].self, from: contents)
    } catch {
      throw ComparisonError(.missing, "\(path): expected acknowledgements (\(error)); move the file away")
    }
  }

  /// Adds acknowledgements. Waits while another process adds some.
  package func add(_ added: [Acknowledgement]) throws {
    do {
      let lock = try FileLock(at: path + ".lock")
      try withExtendedLifetime(lock) {
        let all = try acknowledgements() + added
        // The file may be a link to one in the project's repository.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        try StableJSON.document(all).write(to: target, options: .atomic)
      }
    } catch let error as CocoaError {
      throw ComparisonError(.output, "\(path): the file cannot be written (\(error.localizedDescription))")
    }
  }
}
