/// A digest of 64 bits over bytes. It detects every change that is likely by accident; it is no protection against a
/// forger.
///
/// Each word is multiplied to 128 bits, whose halves are folded, as in wyhash (Wang Yi, 2019).
public struct LedgerDigest: Sendable {
  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var length: UInt64 = 0

  public init() {}

  /// Returns the digest of `bytes`. It is never 0, which stands for a missing value.
  public static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    let digest: UInt64? = bytes.withContiguousStorageIfAvailable { buffer in
      var digest = LedgerDigest()
      digest.add(UnsafeRawBufferPointer(buffer))
      return digest.value
    }
    if let digest { return digest }
    return of(Array(bytes))
  }

  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 8 <= bytes.count {
      mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
      offset += 8
    }
    var last: UInt64 = 0
    while offset < bytes.count {
      last = last << 8 | UInt64(bytes[offset])
      offset += 1
    }
    mix(last)
    length &+= UInt64(bytes.count)
    mix(length)
  }

  /// Never 0.
  public var value: UInt64 { state == 0 ? 1 : state }

  private mutating func mix(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
    state = product.high ^ product.low &+ word
  }
}
