internal import BenchScenario
internal import SeededRandom
internal import ThreadingPrimitives

/// Converts rows of a collection to keys, and keys to rows. A key of either form has 13 characters, which Swift stores
/// without an allocation.
struct RowKeys: Sendable {
  private static let length = 13
  private static let digits = Array("0123456789abcdefghijklmnopqrstuv".utf8)

  let form: KeyForm

  init(_ form: KeyForm = .ordered) {
    self.form = form
  }

  func key(_ row: Int) -> String {
    switch form {
    case .ordered: Self.orderedKey(row)
    case .hashed: Self.hashedKey(RandomStream.mix(UInt64(row)))
    }
  }

  /// Returns the row of a key that `key(_:)` made of a number below `count`; nil for any other key.
  func row(of key: String, below count: Int) -> Int? {
    guard key.utf8.count == Self.length else { return nil }
    let found: Int? =
      switch form {
      case .ordered: Int(key.dropFirst())
      case .hashed: Self.number(key).flatMap { Int(exactly: RandomStream.unmix($0)) }
      }
    guard let row = found, (0..<count).contains(row) else { return nil }
    // `Int` also accepts a sign.
    return self.key(row) == key ? row : nil
  }

  /// The letter "r" and 12 digits.
  private static func orderedKey(_ row: Int) -> String {
    String(unsafeUninitializedCapacity: length) { buffer in
      buffer[0] = UInt8(ascii: "r")
      var rest = row
      for index in stride(from: length - 1, through: 1, by: -1) {
        buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
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

  private static func number(_ key: String) -> UInt64? {
    var number: UInt64 = 0
    for byte in key.utf8 {
      guard let digit = digits.firstIndex(of: byte) else { return nil }
      number = number << 5 | UInt64(digit)
    }
    return number
  }
}

/// The rows of a collection in the order of their keys. For hashed keys the order is computed on first use, because
/// only scans need it.
final class KeyOrder: Sendable {
  private struct Order {
    /// The rows, in the order of their keys.
    var rows: [Int32]
    /// For each row, its index in `rows`.
    var positions: [Int32]
  }

  private let keys: RowKeys
  private let count: Int
  private let known = Guarded<Order?>(nil)

  init(_ keys: RowKeys, count: Int) {
    self.keys = keys
    self.count = count
  }

  func rows(from row: Int, count wanted: Int) -> [Int] {
    if keys.form == .ordered { return Array(row..<min(row + wanted, count)) }
    return known.withLock { known in
      if known == nil { known = sorted() }
      guard let known else { return [] }
      let first = Int(known.positions[row])
      return known.rows[first..<min(first + wanted, count)].map { Int($0) }
    }
  }

  private func sorted() -> Order {
    // Base-32 digits sort in the order of the numbers that they encode.
    let numbers = (0..<count).map { RandomStream.mix(UInt64($0)) }
    let rows = (0..<Int32(count)).sorted { numbers[Int($0)] < numbers[Int($1)] }
    var positions = Array(repeating: Int32(0), count: count)
    for (position, row) in rows.enumerated() { positions[Int(row)] = Int32(position) }
    return Order(rows: rows, positions: positions)
  }
}
