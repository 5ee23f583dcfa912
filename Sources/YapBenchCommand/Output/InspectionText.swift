internal import BenchReports
internal import NumericConversion
internal import WALInspection

/// What `inspect` shows to people.
enum InspectionText {
  /// All of it.
  static func page(_ report: WALReport) -> [String] {
    let title =
      "\(report.path): \(Quantity.bytes(report.databaseBytes)) in pages of \(Quantity.count(report.pageSize)) B"
    let facts = AlignedColumns.lines(facts(report))
    let note = report.isConsistent ? [] : ["", "note: \(inconsistency)"]
    return ([title, ""] + facts + readers(report) + note).map { InertText.line($0) }
  }

  /// What changes, on one line.
  static func line(_ report: WALReport, since last: (report: WALReport, nanoseconds: UInt64)?) -> String {
    var parts = ["WAL \(Quantity.bytes(report.walBytes))" + (last.map { growth(report, $0) } ?? "")]
    parts.append("\(Quantity.count(report.committedFrames, of: "frame"))")
    if let backlog = report.backlogFrames { parts.append("\(Quantity.count(backlog)) not copied") }
    if let oldest = oldest(report) {
      let behind = Quantity.count(oldest.framesBehind)
      parts.append("oldest reader at \(Quantity.count(oldest.frame)), \(behind) behind: \(names(oldest.holders))")
    }
    for (lock, holders) in locks(report) where !holders.isEmpty { parts.append("\(lock): \(names(holders))") }
    if !report.isConsistent { parts.append(inconsistency) }
    return InertText.line(parts.joined(separator: ", "))
  }

  private static let inconsistency = "the WAL was restarted during each look; figures are of different moments"

  private static func facts(_ report: WALReport) -> [[String]] {
    guard report.walBytes > 0 else {
      return [
        ["WAL", "none: the last process to close the database has removed it, or it is empty"], openedBy(report),
      ]
    }
    var rows = [["WAL", Quantity.bytes(report.walBytes) + generation(report)]]
    let commits = Quantity.count(report.commits, of: "commit")
    let pages = Quantity.count(report.committedPages, of: "different page")
    rows.append(["committed", "\(frames(report.committedFrames, report)) in \(commits), \(pages)"])
    if report.validFrames > report.committedFrames {
      rows.append([
        "", "\(frames(report.validFrames - report.committedFrames, report)) more, not committed or left over",
      ])
    }
    if let copied = report.copiedFrames, let backlog = report.backlogFrames {
      let verb = backlog == 1 ? "is" : "are"
      rows.append([
        "copied", "\(Quantity.count(copied)); \(frames(backlog, report)) \(verb) not in the database file yet",
      ])
      if backlog > 0 { rows.append(["", copying(report, copied)]) }
    }
    rows.append(openedBy(report))
    for (lock, holders) in locks(report) where !holders.isEmpty { rows.append([lock, names(holders)]) }
    let read = report.recovery.readNanoseconds.map {
      "; reading and checking it took \(Quantity.duration(nanoseconds: $0))"
    }
    let size = Quantity.bytes(report.recovery.walBytes)
    rows.append(["recovery", "a first open after a crash reads \(size)\(read ?? "")"])
    return rows
  }

  private static func generation(_ report: WALReport) -> String {
    guard let generation = report.generation else { return ", with no valid header" }
    return generation == 0 ? ", the first" : ", begun anew \(Quantity.count(Int(generation), of: "time"))"
  }

  private static func copying(_ report: WALReport, _ copied: Int) -> String {
    let limit = report.copyableFrames ?? report.committedFrames
    if limit == report.committedFrames { return "a checkpoint could copy all of them now" }
    let inTheWay =
      report.readers.contains { $0.mark == 0 } ? "readers of the database file stand" : "the oldest mark stands"
    let part = limit > copied ? frames(limit - copied, report) : "nothing"
    return "a checkpoint could copy \(part) now; \(inTheWay) in the way of the rest"
  }

  private static func openedBy(_ report: WALReport) -> [String] {
    let isExclusive = !report.openedBy.isEmpty && report.openedBy == report.exclusiveHolders
    let mode = isExclusive ? ", in exclusive locking mode: its index is not visible from outside" : ""
    return ["opened by", report.openedBy.isEmpty ? "no process" : names(report.openedBy) + mode]
  }

  private static func locks(_ report: WALReport) -> [(String, [WALReport.Holder])] {
    [("writing", report.writer), ("copying", report.checkpointer), ("recovering", report.recoverer)]
  }

  private static func readers(_ report: WALReport) -> [String] {
    guard !report.readers.isEmpty else { return [] }
    let rows = report.readers.map { reader in
      [
        String(reader.mark), reader.mark == 0 ? "none" : Quantity.count(reader.frame),
        reader.mark == 0 ? "reads from the database file" : frames(reader.framesBehind, report),
        frames(reader.framesHeldAlone, report), names(reader.holders),
      ]
    }
    return [""] + AlignedColumns.lines([["mark", "frame", "behind", "keeps alone", "held by"]] + rows)
  }

  private static func oldest(_ report: WALReport) -> WALReport.Reader? {
    report.readers.filter { $0.mark > 0 }.min { $0.frame < $1.frame }
  }

  private static func growth(_ report: WALReport, _ last: (report: WALReport, nanoseconds: UInt64)) -> String {
    let bytes = Double(report.walBytes - last.report.walBytes)
    guard bytes != 0, last.nanoseconds > 0 else { return "" }
    let rate = Int(saturating: bytes / (Double(last.nanoseconds) / 1e9))
    return " (\(rate > 0 ? "+" : "")\(Quantity.bytes(rate))/s)"
  }

  private static func frames(_ count: Int, _ report: WALReport) -> String {
    let size = count > 0 ? " (\(Quantity.bytes(count * report.frameBytes)))" : ""
    return Quantity.count(count, of: "frame") + size
  }

  private static func names(_ holders: [WALReport.Holder]) -> String {
    holders.map { "\($0.name) (\($0.process))" }.joined(separator: ", ")
  }
}
