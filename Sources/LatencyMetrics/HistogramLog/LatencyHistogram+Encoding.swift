internal import CZlib

/// The histogram as HdrHistogram's libraries exchange it: the V2 encoding, deflated, big-endian.
///
/// Source: `encodeIntoByteBuffer` and `encodeIntoCompressedByteBuffer` of `AbstractHistogram` in HdrHistogram for Java.
extension LatencyHistogram {
  private static let cookie: UInt32 = 0x1C84_9303 | 0x10
  private static let compressedCookie: UInt32 = 0x1C84_9304 | 0x10

  /// The histogram in Base64, as a line of a histogram log contains it; begins with `HISTFAAA`.
  public var base64: String {
    let payload = Self.deflated(encoded)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 8)
    bytes.append(bigEndian: Self.compressedCookie)
    bytes.append(bigEndian: UInt32(payload.count))
    return Base64.text(of: bytes + payload)
  }

  /// A header of 40 bytes and the counts up to the largest value.
  var encoded: [UInt8] {
    let counts = encodedCounts
    var bytes: [UInt8] = []
    bytes.reserveCapacity(counts.count + 40)
    bytes.append(bigEndian: Self.cookie)
    bytes.append(bigEndian: UInt32(counts.count))
    bytes.append(bigEndian: UInt32(0))  // the offset by which the counts were shifted
    bytes.append(bigEndian: UInt32(digits))
    bytes.append(bigEndian: UInt64(1))  // the lowest discernible value
    bytes.append(bigEndian: Self.highestNanoseconds)
    bytes.append(bigEndian: 1.0.bitPattern)  // the conversion ratio from integer to floating-point values
    return bytes + counts
  }

  /// The count of each bucket; a run of empty buckets is encoded as its negative length.
  private var encodedCounts: [UInt8] {
    var bytes: [UInt8] = []
    var next = 0
    for (value, count) in recorded {
      let index = layout.index(of: value)
      let empty = index - next
      if empty > 0 { bytes.append(zigZag: empty == 1 ? 0 : -Int64(empty)) }
      bytes.append(zigZag: Int64(count))
      next = index + 1
    }
    return bytes
  }

  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var length = compressBound(uLong(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      let status = compress(buffer.baseAddress, &length, bytes, uLong(bytes.count))
      // The buffer has the size that zlib requires, so compression can fail only if memory is exhausted.
      precondition(status == Z_OK, "zlib could not deflate \(bytes.count) bytes: status \(status).")
      count = Int(length)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Encodes seven bits in each byte, the lowest first; a ninth byte has eight.
  fileprivate mutating func append(zigZag value: Int64) {
    var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
    for _ in 0..<8 {
      guard rest >= 0x80 else { return append(UInt8(rest)) }
      append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
