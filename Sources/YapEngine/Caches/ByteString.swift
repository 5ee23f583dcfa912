internal import Glibc

/// A string that is equal to another only if their UTF-8 bytes are, as SQLite sees it.
///
/// Swift's own comparison takes "é" written as one scalar and as two for the same; the database holds two rows.
/// The hash is computed once and carried along, because a key is looked up in several tables on its way.
struct ByteString: Hashable, Sendable {
  let text: String
  /// Of the bytes.
  let hash: UInt64

  init(_ text: String) {
    self.text = text
    hash = text.withUTF8Bytes(Self.hash)
  }

  static func == (left: ByteString, right: ByteString) -> Bool {
    left.hash == right.hash && left.text.hasSameBytes(as: right.text)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }

  /// Eight bytes at a time through a multiplication and a fold; the tables seed their own hash on top of it.
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15 ^ UInt64(raw.count)
    var offset = 0
    while offset + 8 <= raw.count {
      state = mix(state ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var tail: UInt64 = 0
    while offset < raw.count {
      tail = tail << 8 | UInt64(raw[offset])
      offset += 1
    }
    return mix(state ^ tail)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
    return product.high ^ product.low
  }
}

extension String {
  /// The string's UTF-8, without a copy where the string is stored as such, as every native one is.
  @inline(__always)
  func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
    return try Array(utf8).withUnsafeBufferPointer(body)
  }

  @inline(__always)
  func hasSameBytes(as other: String) -> Bool {
    isSameInstance(as: other) || hasEqualBytes(other)
  }

  /// Whether the two are one string, which says nothing if they are not. A key mostly goes through the engine without
  /// being copied, and then nothing of its text is looked at.
  @inline(__always)
  private func isSameInstance(as other: String) -> Bool {
    unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
  }

  private func hasEqualBytes(_ other: String) -> Bool {
    withUTF8Bytes { left in
      other.withUTF8Bytes { right in
        guard left.count == right.count else { return false }
        guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return true }
        return memcmp(leftStart, rightStart, left.count) == 0
      }
    }
  }
}
