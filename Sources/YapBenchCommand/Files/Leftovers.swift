internal import BenchDrivers
internal import BenchReports

/// Removes what runs that were killed have left behind, and reports it.
enum Leftovers {
  private static let mostNamed = 3

  /// - Parameter folders: where this run puts its own files.
  /// - Returns: a line for each thing to report.
  static func remove(in folders: [String]) -> [String] {
    var removed = EngineProcess.removeAbandonedFolders()
    var remaining: [String] = []
    for folder in Set(folders).sorted() {
      let leftovers = UnfinishedOutput.removeAbandoned(in: folder)
      removed += leftovers.removed
      remaining += leftovers.remaining
    }
    var lines: [String] = []
    if !removed.isEmpty { lines.append("removed what killed runs had left: \(list(removed))") }
    if !remaining.isEmpty { lines.append("cannot remove what killed runs have left: \(list(remaining))") }
    return lines
  }

  private static func list(_ paths: [String]) -> String {
    let names = paths.prefix(mostNamed).joined(separator: ", ")
    return paths.count > mostNamed ? "\(names) and \(paths.count - mostNamed) more" : names
  }
}
