internal import Foundation

/// An event that the child process of a crash test reports, as a line of JSON on its standard output. Lines that the
/// process has written survive its death.
enum CrashEvent: Codable, Equatable {
  /// The process is about to open the database.
  case opening
  /// The database is open, and its newest commit has this number.
  case opened(UInt64)
  /// The whole database was compared with its ledger, without an error.
  case verified(newestEntry: UInt64, entries: Int, rows: Int)
  /// A view was registered; the newest commit has this number.
  case registered(UInt64)
  /// A commit returned without an error.
  case acknowledged(UInt64)
  /// A commit returned an error.
  case failed
  /// A transaction joined the commit of another one.
  case joined
  /// A bookmark moved.
  case moved
  /// A requested checkpoint begins, or has ended.
  case checkpointBegun, checkpointEnded
  /// Closing begins, or has ended.
  case closing, closed
  /// Wrong data, or an error that should not occur. The process ends.
  case wrong(String)

  /// The longest text in bytes. The kernel adds a line of this length to a socket as a whole, so lines of several
  /// threads do not mix.
  private static let longestText = 4_000

  var line: String {
    get throws {
      var event = self
      if case .wrong(let text) = self {
        let line = String(text.map { $0.isNewline ? " " : $0 })
        event = .wrong(String(decoding: line.utf8.prefix(Self.longestText), as: UTF8.self))
      }
      return String(decoding: try JSONEncoder().encode(event), as: UTF8.self) + "\n"
    }
  }

  /// - Parameter line: A line without its newline.
  /// - Returns: nil if the line is not an event.
  init?(line: Substring) {
    guard let event = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else { return nil }
    self = event
  }
}
