/// One line that tells how a run goes.
struct ProgressLine: Sendable, Equatable {
  enum Tone: Sendable, Equatable {
    case plain
    /// Something is over.
    case ended
    /// Something is held up.
    case heldUp
  }

  /// The same in several lengths, the longest first; never empty.
  var wordings: [String]
  var tone: Tone
  /// Stays on the screen. One that does not stay is written over by the next.
  var stays: Bool

  static func staying(_ text: String, tone: Tone = .plain) -> ProgressLine {
    ProgressLine(wordings: [text], tone: tone, stays: true)
  }

  static func passing(_ wordings: [String], tone: Tone = .plain) -> ProgressLine {
    ProgressLine(wordings: wordings, tone: tone, stays: false)
  }

  /// The longest wording that fits into so many columns; else the shortest, cut.
  func text(fitting columns: Int) -> String {
    if let fitting = wordings.first(where: { $0.count <= columns }) { return fitting }
    let shortest = wordings.last ?? ""
    return columns > 3 ? shortest.prefix(columns - 3) + "..." : String(shortest.prefix(max(0, columns)))
  }
}
