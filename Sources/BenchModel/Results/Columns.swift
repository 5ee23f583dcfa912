/// A whole number of a row that has a list of its own in `run.json`, with an entry for each row.
///
/// Lists take a third of the room of the same numbers in objects, and a third of the time and less than half of the
/// memory to read.
struct Figure<Row> {
  let name: String
  /// Whether a list that has only zeros is left out.
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

  /// The figures of a part that a row may lack. The list of the first figure is null for rows without the part, and so
  /// is never left out.
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

  static func all<Part>(
    _ figures: [Figure<Part>],
    in path: WritableKeyPath<Row, Part?>,
    empty: Part
  ) -> [Self] {
    figures.enumerated().map { Self($0.element, in: path, isFirst: $0.offset == 0, empty: empty) }
  }
}

/// The list of one figure. An entry is null if its row lacks the figure.
enum Column: Codable {
  case whole([Int])
  case sparse([Int?])

  /// 70 TiB, or as many of anything else. The number of bytes of as many frames fits an `Int`.
  static let largestCount = 1 << 46
  /// 100 days.
  private static let longestNanoseconds = 1 << 53

  /// The largest number that a figure may have. Sums of the figures of a run then fit an `Int`.
  static func limit(of name: String) -> Int { name.hasSuffix("anoseconds") ? longestNanoseconds : largestCount }

  init(_ numbers: [Int?]) { self = numbers.contains(nil) ? .sparse(numbers) : .whole(numbers.map { $0 ?? 0 }) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Decoding optionals takes several times as long, and few lists have nulls.
    if let numbers = try? container.decode([Int].self) {
      self = .whole(numbers)
    } else {
      self = .sparse(try container.decode([Int?].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .whole(let numbers): try numbers.encode(to: encoder)
    case .sparse(let numbers): try numbers.encode(to: encoder)
    }
  }

  var count: Int {
    switch self {
    case .whole(let numbers): numbers.count
    case .sparse(let numbers): numbers.count
    }
  }

  subscript(row: Int) -> Int? {
    switch self {
    case .whole(let numbers): numbers[row]
    case .sparse(let numbers): numbers[row]
    }
  }

  /// The first number that no run can have.
  func impossible(in name: String) -> Int? {
    let limit = Self.limit(of: name)
    return switch self {
    case .whole(let numbers): numbers.first { $0 < 0 || $0 > limit }
    case .sparse(let numbers): numbers.lazy.compactMap { $0 }.first { $0 < 0 || $0 > limit }
    }
  }
}

/// A name that is only known when the file is read: of a figure, an actor or an operation.
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
  /// Returns nil if the list was left out.
  ///
  /// - Parameter rows: the length that the list must have; nil for any.
  /// - Throws: `DecodingError` for a list of another length, and for a number that no run can have.
  func column(_ name: String, rows: Int? = nil) throws -> Column? {
    let key = ColumnKey(name)
    guard let column = try decodeIfPresent(Column.self, forKey: key) else { return nil }
    func error(_ problem: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: self, debugDescription: problem)
    }
    if let rows, rows != column.count { throw error("expected \(rows) numbers, found \(column.count)") }
    if let number = column.impossible(in: name) {
      throw error("expected numbers from 0 to \(Column.limit(of: name)), found \(number)")
    }
    return column
  }

  func decode<Row>(_ figures: [Figure<Row>], into rows: inout [Row]) throws {
    for figure in figures {
      guard let column = try column(figure.name, rows: rows.count) else { continue }
      for row in rows.indices { if let number = column[row] { figure.set(&rows[row], number) } }
    }
  }
}
