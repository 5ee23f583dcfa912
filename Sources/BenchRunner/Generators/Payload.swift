internal import BenchScenario
internal import HarnessPrimitives

/// One of the two parts of a row.
enum RowPart: UInt32, CaseIterable {
  // The numbers are written into each value.
  case object = 1
  case metadata = 2

  /// 0 or 1.
  @inline(__always) var index: Int { Int(rawValue) - 1 }
}

/// A value that carries its own identity, so that a reader can check that it is the right one.
///
/// The header has 32 bytes, little-endian: commit number, row number, collection (32 bits), part (32 bits), and a
/// checksum of everything else. The row's balance follows where balances are transferred. Then come random bytes,
/// because SQLite does not write pages that have not changed; a compressible value ends with zeros.
enum Payload {
  /// The identity that a value carries.
  struct Label: Equatable {
    var commit: UInt64
    var row: Int
    var collection: UInt32
    var part: RowPart
  }

  /// - Parameter compressible: the fraction of the body that is zeros.
  static func make(
    _ label: Label,
    size: Int,
    compressible: Double = 0,
    balance: Int64? = nil,
    _ random: inout RandomStream
  ) -> [UInt8] {
    PayloadBlank(size: size, compressible: compressible, &random).labelled(label, balance: balance)
  }

  /// Returns the balance, which `transfer` changes; nil for a value without room for one.
  static func balance(of value: [UInt8]) -> Int64? {
    guard value.count >= ValueShape.headerBytes + ValueShape.balanceBytes else { return nil }
    return value.withUnsafeBytes {
      Int64(littleEndian: $0.loadUnaligned(fromByteOffset: ValueShape.headerBytes, as: Int64.self))
    }
  }

  /// Returns a value's label; nil if its checksum does not match, or it is no value of this kind.
  static func read(_ value: [UInt8]) -> Label? {
    value.withUnsafeBytes { bytes in
      guard bytes.count >= ValueShape.headerBytes,
        bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self) == checksum(bytes).littleEndian,
        let part = RowPart(rawValue: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self).littleEndian)
      else { return nil }
      return Label(
        commit: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self).littleEndian,
        row: Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian),
        collection: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self).littleEndian,
        part: part
      )
    }
  }

  /// Returns the stored checksum, which distinguishes values; it is not verified. 0 for a value without a header.
  static func fingerprint(_ value: [UInt8]) -> UInt64 {
    value.withUnsafeBytes { bytes in
      bytes.count >= ValueShape.headerBytes ? bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self) : 0
    }
  }

  /// Covers everything except the checksum's own 8 bytes. The body comes first, because it is known before the header.
  private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    checksum(header: bytes, after: checksum(body: bytes))
  }

  fileprivate static func checksum(body bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = UInt64(bytes.count) &* 0x9e37_79b9_7f4a_7c15
    var offset = ValueShape.headerBytes
    while offset + 8 <= bytes.count {
      state = mixed(state, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    while offset < bytes.count {
      state = mixed(state, UInt64(bytes[offset]))
      offset += 1
    }
    return state
  }

  fileprivate static func checksum(header bytes: UnsafeRawBufferPointer, after body: UInt64) -> UInt64 {
    [0, 8, 16].reduce(body) { mixed($0, bytes.loadUnaligned(fromByteOffset: $1, as: UInt64.self)) }
  }

  @inline(__always)
  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word).multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
    return product.high ^ product.low &+ word
  }
}

/// A value without its label. Workers make it before the transaction, inside which the commit's number becomes known.
struct PayloadBlank {
  private var bytes: [UInt8]
  private let bodyChecksum: UInt64

  /// - Parameter compressible: the fraction of the body that is zeros, at its end.
  /// - Precondition: `size` leaves room for the header.
  init(size: Int, compressible: Double = 0, _ random: inout RandomStream) {
    precondition(size >= ValueShape.headerBytes, "a value of \(size) bytes has no room for its header")
    bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      var offset = ValueShape.headerBytes
      bytes[0..<offset].initializeMemory(as: UInt8.self, repeating: 0)
      let zeros = Int(saturating: (Double(size - offset) * compressible).rounded(.down))
      bytes[(size - zeros)..<size].initializeMemory(as: UInt8.self, repeating: 0)
      let size = size - zeros
      while offset + 8 <= size {
        bytes.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
        offset += 8
      }
      let last = random.next()
      while offset < size {
        bytes[offset] = UInt8(truncatingIfNeeded: last >> UInt64((offset & 7) * 8))
        offset += 1
      }
      count = buffer.count
    }
    bodyChecksum = bytes.withUnsafeBytes(Payload.checksum(body:))
  }

  /// Returns the complete value. It is not copied if this is the only reference to the blank.
  /// - Parameter balance: stored in the first 8 bytes after the header, for which the value must have room.
  consuming func labelled(_ label: Payload.Label, balance: Int64? = nil) -> [UInt8] {
    var bodyChecksum = bodyChecksum
    bytes.withUnsafeMutableBytes { bytes in
      if let balance {
        bytes.storeBytes(of: balance.littleEndian, toByteOffset: ValueShape.headerBytes, as: Int64.self)
        bodyChecksum = Payload.checksum(body: UnsafeRawBufferPointer(bytes))
      }
      bytes.storeBytes(of: label.commit.littleEndian, toByteOffset: 0, as: UInt64.self)
      bytes.storeBytes(of: UInt64(label.row).littleEndian, toByteOffset: 8, as: UInt64.self)
      bytes.storeBytes(of: label.collection.littleEndian, toByteOffset: 16, as: UInt32.self)
      bytes.storeBytes(of: label.part.rawValue.littleEndian, toByteOffset: 20, as: UInt32.self)
      let checksum = Payload.checksum(header: UnsafeRawBufferPointer(bytes), after: bodyChecksum)
      bytes.storeBytes(of: checksum.littleEndian, toByteOffset: 24, as: UInt64.self)
    }
    return bytes
  }
}
