/// The checksum of SQLite's WAL and WAL-index: https://sqlite.org/fileformat2.html#checksum_algorithm
struct Checksum {
  private(set) var first: UInt32 = 0
  private(set) var second: UInt32 = 0
  private var isBigEndian = false

  init(isBigEndian: Bool = false) { self.isBigEndian = isBigEndian }

  mutating func add(_ bytes: [UInt8], _ start: Int, _ count: Int) {
    bytes.withUnsafeBytes { buffer in
      for offset in stride(from: start, to: start + count, by: 8) {
        first &+= word(buffer, offset) &+ second
        second &+= word(buffer, offset + 4) &+ first
      }
    }
  }

  private func word(_ buffer: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }
}
