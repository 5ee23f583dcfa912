/// An event that the child process of a crash test reports, as a line of text on its standard output. Lines that the
/// process has written survive its death.
enum CrashEvent: Equatable {
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

  /// The longest line in bytes. The kernel adds a line of this length to a socket as a whole, so lines of several
  /// threads do not mix.
  private static let longestLine = 4_000

  var line: String {
    let text =
      switch self {
      case .opening: "o"
      case .opened(let commit): "O \(commit)"
      case .verified(let newest, let entries, let rows): "v \(newest) \(entries) \(rows)"
      case .registered(let commit): "r \(commit)"
      case .acknowledged(let commit): "a \(commit)"
      case .failed: "f"
      case .joined: "j"
      case .moved: "m"
      case .checkpointBegun: "c"
      case .checkpointEnded: "C"
      case .closing: "z"
      case .closed: "Z"
      case .wrong(let text): "w \(text.map { $0.isNewline ? " " : $0 }.map(String.init).joined())"
      }
    return String(decoding: text.utf8.prefix(Self.longestLine), as: UTF8.self) + "\n"
  }

  /// - Parameter line: A line without its newline.
  /// - Returns: nil if the line is not an event.
  init?(line: Substring) {
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = words.count > 1 ? words[1] : ""
    let numbers = rest.split(separator: " ").map { UInt64($0) ?? 0 }
    switch (words.first ?? "", numbers.count) {
    case ("o", 0): self = .opening
    case ("O", 1): self = .opened(numbers[0])
    case ("v", 3):
      let (entries, rows) = (Int(clamping: numbers[1]), Int(clamping: numbers[2]))
      self = .verified(newestEntry: numbers[0], entries: entries, rows: rows)
    case ("r", 1): self = .registered(numbers[0])
    case ("a", 1): self = .acknowledged(numbers[0])
    case ("f", 0): self = .failed
    case ("j", 0): self = .joined
    case ("m", 0): self = .moved
    case ("c", 0): self = .checkpointBegun
    case ("C", 0): self = .checkpointEnded
    case ("z", 0): self = .closing
    case ("Z", 0): self = .closed
    case ("w", _): self = .wrong(String(rest))
    default: return nil
    }
  }
}
