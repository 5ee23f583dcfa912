internal import BenchResults
internal import BenchScenario
internal import Foundation

/// Encodes a message to another process: fields in an order that both processes know.
///
/// Numbers are little-endian. Texts and lists are preceded by their length. Both processes run the same program, so
/// messages contain no version, and fields have neither names nor types.
struct MessageWriter {
  private(set) var bytes: [UInt8]

  init(capacity: Int = 64) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Creates a message that begins with a field.
  init(_ first: some MessageField, capacity: Int = 64) {
    self.init(capacity: capacity)
    put(first)
  }

  mutating func put(_ field: some MessageField) { field.write(to: &self) }
  mutating func put(json value: some Encodable) throws { put([UInt8](try JSONEncoder().encode(value))) }
  mutating func append(_ raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

  /// Replaces the reply code, which is the first byte.
  mutating func replaceReply(with reply: Reply) { bytes[0] = reply.rawValue }
}

/// Decodes the fields of a message.
struct MessageReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func take<Field: MessageField>(_: Field.Type = Field.self) throws(DamagedMessage) -> Field {
    try Field(from: &self)
  }

  mutating func takeJSON<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(try take([UInt8].self)))
  }

  /// Passes the next `count` bytes to `body`.
  mutating func take<Value>(
    bytes count: Int,
    _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(DamagedMessage) -> Value {
    guard count <= bytes.count - offset else { throw DamagedMessage() }
    defer { offset += count }
    return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
  }
}

/// The error for a message that cannot be decoded.
struct DamagedMessage: Error, CustomStringConvertible {
  var description: String { "a message between the harness and the engine's process cannot be read" }
}

/// A value that a message can contain.
protocol MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage)
  func write(to message: inout MessageWriter)
  /// Decodes the elements of a list.
  static func list(of count: Int, from message: inout MessageReader) throws(DamagedMessage) -> [Self]
  /// Encodes the elements of a list.
  static func write(_ list: [Self], to message: inout MessageWriter)
}

extension MessageField {
  static func list(of count: Int, from message: inout MessageReader) throws(DamagedMessage) -> [Self] {
    var list: [Self] = []
    for _ in 0..<count { list.append(try message.take()) }
    return list
  }

  static func write(_ list: [Self], to message: inout MessageWriter) {
    for element in list { message.put(element) }
  }
}

extension MessageField where Self: FixedWidthInteger {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self = try message.take(bytes: MemoryLayout<Self>.size) { Self(littleEndian: $0.loadUnaligned(as: Self.self)) }
  }

  func write(to message: inout MessageWriter) { withUnsafeBytes(of: littleEndian) { message.append($0) } }
}

extension MessageField where Self: RawRepresentable, RawValue: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    guard let value = Self(rawValue: try message.take()) else { throw DamagedMessage() }
    self = value
  }

  func write(to message: inout MessageWriter) { message.put(rawValue) }
}

extension UInt32: MessageField {}
extension UInt64: MessageField {}
extension Int: MessageField {}
extension CheckpointModeSetting: MessageField {}

extension UInt8: MessageField {
  static func list(of count: Int, from message: inout MessageReader) throws(DamagedMessage) -> [UInt8] {
    try message.take(bytes: count) { [UInt8]($0) }
  }

  static func write(_ list: [UInt8], to message: inout MessageWriter) { list.withUnsafeBytes { message.append($0) } }
}

extension Bool: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) { self = try message.take(UInt8.self) != 0 }
  func write(to message: inout MessageWriter) { message.put(self ? 1 : 0 as UInt8) }
}

extension String: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self = try message.take(bytes: Int(try message.take(UInt32.self))) { String(decoding: $0, as: UTF8.self) }
  }

  func write(to message: inout MessageWriter) {
    var text = self
    text.withUTF8 { utf8 in
      message.put(UInt32(utf8.count))
      message.append(UnsafeRawBufferPointer(utf8))
    }
  }
}

extension Array: MessageField where Element: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self = try Element.list(of: Int(try message.take(UInt32.self)), from: &message)
  }

  func write(to message: inout MessageWriter) {
    message.put(UInt32(count))
    Element.write(self, to: &message)
  }
}

extension Optional: MessageField where Wrapped: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self = try message.take(Bool.self) ? message.take(Wrapped.self) : nil
  }

  func write(to message: inout MessageWriter) {
    message.put(self != nil)
    if let self { message.put(self) }
  }
}
