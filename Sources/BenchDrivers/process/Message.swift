internal import Foundation

/// Encodes a message to another process: fields in an order that both processes know.
///
/// Numbers are little-endian. Texts and lists are preceded by their length. Both processes run the same program, so
/// messages contain no version, and fields have neither names nor types.
struct MessageWriter {
  private static let lengthBytes = MemoryLayout<UInt32>.size

  /// The length of the fields in bytes, which takes 4 bytes, and the fields.
  private(set) var framed: [UInt8]

  /// - Throws: `EncodingError` if a `JSONField` contains a number that is not finite.
  init<each Field: MessageField>(_ fields: repeat each Field) throws {
    framed = []
    framed.reserveCapacity(128)
    UInt32(0).write(to: &self)
    try put(repeat each fields)
  }

  mutating func put<each Field: MessageField>(_ fields: repeat each Field) throws {
    repeat try (each fields).write(to: &self)
    let length = UInt32(framed.count - Self.lengthBytes).littleEndian
    framed.withUnsafeMutableBytes { $0.storeBytes(of: length, as: UInt32.self) }
  }

  mutating func append(_ raw: UnsafeRawBufferPointer) { framed.append(contentsOf: raw) }

  /// Replaces the reply code, which is the first field.
  mutating func replaceReply(with reply: Reply) { framed[Self.lengthBytes] = reply.rawValue }
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

  /// Decodes the only field that is left.
  /// - Throws: `DamagedMessage`, also if bytes are left after it.
  func decoded<Field: MessageField>(_: Field.Type = Field.self) throws(DamagedMessage) -> Field {
    var message = self
    let field: Field = try message.take()
    guard message.isAtEnd else { throw DamagedMessage() }
    return field
  }

  /// Decodes all fields that are left.
  /// - Throws: `DamagedMessage`, also if bytes are left after them.
  func decoded<each Field: MessageField>(_: (repeat (each Field).Type)) throws -> (repeat each Field) {
    var message = self
    let fields = (repeat try message.take((each Field).self))
    guard message.isAtEnd else { throw DamagedMessage() }
    return fields
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
  func write(to message: inout MessageWriter) throws
  /// Decodes the elements of a list.
  static func list(of count: Int, from message: inout MessageReader) throws(DamagedMessage) -> [Self]
  /// Encodes the elements of a list.
  static func write(_ list: [Self], to message: inout MessageWriter) throws
}

extension MessageField {
  static func list(of count: Int, from message: inout MessageReader) throws(DamagedMessage) -> [Self] {
    var list: [Self] = []
    for _ in 0..<count { list.append(try message.take()) }
    return list
  }

  static func write(_ list: [Self], to message: inout MessageWriter) throws {
    for element in list { try element.write(to: &message) }
  }
}

/// A field that is written as JSON, which takes microseconds: for calls that are not made for each row or transaction.
protocol JSONField: MessageField, Codable {}

extension JSONField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    let text = Data(try message.take([UInt8].self))
    do { self = try JSONDecoder().decode(Self.self, from: text) } catch { throw DamagedMessage() }
  }

  func write(to message: inout MessageWriter) throws { try message.put([UInt8](try JSONEncoder().encode(self))) }
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

  func write(to message: inout MessageWriter) throws { try rawValue.write(to: &message) }
}

extension UInt32: MessageField {}
extension UInt64: MessageField {}
extension Int: MessageField {}

extension UInt8: MessageField {
  static func list(of count: Int, from message: inout MessageReader) throws(DamagedMessage) -> [UInt8] {
    try message.take(bytes: count) { [UInt8]($0) }
  }

  static func write(_ list: [UInt8], to message: inout MessageWriter) { list.withUnsafeBytes { message.append($0) } }
}

extension Bool: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) { self = try message.take(UInt8.self) != 0 }
  func write(to message: inout MessageWriter) { (self ? 1 : 0 as UInt8).write(to: &message) }
}

extension String: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self = try message.take(bytes: Int(try message.take(UInt32.self))) { String(decoding: $0, as: UTF8.self) }
  }

  func write(to message: inout MessageWriter) {
    var text = self
    text.withUTF8 { utf8 in
      UInt32(utf8.count).write(to: &message)
      message.append(UnsafeRawBufferPointer(utf8))
    }
  }
}

extension Array: MessageField where Element: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self = try Element.list(of: Int(try message.take(UInt32.self)), from: &message)
  }

  func write(to message: inout MessageWriter) throws {
    UInt32(count).write(to: &message)
    try Element.write(self, to: &message)
  }
}

extension Optional: MessageField where Wrapped: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self = try message.take(Bool.self) ? message.take(Wrapped.self) : nil
  }

  func write(to message: inout MessageWriter) throws {
    (self != nil).write(to: &message)
    try self?.write(to: &message)
  }
}
