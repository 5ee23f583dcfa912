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
    var rest = text.utf8[...]
    while true {
      guard let word = takeWord(from: &rest) else { return nil }
      var repetitions = 1
      if rest.first == UInt8(ascii: "*") {
        rest.removeFirst()
        guard case .difference(let times) = takeWord(from: &rest), times > 0 else { return nil }
        repetitions = times
      }
      guard repetitions <= count - numbers.count else { return nil }
      switch word {
      case .missing: numbers += repeatElement(nil, count: repetitions)
      case .difference(let difference):
        for _ in 0..<repetitions {
          last &+= difference
          numbers.append(last)
        }
      }
      guard let separator = rest.popFirst() else { return numbers.count == count ? numbers : nil }
      guard separator == UInt8(ascii: " ") else { return nil }
    }
  }

  /// There are millions of them, so they are read byte by byte.
  private static func takeWord(from text: inout Substring.UTF8View) -> Word? {
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { text.removeFirst() }
    var number = 0
    var hasDigits = false
    while let byte = text.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      text.removeFirst()
      hasDigits = true
      let digit = Int(byte - UInt8(ascii: "0"))
      let (tenfold, overflows) = number.multipliedReportingOverflow(by: 10)
      let (next, overflowsToo) = tenfold.addingReportingOverflow(isNegative ? -digit : digit)
      if overflows || overflowsToo { return nil }
      number = next
    }
    if hasDigits { return .difference(number) }
    return isNegative ? .missing : nil
  }
}
