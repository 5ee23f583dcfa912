internal import BenchReports
internal import BenchResults
internal import HarnessPrimitives
internal import WALInspection

/// The text that `inspect` prints.
enum InspectionText {
  /// Returns the lines for a single inspection.
  static func page(_ report: WALReport) -> [String] {
    let title =
      "\(report.path): \(Quantity.bytes(report.databaseBytes)) in pages of \(Quantity.count(report.pageSize)) B"
    let facts = AlignedColumns.lines(facts(report))
    let note = report.isConsistent ? [] : ["", "note: \(inconsistency)"]
    return ([title, ""] + facts + readers(report) + note).map { InertText.line($0) }
  }

  /// Returns the figures that change, as one line for repeated inspections.
  static func line(_ report: WALReport, since last: (report: WALReport, nanoseconds: UInt64)?) -> String {
    var parts = ["WAL \(Quantity.bytes(report.walBytes))" + (last.map { growth(report, since: $0) } ?? "")]
    parts.append("\(Quantity.count(report.committedFrames, of: "frame"))")
    if let backlog = report.backlogFrames { parts.append("backlog \(Quantity.count(backlog))") }
    if let oldest = oldest(report) {
      let behind = Quantity.count(oldest.framesBehind)
      parts.append("oldest reader at \(Quantity.count(oldest.frame)), \(behind) behind: \(names(oldest.holders))")
    }
    for (lock, holders) in locks(report) where !holders.isEmpty { parts.append("\(lock): \(names(holders))") }
    if !report.isConsistent { parts.append(inconsistency) }
    return InertText.line(parts.joined(separator: ", "))
  }

  private static let inconsistency =
    "the WAL was restarted during every attempt to read it; the figures are from different moments"

  private static func facts(_ report: WALReport) -> [[String]] {
    guard report.walBytes > 0 else {
      return [["WAL", "none: it is empty, or the last process to close the database removed it"], openedBy(report)]
    }
    var rows = [["WAL", Quantity.bytes(report.walBytes) + generation(report)]]
    let commits = Quantity.count(report.commits, of: "commit")
    let pages = Quantity.count(report.committedPages, of: "distinct page")
    rows.append(["committed", "\(frames(report.committedFrames, of: report)) in \(commits), \(pages)"])
    if report.validFrames > report.committedFrames {
      let count = frames(report.validFrames - report.committedFrames, of: report)
      rows.append(["uncommitted", "\(count), of a running transaction or left over"])
    }
    if let copied = report.copiedFrames, let backlog = report.backlogFrames {
      rows.append(["copied", "\(frames(copied, of: report)), also in the database file"])
      rows.append(["backlog", frames(backlog, of: report) + (backlog > 0 ? "; \(copying(report, after: copied))" : "")])
    }
    rows.append(openedBy(report))
    for (lock, holders) in locks(report) where !holders.isEmpty { rows.append([lock, names(holders)]) }
    let read = report.recovery.readNanoseconds.map { ", which took \(Quantity.duration(nanoseconds: $0)) just now" }
    let size = Quantity.bytes(report.recovery.walBytes)
    rows.append(["recovery", "the first open after a crash reads and checks \(size)\(read ?? "")"])
    return rows
  }

  private static func generation(_ report: WALReport) -> String {
    guard let generation = report.generation else { return ", without a valid header" }
    return generation == 0 ? ", never restarted" : ", restarted \(Quantity.count(Int(generation), of: "time"))"
  }

  private static func copying(_ report: WALReport, after copied: Int) -> String {
    let limit = report.copyableFrames ?? report.committedFrames
    if limit == report.committedFrames { return "a checkpoint could copy all of them now" }
    let obstacle = report.readers.contains { $0.mark == 0 } ? "readers of the database file" : "the oldest mark"
    guard limit > copied else { return "a checkpoint could copy none of them now: they wait for \(obstacle)" }
    return "a checkpoint could copy \(frames(limit - copied, of: report)) now; the rest waits for \(obstacle)"
  }

  private static func openedBy(_ report: WALReport) -> [String] {
    let isExclusive = !report.openedBy.isEmpty && report.openedBy == report.exclusiveHolders
    let mode = isExclusive ? ", in exclusive locking mode: its WAL-index is not visible from outside" : ""
    return ["opened by", report.openedBy.isEmpty ? "no process" : names(report.openedBy) + mode]
  }

  private static func locks(_ report: WALReport) -> [(String, [WALReport.Holder])] {
    [("write lock", report.writer), ("checkpoint lock", report.checkpointer), ("recovery lock", report.recoverer)]
  }

  private static func readers(_ report: WALReport) -> [String] {
    guard !report.readers.isEmpty else { return [] }
    let rows = report.readers.map { reader in
      [
        String(reader.mark), reader.mark == 0 ? "-" : Quantity.count(reader.frame),
        reader.mark == 0 ? "reads only the database file" : frames(reader.framesBehind, of: report),
        frames(reader.framesHeldAlone, of: report), names(reader.holders),
      ]
    }
    return [""] + AlignedColumns.lines([["mark", "frame", "lag", "held alone", "processes"]] + rows)
  }

  private static func oldest(_ report: WALReport) -> WALReport.Reader? {
    report.readers.filter { $0.mark > 0 }.min { $0.frame < $1.frame }
  }

  private static func growth(_ report: WALReport, since last: (report: WALReport, nanoseconds: UInt64)) -> String {
    let bytes = Double(report.walBytes - last.report.walBytes)
    guard bytes != 0, last.nanoseconds > 0 else { return "" }
    let rate = Int(saturating: bytes / (Double(last.nanoseconds) / 1e9))
    return " (\(rate > 0 ? "+" : "")\(Quantity.bytes(rate))/s)"
  }

  private static func frames(_ count: Int, of report: WALReport) -> String {
    let size = count > 0 ? " (\(Quantity.bytes(count * report.frameBytes)))" : ""
    return Quantity.count(count, of: "frame") + size
  }

  private static func names(_ holders: [WALReport.Holder]) -> String {
    holders.map { "\($0.name) (\($0.process))" }.joined(separator: ", ")
  }
}
