internal import BenchModel
internal import SeededRandom

/// The keys of a collection's rows, and the rows of its keys. A key of either form has thirteen characters, which Swift
/// stores without allocating.
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

  /// The row of a key that `key` made of a number below `count`; nil for any other.
  func row(of key: String, below count: Int) -> Int? {
    guard key.utf8.count == Self.length else { return nil }
    let found: Int? =
      switch form {
      case .ordered: Int(key.dropFirst())
      case .hashed: Self.number(key).flatMap { Int(exactly: RandomStream.unmix($0)) }
      }
    guard let row = found, (0..<count).contains(row) else { return nil }
    // A sign is read as a number too.
    return self.key(row) == key ? row : nil
  }

  /// "r" and twelve digits.
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

  /// Digits of base 32, five bits each.
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
