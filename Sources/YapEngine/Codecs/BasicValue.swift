internal import Foundation

/// A value of one of the types that the codec `basic` stores, except containers and `[UInt8]`.
///
/// Only value types of Swift and Foundation, and `NSNull`, conform. A cast to this protocol depends on the exact type,
/// whereas a cast to `Int` also accepts an `NSNumber`.
protocol BasicValue {
  /// The value in the form that decoding returns.
  var basicValue: Self { get throws }
  func encode(to encoder: inout BasicValueEncoder)
}

extension BasicValue {
  var basicValue: Self { self }
}

/// The layout of the stored bytes: the header, then one value.
///
/// A value is a tag of one byte and its content. Integers, and all lengths and counts, are LEB128: seven bits a byte,
/// the lowest first, in as few bytes as possible; signed integers are zigzag-encoded before. Floating-point numbers
/// are their IEEE 754 bits in little-endian order. A text or a URL is its length in bytes and its UTF-8. Data and bytes
/// follow their length. An array is its count and its elements. A dictionary is its count and its entries, each a text
/// without a tag and a value, in ascending order of the keys' UTF-8. Therefore each value has one encoding.
enum BasicFormat {
  /// 0xF9 occurs in no UTF-8 text and begins no property list. The second byte is the version.
  static let header: [UInt8] = [0xf9, 0x01]
  /// The maximum depth of nested containers. It bounds the stack that encoding and decoding use.
  static let maximumDepth = 64

  enum Tag: UInt8 {
    case null = 0x00
    case `false`, `true`
    case int = 0x10
    case int8, int16, int32, int64
    case uint = 0x18
    case uint8, uint16, uint32, uint64
    case float = 0x20
    case double
    /// Seconds since 2001-01-01 00:00:00 UTC, as a `double`.
    case date
    case text = 0x30
    case data, bytes, url
    /// 16 bytes.
    case uuid
    case array = 0x40
    case dictionary
  }
}

/// A value that the codec `basic` does not store, and its location within the object.
struct UnsupportedBasicValue: Error, CustomStringConvertible {
  let found: String
  /// Advice for values of this type; nil if there is none.
  private let remedy: String?
  /// Subscripts, from the outermost container inwards.
  private var path = ""

  init(_ found: String, remedy: String? = nil) {
    self.found = found
    self.remedy = remedy
  }

  func inside(_ position: String) -> UnsupportedBasicValue {
    var outer = self
    outer.path = "[\(position)]" + path
    return outer
  }

  var description: String {
    "found \(found)\(path.isEmpty ? "" : " at \(path)"); the codec `basic` stores String, Bool, integers, Float, "
      + "Double, Date, Data, [UInt8], URL, UUID, NSNull, and arrays and dictionaries (with String keys) of these; "
      + (remedy.map { "\($0), or " } ?? "for other types ")
      + "give the collection `.codable(…)` or a codec of your own in the options"
  }
}

// MARK: Types

extension Bool: BasicValue {
  func encode(to encoder: inout BasicValueEncoder) { encoder.append(self ? .true : .false) }
}

extension NSNull: BasicValue {
  func encode(to encoder: inout BasicValueEncoder) { encoder.append(.null) }
}

extension Float: BasicValue {
  func encode(to encoder: inout BasicValueEncoder) {
    encoder.append(.float)
    encoder.appendFixed(bitPattern)
  }
}

extension Double: BasicValue {
  func encode(to encoder: inout BasicValueEncoder) {
    encoder.append(.double)
    encoder.appendFixed(bitPattern)
  }
}

extension Date: BasicValue {
  func encode(to encoder: inout BasicValueEncoder) {
    encoder.append(.date)
    encoder.appendFixed(timeIntervalSinceReferenceDate.bitPattern)
  }
}

extension String: BasicValue {
  func encode(to encoder: inout BasicValueEncoder) {
    encoder.append(.text)
    encoder.append(self)
  }
}

extension Data: BasicValue {
  /// The value itself if its indices begin at 0; otherwise a copy whose indices do.
  var basicValue: Data { startIndex == 0 ? self : withUnsafeBytes { Data($0) } }

  func encode(to encoder: inout BasicValueEncoder) {
    encoder.append(.data)
    withUnsafeBytes { encoder.append($0) }
  }
}

extension URL: BasicValue {
  /// An absolute URL, as parsed from its own text.
  var basicValue: URL {
    get throws {
      guard let parsed = URL(string: absoluteString), parsed.absoluteString == absoluteString else {
        throw UnsupportedBasicValue("a URL that cannot be parsed from its own text \"\(absoluteString)\"")
      }
      return parsed
    }
  }

  func encode(to encoder: inout BasicValueEncoder) {
    encoder.append(.url)
    encoder.append(absoluteString)
  }
}

extension UUID: BasicValue {
  func encode(to encoder: inout BasicValueEncoder) {
    encoder.append(.uuid)
    withUnsafeBytes(of: uuid) { encoder.appendWithoutLength($0) }
  }
}

/// An integer that is stored with the tag of its own type.
protocol BasicInteger: BasicValue, FixedWidthInteger {
  static var tag: BasicFormat.Tag { get }
}

extension BasicInteger {
  func encode(to encoder: inout BasicValueEncoder) {
    encoder.append(Self.tag)
    encoder.append(Self.isSigned ? BasicFormat.zigzag(Int64(self)) : UInt64(self))
  }
}

extension Int: BasicInteger { static var tag: BasicFormat.Tag { .int } }
extension Int8: BasicInteger { static var tag: BasicFormat.Tag { .int8 } }
extension Int16: BasicInteger { static var tag: BasicFormat.Tag { .int16 } }
extension Int32: BasicInteger { static var tag: BasicFormat.Tag { .int32 } }
extension Int64: BasicInteger { static var tag: BasicFormat.Tag { .int64 } }
extension UInt: BasicInteger { static var tag: BasicFormat.Tag { .uint } }
extension UInt8: BasicInteger { static var tag: BasicFormat.Tag { .uint8 } }
extension UInt16: BasicInteger { static var tag: BasicFormat.Tag { .uint16 } }
extension UInt32: BasicInteger { static var tag: BasicFormat.Tag { .uint32 } }
extension UInt64: BasicInteger { static var tag: BasicFormat.Tag { .uint64 } }

extension BasicFormat {
  /// Maps 0, -1, 1, -2 … to 0, 1, 2, 3 …, so that numbers near zero have short encodings.
  static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

  static func signed(zigzag: UInt64) -> Int64 { Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1) }
}

/// Encodes basic values in the layout of `BasicFormat`.
struct BasicValueEncoder {
  private(set) var bytes: [UInt8] = []

  init(header: [UInt8] = BasicFormat.header) {
    // Reserve room for most values: growing in steps takes longer than the rest of the encoding.
    bytes.reserveCapacity(128)
    bytes += header
  }

  /// - Throws: `UnsupportedBasicValue`.
  mutating func encode(_ object: Any, depth: Int = 0) throws {
    let kind: Any.Type = type(of: object)
    // A cast to a protocol takes ten times as long as a cast to a known type.
    if kind == String.self, let text = object as? String {
      text.encode(to: &self)
    } else if kind == [UInt8].self, let content = object as? [UInt8] {
      append(bytes: content)
    } else if kind == Int.self, let number = object as? Int {
      number.encode(to: &self)
    } else if kind == Double.self, let number = object as? Double {
      number.encode(to: &self)
    } else if let value = object as? any BasicValue {
      value.encode(to: &self)
    } else if kind == [Any].self, let array = object as? [Any], depth < BasicFormat.maximumDepth {
      append(.array, count: array.count)
      for element in array { try encode(element, depth: depth + 1) }
    } else if kind == [String: Any].self, let dictionary = object as? [String: Any],
      depth < BasicFormat.maximumDepth
    {
      append(.dictionary, count: dictionary.count)
      // Sort by bytes, as the decoder requires: `<` compares normalized Unicode forms, which may have another order.
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

  /// Appends the beginning of a container.
  mutating func append(_ tag: BasicFormat.Tag, count: Int) {
    append(tag)
    append(UInt64(count))
  }

  mutating func append(bytes content: [UInt8]) {
    append(.bytes)
    content.withUnsafeBytes { append($0) }
  }

  /// Appends a number as LEB128.
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
