/// A whole-number property of rows, which `run.json` stores as a list with an entry for each row. Lists take
/// a third of the room of the same numbers in objects, and less time and memory to read.
struct Figure<Row> {
  let name: String
  /// Whether a list that has only zeros, or only zeros and nulls, is left out. A list of only nulls always is.
  private(set) var omitsZeros: Bool
  let get: (Row) -> Int?
  let set: (inout Row, Int) -> Void

  init<Number: FixedWidthInteger>(_ name: String, _ path: WritableKeyPath<Row, Number>, omitsZeros: Bool = true) {
    self.name = name
    self.omitsZeros = omitsZeros
    get = { Int(clamping: $0[keyPath: path]) }
    set = { $0[keyPath: path] = Number(clamping: $1) }
  }

  /// A figure that is null if it was not measured.
  init<Number: FixedWidthInteger>(_ name: String, optional path: WritableKeyPath<Row, Number?>) {
    self.name = name
    omitsZeros = false
    get = { row in row[keyPath: path].map { Int(clamping: $0) } }
    set = { $0[keyPath: path] = Number(clamping: $1) }
  }

  /// A figure of a part that a row may lack; it is null for rows without the part. If any row has the part, the list of
  /// the first figure is not left out, so it shows which rows have the part.
  init<Part>(_ figure: Figure<Part>, in path: WritableKeyPath<Row, Part?>, isFirst: Bool, empty: Part) {
    name = figure.name
    omitsZeros = figure.omitsZeros && !isFirst
    get = { row in row[keyPath: path].flatMap(figure.get) }
    set = { row, number in
      var part = row[keyPath: path] ?? empty
      figure.set(&part, number)
      row[keyPath: path] = part
    }
  }

  static func all<Part>(_ figures: [Figure<Part>], in path: WritableKeyPath<Row, Part?>, empty: Part) -> [Self] {
    figures.enumerated().map { Self($0.element, in: path, isFirst: $0.offset == 0, empty: empty) }
  }
}

extension RunResult {
  /// The largest count in `run.json`; for bytes, 64 TiB. The size in bytes of this number of frames fits an `Int`.
  package static let largestCount = 1 << 46
}

/// The numbers of one figure. In `run.json` they are a text with spaces between them, and `-` for a row without the
/// figure. As JSON arrays, the 7 million numbers of a long run took 389 MB of memory to read.
struct Column: Codable {
  /// The largest number of nanoseconds: 104 days.
  private static let longestNanoseconds = 1 << 53

  /// The largest number that a column of this name may have. The sum of up to 1,000 such numbers fits an `Int`.
  static func limit(of name: String) -> Int {
    name.hasSuffix("anoseconds") ? longestNanoseconds : RunResult.largestCount
  }

  let numbers: [Int?]

  init(_ numbers: [Int?]) { self.numbers = numbers }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var text = try container.decode(String.self)
    guard let numbers = text.withUTF8(Self.numbers) else {
      let problem = "expected whole numbers of at most 18 digits, or - for none, with spaces between them"
      throw DecodingError.dataCorruptedError(in: container, debugDescription: problem)
    }
    self.numbers = numbers
  }

  func encode(to encoder: any Encoder) throws {
    try numbers.map { $0.map { String($0) } ?? "-" }.joined(separator: " ").encode(to: encoder)
  }

  /// Returns the numbers of a text; nil if it has another format.
  private static func numbers(in text: UnsafeBufferPointer<UInt8>) -> [Int?]? {
    var numbers: [Int?] = []
    for word in text.split(separator: UInt8(ascii: " ")) {
      if word.elementsEqual("-".utf8) {
        numbers.append(nil)
        continue
      }
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard word.count <= 18, word.allSatisfy(digits.contains) else { return nil }
      numbers.append(word.reduce(0) { 10 * $0 + Int($1 - digits.lowerBound) })
    }
    return numbers
  }
}

/// A key that is known only when the file is read: the name of a figure, an actor or an operation.
struct ColumnKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

extension KeyedEncodingContainer<ColumnKey> {
  mutating func encode<Row>(_ figures: [Figure<Row>], of rows: [Row?]) throws {
    for figure in figures {
      let numbers = rows.map { $0.flatMap(figure.get) }
      let isNeeded = numbers.contains { figure.omitsZeros ? ($0 ?? 0) != 0 : $0 != nil }
      if isNeeded { try encode(Column(numbers), forKey: ColumnKey(figure.name)) }
    }
  }
}

extension KeyedDecodingContainer<ColumnKey> {
  /// Returns a column; nil if it was left out.
  /// - Parameter rows: the length that the column must have; nil for any length.
  /// - Throws: `DecodingError` for a column of another length, in another format, or with a number above its limit.
  func column(_ name: String, rows: Int? = nil) throws -> Column? {
    let key = ColumnKey(name)
    guard let column = try decodeIfPresent(Column.self, forKey: key) else { return nil }
    func error(_ problem: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: self, debugDescription: problem)
    }
    if let rows, rows != column.numbers.count {
      throw error("expected \(rows) numbers, found \(column.numbers.count)")
    }
    let limit = Column.limit(of: name)
    if let number = column.numbers.lazy.compactMap({ $0 }).first(where: { $0 > limit }) {
      throw error("expected numbers from 0 to \(limit), found \(number)")
    }
    return column
  }

  func decode<Row>(_ figures: [Figure<Row>], into rows: inout [Row]) throws {
    for figure in figures {
      guard let column = try column(figure.name, rows: rows.count) else { continue }
      for row in rows.indices { if let number = column.numbers[row] { figure.set(&rows[row], number) } }
    }
  }
}
