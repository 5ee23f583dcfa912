/// Intervals as `run.json` holds them: a column of text (`PackedColumn`) for each figure, as half an hour of sixteen
/// actors has a million numbers. Results of older versions hold a list, and are read.
@propertyWrapper
public struct PackedIntervals<Interval: PackedInterval>: Codable, Sendable {
  /// No more are read: a few bytes of a damaged file can say that there are many.
  static var mostIntervals: Int { 10_000_000 }

  public var wrappedValue: [Interval]

  public init(wrappedValue: [Interval]) {
    self.wrappedValue = wrappedValue
  }

  public init(from decoder: any Decoder) throws {
    if let list = try? decoder.unkeyedContainer(), list.count != nil {
      // Through columns, so that the same is refused.
      wrappedValue = try IntervalColumns([Interval](from: decoder)).intervals()
    } else {
      wrappedValue = try IntervalColumns(from: decoder).intervals()
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try IntervalColumns(wrappedValue).encode(to: encoder)
  }
}

/// The columns, with a number in each for every interval. Texts are numbers of `texts`.
private struct IntervalColumns: Codable {
  private var count: Int
  private var texts: [String]
  private var figures: [String: String] = [:]

  init<Interval: PackedInterval>(_ intervals: [Interval]) {
    count = intervals.count
    var texts = ColumnTexts()
    func column(_ number: (Interval) -> Int?) -> String {
      var column = PackedColumn()
      for interval in intervals { column.append(number(interval)) }
      return column.finished()
    }
    for text in Interval.packing.texts {
      figures[text.name] = column { text.get($0).map { texts.number(of: $0) } }
    }
    for figure in Interval.packing.figures { figures[figure.name] = column(figure.get) }
    self.texts = texts.texts
  }

  func intervals<Interval: PackedInterval>() throws -> [Interval] {
    let packing = Interval.packing
    let reader = ColumnReader(count: count, texts: texts, rows: "intervals")
    guard (0...PackedIntervals<Interval>.mostIntervals).contains(count) else {
      throw reader.error("a count of \(count)")
    }
    // Before room is made for so many: columns show that they are there.
    let names = packing.texts.map(\.name)
    let columns = try names.map { try reader.numbers(figures[$0], $0) }
    var intervals: [Interval] = []
    intervals.reserveCapacity(count)
    // Most intervals have the texts of one before.
    var made: [[Int?]: Interval] = [:]
    for row in 0..<count {
      let numbers = columns.map { $0[row] }
      if let known = made[numbers] {
        intervals.append(known)
        continue
      }
      let texts = try zip(names, numbers).map { name, number in try number.map { try reader.text($0, name) } }
      guard let interval = packing.make(texts) else { throw reader.error("texts that are of none: \(texts)") }
      made[numbers] = interval
      intervals.append(interval)
    }
    for figure in packing.figures {
      for (row, number) in try reader.numbers(figures[figure.name], figure.name).enumerated() {
        guard let number else { throw reader.error("a \(figure.name) that is missing") }
        figure.set(&intervals[row], number)
      }
    }
    return intervals
  }
}
