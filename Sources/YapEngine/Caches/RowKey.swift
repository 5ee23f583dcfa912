internal import Glibc

/// The identity of a row: its collection's number and its key.
struct RowKey: Hashable, Sendable {
  let collection: Int64
  let key: ByteString

  /// The hash of the collection's number and the key.
  var rowHash: UInt64 { Self.hash(of: key.hash, in: collection) }

  static func hash(of keyHash: UInt64, in collection: Int64) -> UInt64 {
    keyHash &+ UInt64(bitPattern: collection) &* 0x9e37_79b9_7f4a_7c15
  }

  func hash(into hasher: inout Hasher) {
    key.hash(into: &hasher)
    hasher.combine(collection)
  }
}

/// A set of the parts of a row, which are the object and the metadata.
struct RowPart: OptionSet, Sendable {
  let rawValue: UInt8

  static let object = RowPart(rawValue: 1)
  static let metadata = RowPart(rawValue: 2)
}

/// A string that compares by its UTF-8 bytes, as SQLite compares text.
///
/// Swift's own comparison treats an "é" of one scalar and an "é" of two scalars as equal; in the database they are
/// different keys. The hash is computed once and stored, because a key is looked up in several tables.
struct ByteString: Hashable, Sendable {
  let text: String
  /// The hash of the UTF-8 bytes.
  let hash: UInt64

  init(_ text: String) { self.init(text, hash: Self.hash(of: text)) }

  /// - Parameter hash: The hash of the text.
  init(_ text: String, hash: UInt64) {
    self.text = text
    self.hash = hash
  }

  static func == (left: ByteString, right: ByteString) -> Bool {
    left.hash == right.hash && left.text.hasSameBytes(as: right.text)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }

  @inline(__always)
  static func hash(of text: String) -> UInt64 { text.withUTF8Bytes { hash(UnsafeRawBufferPointer($0)) } }

  /// Mixes in eight bytes at a time with a multiplication and a fold; the last eight may overlap others. Not seeded:
  /// `RowIndex` and `Hasher` add a seed.
  static func hash(_ raw: UnsafeRawBufferPointer) -> UInt64 {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15 ^ UInt64(raw.count)
    guard raw.count >= 8 else { return mix(state ^ shortWord(raw)) }
    var offset = 0
    while offset + 8 < raw.count {
      state = mix(state ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    return mix(state ^ raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self))
  }

  /// Returns fewer than eight bytes as one number.
  // Not inlined, because most keys are longer.
  @inline(never)
  private static func shortWord(_ raw: UnsafeRawBufferPointer) -> UInt64 {
    raw.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
    return product.high ^ product.low
  }
}

extension String {
  /// Calls `body` with the string's UTF-8. Native strings are stored as UTF-8; only other strings are copied.
  @inline(__always)
  func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
    return try Array(utf8).withUnsafeBufferPointer(body)
  }

  @inline(__always)
  func hasSameBytes(as other: String) -> Bool {
    isSameInstance(as: other) || hasEqualBytes(other)
  }

  /// Whether a text is equal to this one or before it in the order of its bytes, which is the order of SQLite's index.
  func isAtOrAfter(_ utf8: UnsafeRawBufferPointer) -> Bool { compareBytes(with: utf8) >= 0 }

  /// Returns a negative number if this text is before the other one in the order of its bytes, a positive one if it is
  /// after it, and 0 for equal bytes.
  @inline(__always)
  func compareBytes(with utf8: UnsafeRawBufferPointer) -> Int {
    withUTF8Bytes { own in
      let common = min(own.count, utf8.count)
      guard common > 0, let ownStart = own.baseAddress, let start = utf8.baseAddress else {
        return own.count - utf8.count
      }
      let order = memcmp(ownStart, start, common)
      return order == 0 ? own.count - utf8.count : Int(order)
    }
  }

  /// Whether both strings have the same representation. If not, they may still be equal. Most keys pass through the
  /// engine without being copied, so for most equal keys this is true and the bytes are not compared.
  @inline(__always)
  private func isSameInstance(as other: String) -> Bool {
    unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
  }

  func hasBytes(_ utf8: UnsafeRawBufferPointer) -> Bool {
    withUTF8Bytes { own in
      guard own.count == utf8.count else { return false }
      guard let ownStart = own.baseAddress, let start = utf8.baseAddress else { return true }
      return memcmp(ownStart, start, own.count) == 0
    }
  }

  // Not inlined: it is rarely called, and would make up four fifths of the code of a lookup.
  @inline(never)
  private func hasEqualBytes(_ other: String) -> Bool {
    other.withUTF8Bytes { hasBytes(UnsafeRawBufferPointer($0)) }
  }
}
