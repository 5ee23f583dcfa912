/// The first 100 bytes of a database: https://sqlite.org/fileformat2.html#the_database_header
struct DatabaseHeader: Equatable {
  static let byteCount = 100

  var pageSize: Int
  var isInWALMode: Bool

  /// - Returns: nil if the bytes are not the header of a database.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
    let size = bytes.bigEndianShort(at: 16)
    pageSize = size == 1 ? 65_536 : Int(size)
    isInWALMode = bytes[18] == 2 && bytes[19] == 2
  }
}

/// The checksum of SQLite's WAL and WAL-index: https://sqlite.org/fileformat2.html#checksum_algorithm
struct Checksum {
  private(set) var first: UInt32 = 0
  private(set) var second: UInt32 = 0
  private var isBigEndian = false

  init(isBigEndian: Bool = false) { self.isBigEndian = isBigEndian }

  mutating func add(_ bytes: [UInt8], from start: Int, count: Int) {
    bytes.withUnsafeBytes { buffer in
      for offset in stride(from: start, to: start + count, by: 8) {
        first &+= word(buffer, at: offset) &+ second
        second &+= word(buffer, at: offset + 4) &+ first
      }
    }
  }

  private func word(_ buffer: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
    let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }
}

extension [UInt8] {
  /// Reads a big-endian number, the byte order of all files of SQLite except the WAL-index.
  func bigEndian(at offset: Int) -> UInt32 { UInt32(bigEndian: native(at: offset)) }

  func bigEndianShort(at offset: Int) -> UInt16 {
    withUnsafeBytes { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) }
  }

  /// Reads a number in the byte order of this machine, which has written the WAL-index.
  func native(at offset: Int) -> UInt32 {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
  }
}
