/// Encodes basic values in the layout of `BasicFormat`.
struct BasicValueEncoder {
  private(set) var bytes: [UInt8] = []

  init() {
    // Reserve room for most values: growing in steps takes longer than the rest of the encoding.
    bytes.reserveCapacity(128)
    bytes += BasicFormat.header
  }

  /// - Throws: `UnsupportedBasicValue`.
  mutating func encode(_ object: Any) throws {
    try encode(object, depth: 0)
  }

  private mutating func encode(_ object: Any, depth: Int) throws {
    let kind: Any.Type = type(of: object)
    // A cast to a protocol takes ten times as long as a cast to a known type.
    if kind == String.self, let text = object as? String {
      text.encode(to: &self)
    } else if kind == [UInt8].self, let content = object as? [UInt8] {
      append(.bytes)
      content.withUnsafeBytes { append($0) }
    } else if kind == Int.self, let number = object as? Int {
      number.encode(to: &self)
    } else if kind == Double.self, let number = object as? Double {
      number.encode(to: &self)
    } else if let value = object as? any BasicValue {
      value.encode(to: &self)
    } else if kind == [Any].self, let array = object as? [Any], depth < BasicFormat.maximumDepth {
      append(.array)
      append(UInt64(array.count))
      for element in array { try encode(element, depth: depth + 1) }
    } else if kind == [String: Any].self, let dictionary = object as? [String: Any],
      depth < BasicFormat.maximumDepth
    {
      append(.dictionary)
      append(UInt64(dictionary.count))
      // Sort by bytes: `<` compares strings by their Unicode forms, so it treats some different keys as equal.
      for (key, value) in dictionary.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        append(key)
        try encode(value, depth: depth + 1)
      }
    } else {
      // The engine passes only normalized values. Any other value is normalized here or rejected.
      try encode(BasicValueNormalization.normalized(object, depth: depth), depth: depth)
    }
  }

  mutating func append(_ tag: BasicFormat.Tag) { bytes.append(tag.rawValue) }

  /// Appends LEB128.
  mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func appendFixed(_ bits: some FixedWidthInteger) {
    withUnsafeBytes(of: bits.littleEndian) { appendWithoutLength($0) }
  }

  mutating func append(_ text: String) {
    text.withUTF8Bytes { append(UnsafeRawBufferPointer($0)) }
  }

  mutating func append(_ content: UnsafeRawBufferPointer) {
    append(UInt64(content.count))
    bytes.append(contentsOf: content)
  }

  mutating func appendWithoutLength(_ content: UnsafeRawBufferPointer) { bytes.append(contentsOf: content) }
}
