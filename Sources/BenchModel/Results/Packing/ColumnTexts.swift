/// Texts as numbers, so that a column can hold them.
struct ColumnTexts {
  private var numbers: [String: Int] = [:]

  /// The texts, each in the place of its number.
  var texts: [String] { numbers.sorted { $0.value < $1.value }.map(\.key) }

  mutating func number(of text: String) -> Int {
    if let known = numbers[text] { return known }
    numbers[text] = numbers.count
    return numbers.count - 1
  }
}
