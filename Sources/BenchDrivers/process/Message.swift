/// Encodes a message to another process: fields in an order that both processes know.
///
/// Numbers are little-endian. Texts and bytes are preceded by their length. Both processes run the same program, so
/// messages contain neither a version nor tags.
struct MessageWriter {
  var bytes: [UInt8]

  init(capacity: Int = 64) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  mutating func put(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ isTrue: Bool) { bytes.append(isTrue ? 1 : 0) }

  mutating func put(_ value: [UInt8]) {
    put(UInt32(value.count))
    bytes.append(contentsOf: value)
  }

  mutating func put(_ value: [UInt8]?) {
    put(value != nil)
    if let value { put(value) }
  }

  mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      put(UInt32(utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }

  mutating func put(_ texts: [String]) {
    put(UInt32(texts.count))
    for text in texts { put(text) }
  }
}

/// Decodes the fields of a message.
struct MessageReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
    place = 0
  }

  var isAtEnd: Bool { place == bytes.count }

  mutating func take<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(DamagedMessage) -> Number {
    let end = place + MemoryLayout<Number>.size
    guard end <= bytes.count else { throw DamagedMessage() }
    defer { place = end }
    return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
  }

  mutating func takeBool() throws(DamagedMessage) -> Bool { try take(UInt8.self) != 0 }

  mutating func takeBytes() throws(DamagedMessage) -> [UInt8] {
    let end = place + Int(try take(UInt32.self)) + MemoryLayout<UInt32>.size
    guard end <= bytes.count else { throw DamagedMessage() }
    defer { place = end }
    return Array(bytes[place..<end])
  }

  mutating func takeOptionalBytes() throws(DamagedMessage) -> [UInt8]? { try takeBool() ? takeBytes() : nil }

  mutating func takeText() throws(DamagedMessage) -> String { String(decoding: try takeBytes(), as: UTF8.self) }

  mutating func takeTexts() throws(DamagedMessage) -> [String] {
    let count = try take(UInt32.self)
    var texts: [String] = []
    for _ in 0..<count { texts.append(try takeText()) }
    return texts
  }
}

/// The error for a message that cannot be decoded.
struct DamagedMessage: Error, CustomStringConvertible {
  var description: String { "the engine's process sent a message that cannot be read" }
}
