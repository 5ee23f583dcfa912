internal import Foundation

/// Decodes the layout of `BasicFormat`. Accepts the single valid encoding of each value and rejects all other bytes.
///
/// No input makes the decoder crash, or recurse deeper than `BasicFormat.maximumDepth`.
struct BasicValueDecoder {
  /// The largest number of elements for which a container reserves memory. Larger containers grow: each level of a
  /// damaged input could otherwise reserve memory for as many elements as the input has bytes.
  private static let largestReservation = 4_096
  private let bytes: UnsafeRawBufferPointer
  private(set) var position = 0

  /// - Throws: `UndecodableBasicValue`.
  static func value(of bytes: UnsafeRawBufferPointer) throws -> Any {
    guard bytes.count > BasicFormat.header.count, bytes.starts(with: BasicFormat.header) else {
      throw UndecodableBasicValue(foreign: bytes)
    }
    var decoder = BasicValueDecoder(bytes: bytes, position: BasicFormat.header.count)
    let value = try decoder.value(depth: 0)
    guard decoder.remaining == 0 else { throw decoder.failure("the end of the value") }
    return value
  }

  init(bytes: UnsafeRawBufferPointer, position: Int) {
    self.bytes = bytes
    self.position = position
  }

  var remaining: Int { bytes.count - position }

  func failure(_ expected: String) -> UndecodableBasicValue {
    UndecodableBasicValue(expected: expected, at: position, of: bytes.count)
  }

  mutating func tag() throws -> BasicFormat.Tag {
    guard remaining > 0, let tag = BasicFormat.Tag(rawValue: bytes[position]) else {
      throw failure("the tag of a value")
    }
    position += 1
    return tag
  }

  private mutating func value(depth: Int) throws -> Any {
    switch try tag() {
    case .null: return NSNull()
    case .false: return false
    case .true: return true
    case .int: return try integer(Int.self)
    case .int8: return try integer(Int8.self)
    case .int16: return try integer(Int16.self)
    case .int32: return try integer(Int32.self)
    case .int64: return try integer(Int64.self)
    case .uint: return try integer(UInt.self)
    case .uint8: return try integer(UInt8.self)
    case .uint16: return try integer(UInt16.self)
    case .uint32: return try integer(UInt32.self)
    case .uint64: return try integer(UInt64.self)
    case .float: return Float(bitPattern: try fixed(UInt32.self))
    case .double: return Double(bitPattern: try fixed(UInt64.self))
    case .date: return Date(timeIntervalSinceReferenceDate: Double(bitPattern: try fixed(UInt64.self)))
    case .text: return try text()
    case .data: return Data(try content())
    case .bytes: return [UInt8](try content())
    case .url: return try url()
    case .uuid: return UUID(uuid: try slice(16).loadUnaligned(as: uuid_t.self))
    case .array: return try array(depth)
    case .dictionary: return try dictionary(depth)
    }
  }

  mutating func slice(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count <= remaining else { throw failure("\(count) bytes") }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  mutating func fixed<Bits: FixedWidthInteger>(_ type: Bits.Type) throws -> Bits {
    Bits(littleEndian: try slice(MemoryLayout<Bits>.size).loadUnaligned(as: type))
  }

  /// Decodes a LEB128 number of at most 64 bits. Rejects encodings that are longer than necessary.
  mutating func number() throws -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard remaining > 0 else { throw failure("the rest of a number") }
      let byte = bytes[position]
      let isLast = byte & 0x80 == 0
      if isLast && byte == 0 && shift > 0 || shift == 63 && byte > 1 { throw failure("a number in its shortest form") }
      position += 1
      number |= UInt64(byte & 0x7f) << shift
      if isLast { return number }
    }
    throw failure("a number of 64 bits")
  }

  private mutating func integer<Integer: BasicInteger>(_ type: Integer.Type) throws -> Integer {
    let number = try number()
    let value = Integer.isSigned ? Integer(exactly: BasicFormat.signed(zigzag: number)) : Integer(exactly: number)
    guard let value else { throw failure("a number that fits \(type)") }
    return value
  }

  /// Decodes a count of items and checks it against the remaining bytes.
  /// - Parameter unit: The minimum size of an item, in bytes.
  mutating func count(unit: Int) throws -> Int {
    let number = try number()
    guard number <= UInt64(remaining / unit) else { throw failure("a length within the bytes that are left") }
    return Int(number)
  }

  mutating func content() throws -> UnsafeRawBufferPointer {
    try slice(try count(unit: 1))
  }

  mutating func text() throws -> String { try text(in: content()) }

  private func text(in content: UnsafeRawBufferPointer) throws -> String {
    guard let text = String(validating: content, as: UTF8.self) else { throw failure("valid UTF-8 before this") }
    return text
  }

  private mutating func url() throws -> URL {
    let text = try text()
    guard let url = URL(string: text), url.absoluteString == text else { throw failure("a URL before this") }
    return url
  }

  private func checkDepth(_ depth: Int) throws {
    guard depth < BasicFormat.maximumDepth else {
      throw failure("containers nested at most \(BasicFormat.maximumDepth) deep")
    }
  }

  private mutating func array(_ depth: Int) throws -> [Any] {
    try checkDepth(depth)
    let count = try count(unit: 1)
    var array: [Any] = []
    array.reserveCapacity(min(count, Self.largestReservation))
    for _ in 0..<count { array.append(try value(depth: depth + 1)) }
    return array
  }

  private mutating func dictionary(_ depth: Int) throws -> [String: Any] {
    try checkDepth(depth)
    // An entry takes at least two bytes: one for the key's length and one for the value.
    let count = try count(unit: 2)
    var dictionary: [String: Any] = [:]
    dictionary.reserveCapacity(min(count, Self.largestReservation))
    var last: UnsafeRawBufferPointer?
    for _ in 0..<count {
      let key = try content()
      if let last, !last.lexicographicallyPrecedes(key) { throw failure("ascending keys before this") }
      last = key
      let old = dictionary.updateValue(try value(depth: depth + 1), forKey: try text(in: key))
      if old != nil { throw failure("keys that are not equal as String before this") }
    }
    return dictionary
  }
}

/// The error for bytes that the codec `basic` cannot have written.
struct UndecodableBasicValue: Error, CustomStringConvertible {
  let description: String

  init(expected: String, at position: Int, of count: Int) {
    description = "the bytes are damaged: expected \(expected), at byte \(position) of \(count)"
  }

  init(foreign bytes: UnsafeRawBufferPointer) {
    func hex(_ byte: UInt8) -> String { (byte < 0x10 ? "0" : "") + String(byte, radix: 16) }
    let header = BasicFormat.header.map(hex).joined(separator: " ")
    let first = bytes.prefix(4).map(hex).joined(separator: " ")
    description =
      "expected bytes of the codec `basic`, which begin with \(header), found \(bytes.count) bytes"
      + (bytes.isEmpty ? "" : " that begin with \(first)")
      + "; if another codec wrote the row, set that codec in the options, such as `.bytes` for raw bytes"
  }
}
