internal import CommitLedger
internal import HarnessPrimitives

/// A value that names its row and the commit that wrote it, so that a reader can check that it is the right one.
///
/// The bytes are the commit's number (64 bits), the index of the write within its transaction (32 bits), the digest of
/// collection and key (64 bits), random bytes, and the digest of all of these (64 bits). Integers are little-endian.
struct LedgeredValue: Sendable, Equatable {
  static let minimumSize = 28

  let commit: UInt64
  let index: UInt32

  /// Returns the bytes of a value.
  /// - Parameter size: The number of bytes, at least `minimumSize`.
  static func make(
    commit: UInt64,
    index: UInt32,
    key: String,
    collection: String,
    size: Int,
    _ random: inout RandomStream
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    func put(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    put(commit)
    put(index)
    put(rowDigest(key, collection))
    while bytes.count + 8 < size { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
    put(LedgerDigest.of(bytes))
    return bytes
  }

  /// Reads a value.
  /// - Returns: nil if the bytes are damaged, or are the value of another row.
  init?(_ bytes: [UInt8], key: String, collection: String) {
    guard bytes.count >= Self.minimumSize else { return nil }
    let body = bytes.dropLast(8)
    let (commit, index, row, digest) = bytes.withUnsafeBytes { bytes in
      (
        UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)),
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self)),
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
      )
    }
    guard digest == LedgerDigest.of(body), row == Self.rowDigest(key, collection) else { return nil }
    self.commit = commit
    self.index = index
  }

  private static func rowDigest(_ key: String, _ collection: String) -> UInt64 {
    LedgerDigest.of(Array("\(collection)\u{0}\(key)".utf8))
  }
}
