/// A column of whole numbers as a line of text, short where neighbours resemble each other.
///
/// Each word is a difference to the number before it, the first to 0; `-` stands for a number that is missing, and does
/// not count as the one before. `*3` behind a word means that it stands three times: `5 1*2 - 0` is 5, 6, 7, none, 7.
struct PackedColumn {
  private(set) var text = ""
  private var last = 0
  /// What is repeated at the end of what was appended; nil before the first number.
  private var word: Word?
  private var repetitions = 0

  private enum Word: Equatable {
    case missing
    case difference(Int)
  }

  /// The whole text, with what has been appended last.
  func finished() -> String {
    var copy = self
    copy.writeWord()
    return copy.text
  }

  mutating func append(_ number: Int?) {
    let next = number.map { Word.difference($0 &- last) } ?? .missing
    last = number ?? last
    if next == word {
      repetitions += 1
    } else {
      writeWord()
      (word, repetitions) = (next, 1)
    }
  }

  private mutating func writeWord() {
    guard let word else { return }
    if !text.isEmpty { text += " " }
    switch word {
    case .missing: text += "-"
    case .difference(let difference): text += String(difference)
    }
    if repetitions > 1 { text += "*" + String(repetitions) }
  }

  /// Reads what `finished` gave.
  /// - Parameter count: how many numbers there must be.
  /// - Returns: nil where it is no such text.
  static func numbers(in text: String, count: Int) -> [Int?]? {
    var numbers: [Int?] = []
    numbers.reserveCapacity(count)
    var last = 0
    for part in text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
      let pieces = part.split(separator: UInt8(ascii: "*"), maxSplits: 1, omittingEmptySubsequences: false)
      guard let word = pieces.first, let repetitions = pieces.count == 1 ? 1 : Int(Substring(pieces[1])) else {
        return nil
      }
      guard repetitions > 0, repetitions <= count - numbers.count else { return nil }
      if word.elementsEqual("-".utf8) {
        numbers += repeatElement(nil, count: repetitions)
      } else {
        guard let difference = Int(Substring(word)) else { return nil }
        for _ in 0..<repetitions {
          last &+= difference
          numbers.append(last)
        }
      }
    }
    return numbers.count == count ? numbers : nil
  }
}
