/// Columns of `count` rows, read from a file that may hold anything.
struct ColumnReader {
  let count: Int
  let texts: [String]
  /// What the rows are, such as "samples".
  let rows: String

  /// - Throws: `DecodingError` for a column that is missing, or has not one number for each row.
  func numbers(_ column: String?, _ name: String) throws -> [Int?] {
    if count == 0 { return [] }
    guard let numbers = column.flatMap({ PackedColumn.numbers(in: $0, count: count) }) else {
      throw error("a column \(name) that is not \(count) numbers")
    }
    let possible = PossibleNumbers.range(of: name)
    if let number = numbers.lazy.compactMap({ $0 }).first(where: { !possible.contains($0) }) {
      throw error("a figure \(name) of \(number), which cannot be")
    }
    return numbers
  }

  func text(_ number: Int?, _ name: String) throws -> String {
    guard let number, texts.indices.contains(number) else { throw error("a \(name) that is no text of it") }
    return texts[number]
  }

  func error(_ problem: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "its \(rows) have \(problem)"))
  }
}
