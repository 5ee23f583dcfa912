internal import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// A table in CSV: UTF-8, lines that end in a line feed, quotes as in RFC 4180, a header in line 1, and blank cells for
/// missing values.
///
/// Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers do not.
struct CSVTable {
  enum Cell {
    case text(String)
    case integer(Int)
    case unsigned(UInt64)
    case decimal(Double)
    /// Nanoseconds, written exactly as seconds.
    case seconds(nanoseconds: UInt64)
    case boolean(Bool)
    case missing

    /// A text; `missing` for nil.
    static func optional(_ text: String?) -> Cell { text.map(Cell.text) ?? .missing }
    static func optional(_ number: Int?) -> Cell { number.map(Cell.integer) ?? .missing }
  }

  let columns: [String]
  private(set) var contents: String
  private(set) var rowCount = 0

  init(columns: [String]) {
    self.columns = columns
    contents = columns.map(Self.quoted).joined(separator: ",") + "\n"
  }

  /// The first cells of many rows, formatted once.
  struct Beginning {
    fileprivate var text = ""
    fileprivate let count: Int

    init(_ cells: [Cell]) {
      count = cells.count
      for cell in cells { text += CSVTable.written(cell) + "," }
    }
  }

  mutating func append(_ cells: [Cell]) { append(after: Beginning([]), cells) }

  mutating func append(after beginning: Beginning, _ cells: [Cell]) {
    let count = beginning.count + cells.count
    precondition(count == columns.count, "A row of \(count) cells in a table of \(columns.count) columns.")
    contents += beginning.text
    for (index, cell) in cells.enumerated() {
      if index > 0 { contents += "," }
      contents += Self.written(cell)
    }
    contents += "\n"
    rowCount += 1
  }

  /// Returns and removes the contents so far, for a table that is too long for memory.
  mutating func takeContents() -> String {
    defer { contents = "" }
    return contents
  }

  private static func written(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): quoted(defused(InertText.cell(text)))
    case .integer(let number): String(number)
    case .unsigned(let number): String(number)
    case .decimal(let number): decimal(number)
    case .seconds(let nanoseconds): seconds(nanoseconds)
    case .boolean(let flag): flag ? "true" : "false"
    case .missing: ""
    }
  }

  private static func quoted(_ text: String) -> String {
    // Compares bytes, because a carriage return and a line feed together are one Character.
    let mustQuote = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    return mustQuote ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }

  private static func defused(_ text: String) -> String {
    guard let first = text.utf8.first else { return text }
    return "=+-@\t\r\n".utf8.contains(first) ? "'" + text : text
  }

  /// Returns a number without exponent, which some readers do not support. Below 0.0001 it is rounded to 12 decimals.
  private static func decimal(_ number: Double) -> String {
    guard number.isFinite else { return "" }
    if number == number.rounded(), number.magnitude < 1e15 { return String(Int(saturating: number)) }
    let shortest = "\(number)"
    return shortest.contains("e") ? Quantity.withoutZeros(String(format: "%.12f", number)) : shortest
  }

  private static func seconds(_ nanoseconds: UInt64) -> String {
    let fraction = String(nanoseconds % 1_000_000_000)
    let padded = String(repeating: "0", count: 9 - fraction.count) + fraction
    return Quantity.withoutZeros("\(nanoseconds / 1_000_000_000).\(padded)")
  }
}
