internal import BenchScenario
internal import HarnessPrimitives

/// Converts rows of a collection to keys. A key of the forms `ordered` and `hashed` has 13 characters, which Swift
/// stores without an allocation.
///
/// The keys of a small collection are made once. A table of more keys would displace the engine's data from the
/// processor's caches, and references to longer keys would be counted, by several threads at once.
struct RowKeys: Sendable {
  private static let mostKept = 1 << 16
  private static let length = 13
  private static let digits = Array("0123456789abcdefghijklmnopqrstuv".utf8)
  private static let ycsbPrefix = Array("user".utf8)
  /// The digits of the largest hash.
  private static let mostDigits = 19

  let form: KeyForm
  /// The keys of the first rows; empty if they are made each time.
  private var kept: [String] = []

  /// - Parameter rows: the number of the collection's rows, loaded and inserted.
  init(_ form: KeyForm = .ordered, rows: Int = 0) {
    self.form = form
    if rows <= Self.mostKept, form == .ordered || form == .hashed { kept = (0..<rows).map(made) }
  }

  @inline(__always)
  func key(_ row: Int) -> String { row < kept.count ? kept[row] : made(row) }

  /// Appends the keys of rows.
  func append(_ rows: ArraySlice<Int>, to keys: inout [String]) {
    for row in rows { keys.append(key(row)) }
  }

  private func made(_ row: Int) -> String {
    switch form {
    case .ordered: Self.orderedKey(row)
    case .hashed: Self.hashedKey(RandomStream.mix(UInt64(row)))
    case .ycsbOrdered(let digits): Self.ycsbKey(UInt64(row), digits: digits)
    case .ycsbHashed(let digits): Self.ycsbKey(YCSBHash.hash(UInt64(row)), digits: digits)
    }
  }

  /// The letter "r" and 12 digits.
  private static func orderedKey(_ row: Int) -> String {
    String(unsafeUninitializedCapacity: length) { buffer in
      buffer[0] = UInt8(ascii: "r")
      writeDecimal(UInt64(row), to: buffer, from: 1, through: length - 1)
      return length
    }
  }

  /// 13 digits of base 32, with 5 bits each.
  private static func hashedKey(_ number: UInt64) -> String {
    String(unsafeUninitializedCapacity: length) { buffer in
      var rest = number
      for index in stride(from: length - 1, through: 0, by: -1) {
        buffer[index] = digits[Int(rest & 31)]
        rest >>= 5
      }
      return length
    }
  }

  /// "user" and the decimal number, as `CoreWorkload.buildKeyName` of YCSB makes it.
  /// - Parameter digits: the least number of digits.
  private static func ycsbKey(_ number: UInt64, digits: Int) -> String {
    let length = ycsbPrefix.count + max(decimalDigits(of: number), digits)
    return String(unsafeUninitializedCapacity: length) { buffer in
      for (index, letter) in ycsbPrefix.enumerated() { buffer[index] = letter }
      writeDecimal(number, to: buffer, from: ycsbPrefix.count, through: length - 1)
      return length
    }
  }

  private static func writeDecimal(
    _ number: UInt64,
    to buffer: UnsafeMutableBufferPointer<UInt8>,
    from first: Int,
    through last: Int
  ) {
    var rest = number
    var index = last
    // Each division waits for the one before, so there are half as many with two digits at a time.
    while index > first {
      let pair = UInt8(truncatingIfNeeded: rest % 100)
      rest /= 100
      buffer[index] = UInt8(ascii: "0") + pair % 10
      buffer[index - 1] = UInt8(ascii: "0") + pair / 10
      index -= 2
    }
    if index == first { buffer[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10) }
  }

  private static func decimalDigits(of number: UInt64) -> Int {
    var count = 1
    var rest = number / 10
    while rest > 0 {
      count += 1
      rest /= 10
    }
    return count
  }

  // MARK: The order of keys

  /// A number and a length that have the order of the keys: the length decides between equal numbers.
  fileprivate func rank(_ row: Int) -> (number: UInt64, length: Int) {
    switch form {
    case .ordered: (UInt64(row), 0)
    // Base-32 digits sort in the order of the numbers that they encode.
    case .hashed: (RandomStream.mix(UInt64(row)), 0)
    case .ycsbOrdered(let digits): Self.decimalRank(UInt64(row), digits: digits)
    case .ycsbHashed(let digits): Self.decimalRank(YCSBHash.hash(UInt64(row)), digits: digits)
    }
  }

  /// Decimal numbers as texts are in the order of their digits from the left, and a text precedes its continuations.
  private static func decimalRank(_ number: UInt64, digits: Int) -> (number: UInt64, length: Int) {
    let length = max(decimalDigits(of: number), digits)
    var aligned = number
    for _ in 0..<max(mostDigits - length, 0) { aligned *= 10 }
    return (aligned, length)
  }
}

/// The rows of a collection in the order of their keys, which scans need. Rows that may be inserted later have their
/// position from the beginning, because their keys are known.
struct KeyOrder: Sendable {
  /// The rows in the order of their keys, and the index of each row among them; nil if both orders are equal.
  private let order: (rows: [Int32], positions: [Int32])?

  /// - Parameter limit: the most rows, loaded and inserted.
  init(_ keys: RowKeys, limit: Int) {
    guard keys.form.isScattered else {
      order = nil
      return
    }
    let ranks = (0..<limit).map { keys.rank($0) }
    let rows = (0..<Int32(limit)).sorted { ranks[Int($0)] < ranks[Int($1)] }
    var positions = Array(repeating: Int32(0), count: limit)
    for (position, row) in rows.enumerated() { positions[Int(row)] = Int32(position) }
    order = (rows, positions)
  }

  /// Returns the rows of up to `wanted` consecutive keys from the key of `row` on.
  /// - Parameter count: only rows with lower numbers are considered.
  func rows(from row: Int, wanted: Int, below count: Int) -> [Int] {
    guard let order else { return Array(row..<max(min(row + wanted, count), row)) }
    var found: [Int] = []
    var position = Int(order.positions[row])
    while found.count < wanted, position < order.rows.count {
      let next = Int(order.rows[position])
      if next < count { found.append(next) }
      position += 1
    }
    return found
  }
}
