internal import BenchModel
internal import SeededRandom

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
      for place in stride(from: length - 1, through: 1, by: -1) {
        buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      return length
    }
  }

  /// 13 digits of base 32, with 5 bits each.
  private static func hashedKey(_ number: UInt64) -> String {
    String(unsafeUninitializedCapacity: length) { buffer in
      var rest = number
      for place in stride(from: length - 1, through: 0, by: -1) {
        buffer[place] = digits[Int(rest & 31)]
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
