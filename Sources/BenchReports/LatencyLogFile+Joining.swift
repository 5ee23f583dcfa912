internal import Foundation

extension LatencyLogFile {
  /// Joins the logs of shards. Their times count from the earliest base of all logs.
  /// - Parameters:
  ///   - paths: The paths of the logs; not empty.
  ///   - folder: The folder of the reports, which must exist.
  /// - Throws: `ReportError` if a log cannot be read or is damaged, or if the new one cannot be created.
  package convenience init(joining paths: [String], in folder: String) throws {
    let bases = try paths.map(Self.baseMilliseconds)
    let base = bases.min() ?? 0
    try self.init(in: folder, startedAt: Date(timeIntervalSince1970: Double(base) / 1_000))
    do {
      for (path, own) in zip(paths, bases) {
        try Self.forEachLine(of: path) { line in
          guard line.hasPrefix("Tag=") else { return }
          guard let shifted = Self.shifted(line, byMilliseconds: own - base) else { throw Self.damage(of: path) }
          write(shifted + "\n")
        }
      }
    } catch {
      discard()
      throw error
    }
  }

  /// Returns the base time of a log, in milliseconds since the epoch.
  private static func baseMilliseconds(of path: String) throws -> UInt64 {
    var base: UInt64?
    try forEachLine(of: path) { line in
      guard base == nil, let match = line.prefixMatch(of: #/\#\[BaseTime: (\d+)\.(\d{3}) /#) else { return }
      base = UInt64(match.1 + match.2)
    }
    guard let base else { throw damage(of: path) }
    return base
  }

  /// Returns a line whose interval begins later; nil for a damaged line.
  private static func shifted(_ line: String, byMilliseconds offset: UInt64) -> String? {
    guard let match = line.prefixMatch(of: /(Tag=[^,]+,)(\d{1,10})\.(\d{3}),/), let own = UInt64(match.2 + match.3)
    else { return nil }
    let (start, isTooLate) = own.addingReportingOverflow(offset)
    guard !isTooLate else { return nil }
    let fraction = String(start % 1_000)
    let padded = String(repeating: "0", count: 3 - fraction.count) + fraction
    return match.1 + "\(start / 1_000).\(padded)," + line[match.range.upperBound...]
  }

  private static func forEachLine(of path: String, _ body: (String) throws -> Void) throws {
    try LatencyIntervals.forEachLine(of: path, orElse: remedy) { try body(String(decoding: $1, as: UTF8.self)) }
  }

  private static func damage(of path: String) -> ReportError {
    ReportError(path, "it is not a log of latencies", remedy: remedy)
  }

  private static let remedy = "Repeat the shard, or remove the file to merge without the log."
}
