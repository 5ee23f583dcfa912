/// The parts of a row in the value that drivers without tables store for it: the length of the metadata in 4 bytes,
/// little-endian, the object, and the metadata.
struct StoredRow {
  private static let headerBytes = MemoryLayout<UInt32>.size
  /// The length of missing metadata.
  private static let missing = UInt32.max

  let object: UnsafeRawBufferPointer
  /// nil if the row has no metadata.
  let metadata: UnsafeRawBufferPointer?

  /// - Parameter value: A stored value. Its memory must stay valid while the parts are used.
  /// - Throws: `DamagedStoredRow` if the value is shorter than its parts.
  init(_ value: UnsafeRawBufferPointer) throws(DamagedStoredRow) {
    guard value.count >= Self.headerBytes else { throw DamagedStoredRow(bytes: value.count) }
    let length = UInt32(littleEndian: value.loadUnaligned(as: UInt32.self))
    let content = UnsafeRawBufferPointer(rebasing: value.dropFirst(Self.headerBytes))
    if length == Self.missing {
      (object, metadata) = (content, nil)
    } else {
      guard length <= content.count else { throw DamagedStoredRow(bytes: value.count) }
      object = UnsafeRawBufferPointer(rebasing: content.dropLast(Int(length)))
      metadata = UnsafeRawBufferPointer(rebasing: content.suffix(Int(length)))
    }
  }

  /// Returns the size of a row's value in bytes.
  static func byteCount(object: some Collection<UInt8>, metadata: (some Collection<UInt8>)?) -> Int {
    headerBytes + object.count + (metadata?.count ?? 0)
  }

  /// Writes a row's value to memory of `byteCount` bytes.
  static func write(
    object: some Collection<UInt8>,
    metadata: (some Collection<UInt8>)?,
    to value: UnsafeMutableRawBufferPointer
  ) {
    let length = metadata.map { UInt32($0.count) } ?? missing
    value.storeBytes(of: length.littleEndian, as: UInt32.self)
    UnsafeMutableRawBufferPointer(rebasing: value.dropFirst(headerBytes)).copyBytes(from: object)
    guard let metadata else { return }
    UnsafeMutableRawBufferPointer(rebasing: value.suffix(metadata.count)).copyBytes(from: metadata)
  }

  /// Returns a row's value.
  static func value(object: some Collection<UInt8>, metadata: (some Collection<UInt8>)?) -> [UInt8] {
    let bytes = byteCount(object: object, metadata: metadata)
    return [UInt8](unsafeUninitializedCapacity: bytes) { memory, initialized in
      let value = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(memory)[..<bytes])
      write(object: object, metadata: metadata, to: value)
      initialized = bytes
    }
  }
}

/// The error of a stored value that is not a row. It indicates a damaged database.
struct DamagedStoredRow: Error, CustomStringConvertible {
  let bytes: Int

  var description: String { "a stored value of \(bytes) bytes is shorter than the row's parts" }
}
