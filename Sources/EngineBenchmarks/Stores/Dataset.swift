internal import CRawSQLite
internal import HarnessPrimitives

/// The rows that every store holds, and the values to which they are changed.
///
/// Keys have 16 bytes, more than Swift stores inside a string. Each value begins with a stamp of eight bytes that
/// identifies it to a reader; the rest is noise.
// Immutable after initialization. The memory for C lives as long as the object.
final class Dataset: @unchecked Sendable {
  static let collection = "messages"
  /// The number of fresh values. It is a prime, so that a row that is written again after all others gets another
  /// value: SQLite skips a write of identical bytes.
  static let freshCount = 1_021
  let rowCount: Int
  let valueBytes: Int
  let keys: [String]
  /// The values to which rows are changed in turn.
  let fresh: [[UInt8]]
  /// The rows and values as the C loops use them.
  let raw: craw_rows
  private let seed: UInt64
  private let rawKeys: UnsafeMutablePointer<craw_key>
  private let initialBytes: UnsafeMutableBufferPointer<UInt8>
  private let freshBytes: UnsafeMutableBufferPointer<UInt8>

  /// - Parameters:
  ///   - firstKey: The number of the first key. Datasets have no common key if their ranges of numbers have none.
  ///   - isSorted: Whether the keys are in ascending order, so that a large dataset is loaded quickly.
  ///   - freshCount: The number of fresh values, a prime.
  init(
    rows: Int,
    valueBytes: Int,
    seed: UInt64,
    firstKey: Int = 0,
    isSorted: Bool = false,
    freshCount: Int = Dataset.freshCount
  ) {
    precondition(rows % freshCount != 0, "a write would not change the value of its row")
    rowCount = rows
    self.valueBytes = valueBytes
    self.seed = seed
    let numbers = (firstKey..<firstKey + rows).map { RandomStream.mix(UInt64($0) &+ 1) }
    keys = (isSorted ? numbers.sorted() : numbers).map(Self.key)
    rawKeys = craw_keys_new(keys.joined().utf8.map { CChar(bitPattern: $0) }, UInt32(rows))
    var generator = RandomStream(seed: seed, "values")
    initialBytes = .allocate(capacity: rows * valueBytes)
    freshBytes = .allocate(capacity: freshCount * valueBytes)
    for row in 0..<rows {
      Self.write(stamp: UInt64(row), noise: &generator, to: initialBytes[row * valueBytes..<(row + 1) * valueBytes])
    }
    for number in 0..<freshCount {
      let range = number * valueBytes..<(number + 1) * valueBytes
      Self.write(stamp: Self.freshStamp(number, of: freshCount), noise: &generator, to: freshBytes[range])
    }
    fresh = (0..<freshCount).map { [freshBytes] in
      [UInt8](UnsafeBufferPointer(rebasing: freshBytes[$0 * valueBytes..<($0 + 1) * valueBytes]))
    }
    raw = craw_rows(
      keys: UnsafePointer(rawKeys),
      initial: UnsafePointer(initialBytes.baseAddress.unsafelyUnwrapped),
      fresh: UnsafePointer(freshBytes.baseAddress.unsafelyUnwrapped),
      row_count: UInt32(rows),
      fresh_count: UInt32(freshCount),
      value_bytes: UInt32(valueBytes)
    )
  }

  deinit {
    craw_keys_free(rawKeys, raw.row_count)
    initialBytes.deallocate()
    freshBytes.deallocate()
  }

  /// The initial value of a row.
  func initialValue(of row: Int) -> [UInt8] {
    [UInt8](UnsafeBufferPointer(rebasing: initialBytes[row * valueBytes..<(row + 1) * valueBytes]))
  }

  /// The stamp of the fresh value with the given number. Numbers repeat after `count` values.
  static func freshStamp(_ number: Int, of count: Int = freshCount) -> UInt64 { (1 << 32) + UInt64(number % count) }

  /// The sum of the initial stamps of the given rows.
  static func initialSum(_ rows: [UInt32]) -> UInt64 { rows.reduce(0) { $0 &+ UInt64($1) } }

  /// Returns all rows, or those that satisfy the condition, in an order that the seed and the purpose determine.
  func order(_ purpose: String, where isWanted: (UInt32) -> Bool = { _ in true }) -> [UInt32] {
    var generator = RandomStream(seed: seed, "order " + purpose)
    return (0..<UInt32(rowCount)).filter(isWanted).shuffled(using: &generator)
  }

  private static func key(of number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: Int(CRAW_KEY_BYTES) - digits.count) + digits
  }

  private static func write(
    stamp: UInt64,
    noise: inout RandomStream,
    to value: Slice<UnsafeMutableBufferPointer<UInt8>>
  ) {
    let bytes = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: value))
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    for offset in stride(from: 8, to: bytes.count - 7, by: 8) {
      bytes.storeBytes(of: noise.next(), toByteOffset: offset, as: UInt64.self)
    }
    bytes.storeBytes(of: stamp, as: UInt64.self)
  }
}

/// Rows in a fixed order, taken in turn: the first follows the last.
final class RowCursor {
  private let rows: [UInt32]
  private var next = 0

  init(_ rows: [UInt32]) {
    self.rows = rows
  }

  func take(_ count: Int) -> [UInt32] {
    var taken: [UInt32] = []
    taken.reserveCapacity(count)
    while taken.count < count {
      let end = min(next + count - taken.count, rows.count)
      taken += rows[next..<end]
      next = end == rows.count ? 0 : end
    }
    return taken
  }
}
