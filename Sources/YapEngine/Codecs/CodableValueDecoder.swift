internal import Foundation
internal import ThreadingPrimitives

/// Decodes a `Codable` value from the layout of `BasicFormat`.
///
/// A number is decoded as any type of number that can represent it, and a date as a number or the reverse. Therefore a
/// property may change its type as freely as with JSON.
struct CodableValueDecoder: Decoder {
  /// A copy of the stored bytes, because a type may keep its decoder. A null follows them, for keys that are missing.
  private final class Source {
    let bytes: UnsafeRawBufferPointer
    let userInfo: [CodingUserInfoKey: Any]

    init(_ bytes: UnsafeRawBufferPointer, _ userInfo: [CodingUserInfoKey: Any]) {
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
      copy.copyMemory(from: bytes)
      copy[bytes.count] = BasicFormat.Tag.null.rawValue
      self.bytes = UnsafeRawBufferPointer(copy)
      self.userInfo = userInfo
    }

    deinit { bytes.deallocate() }
  }

  /// The keys that lead to a value.
  private final class Path {
    let outer: Path?
    let key: any CodingKey

    init(_ outer: Path?, _ key: any CodingKey) {
      self.outer = outer
      self.key = key
    }

    var keys: [any CodingKey] { sequence(first: self, next: \.outer).map(\.key).reversed() }
  }

  private let source: Source
  private let path: Path?
  // 32 bits each, so that an existential holds the decoder without an allocation. SQLite's values are below 2 GiB.
  /// The position of the value's tag.
  private let storedPosition: UInt32
  /// The number of values that the value was decoded as, one inside the other, by single-value containers.
  private let wrappers: UInt32

  private var position: Int { Int(storedPosition) }

  /// - Throws: `UndecodableBasicValue`, `NestedTooDeep`, or an error of the type.
  static func value<Value: Decodable>(
    _ type: Value.Type,
    of bytes: UnsafeRawBufferPointer,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws -> Value {
    guard bytes.count > BasicFormat.header.count, bytes.starts(with: BasicFormat.header) else {
      throw UndecodableBasicValue(foreign: bytes)
    }
    var check = BasicValueDecoder(bytes: bytes, position: BasicFormat.header.count)
    try check.skipValue()
    guard check.remaining == 0 else { throw check.failure("the end of the value") }
    let source = Source(bytes, userInfo)
    let decoder = CodableValueDecoder(source: source, path: nil, position: BasicFormat.header.count)
    return try decoder.decode(type, at: decoder.position, decoder: decoder)
  }

  private init(source: Source, path: Path?, position: Int, wrappers: UInt32 = 0) {
    self.source = source
    self.path = path
    storedPosition = UInt32(position)
    self.wrappers = wrappers
  }

  var codingPath: [any CodingKey] { path?.keys ?? [] }
  var userInfo: [CodingUserInfoKey: Any] { source.userInfo }

  func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(CodableKeyedDecoding(decoder: self, entries: try entries()))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    var stored = stored(at: position)
    guard try stored.tag() == .array else { throw mismatch([Any].self) }
    let count = try stored.count(unit: 1)
    return CodableUnkeyedDecoding(decoder: self, elements: count, position: stored.position)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { CodableSingleDecoding(decoder: self) }

  // MARK: Values

  /// Decodes the decoder's own value as another type.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard wrappers <= CodableDepth.maximum else { throw NestedTooDeep(path: codingPath, maximum: CodableDepth.maximum) }
    let inner = CodableValueDecoder(source: source, path: path, position: position, wrappers: wrappers + 1)
    return try decode(type, at: position, decoder: inner)
  }

  /// Decodes a value inside the decoder's own value.
  func decode<Value: Decodable>(_ type: Value.Type, at position: Int, key: some CodingKey) throws -> Value {
    try decode(type, at: position, decoder: decoder(at: position, key: key))
  }

  /// Decodes a value inside the decoder's own value by the rule for its type.
  @inline(__always)
  func read<Value>(
    at position: Int,
    key: some CodingKey,
    _ read: (inout BasicValueDecoder) throws -> Value
  ) throws -> Value {
    var stored = stored(at: position)
    do { return try read(&stored) } catch is OtherTag {
      throw decoder(at: position, key: key).mismatch(Value.self)
    }
  }

  /// Compares types, because casts, and optionals of `Value`, take much longer where the function is not specialized.
  @inline(__always)
  private func decode<Value: Decodable>(
    _ type: Value.Type,
    at position: Int,
    decoder: @autoclosure () throws -> CodableValueDecoder
  ) throws -> Value {
    var stored = stored(at: position)
    do {
      if type == String.self { return try same(stored.taggedText()) }
      if type == Int.self { return try same(stored.number(Int.self)) }
      if type == Double.self { return try same(stored.double()) }
      if type == Bool.self { return try same(stored.boolean()) }
      if type == Date.self { return try same(Date(timeIntervalSinceReferenceDate: stored.double())) }
      if type == Data.self { return try same(stored.data()) }
      if type == UUID.self { return try same(stored.uuid()) }
      if type == Float.self { return try same(Float(stored.double())) }
      if type == Int64.self { return try same(stored.number(Int64.self)) }
      if type == Int32.self { return try same(stored.number(Int32.self)) }
      if type == Int16.self { return try same(stored.number(Int16.self)) }
      if type == Int8.self { return try same(stored.number(Int8.self)) }
      if type == UInt.self { return try same(stored.number(UInt.self)) }
      if type == UInt64.self { return try same(stored.number(UInt64.self)) }
      if type == UInt32.self { return try same(stored.number(UInt32.self)) }
      if type == UInt16.self { return try same(stored.number(UInt16.self)) }
      if type == UInt8.self { return try same(stored.number(UInt8.self)) }
      // Bytes that a type has encoded one by one are an array.
      if type == [UInt8].self, let bytes = try stored.bytes() { return same(bytes) }
    } catch is OtherTag {
      throw try decoder().mismatch(type)
    }
    return try decodeSelf(of: type, try decoder())
  }

  /// Calls the type's own initializer, on another thread if little of the calling thread's stack is left.
  @inline(__always)
  private func decodeSelf<Value: Decodable>(of type: Value.Type, _ decoder: CodableValueDecoder) throws -> Value {
    try CodableDepth.isStackLow ? LargeStack.run { try type.init(from: decoder) } : type.init(from: decoder)
  }

  /// Returns a value as the same type by another name.
  @inline(__always)
  private func same<Value, Same>(_ value: Value) -> Same { unsafeBitCast(value, to: Same.self) }

  func isNull(at position: Int) throws -> Bool {
    var stored = stored(at: position)
    return try stored.tag() == .null
  }

  func isNull() throws -> Bool { try isNull(at: position) }

  /// Returns the position after a value.
  func end(ofValueAt position: Int) throws -> Int {
    var stored = stored(at: position)
    try stored.skipValue()
    return stored.position
  }

  func decoder(at position: Int, key: some CodingKey) -> CodableValueDecoder {
    CodableValueDecoder(source: source, path: Path(path, key), position: position)
  }

  /// Returns the decoder of a key that is not stored, for which it reads null.
  func decoderOfNull(key: some CodingKey) -> CodableValueDecoder {
    decoder(at: source.bytes.count - 1, key: key)
  }

  @inline(__always)
  private func stored(at position: Int) -> BasicValueDecoder {
    BasicValueDecoder(bytes: source.bytes, position: position)
  }

  private func mismatch(_ expected: Any.Type) -> DecodingError {
    var stored = stored(at: position)
    let tag = (try? stored.tag()).map { "\($0)" } ?? "nothing"
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "found a value with the tag \(tag)")
    return tag == "null" ? .valueNotFound(expected, context) : .typeMismatch(expected, context)
  }

  // MARK: Keys

  /// An entry of a stored dictionary.
  struct Entry {
    let key: UnsafeRawBufferPointer
    let position: Int
  }

  /// Returns the entries of a stored dictionary, in ascending order of their keys. They point into the decoder's copy.
  private func entries() throws -> [Entry] {
    var stored = stored(at: position)
    guard try stored.tag() == .dictionary else { throw mismatch([String: Any].self) }
    let count = try stored.count(unit: 2)
    var entries: [Entry] = []
    entries.reserveCapacity(min(count, 64))
    for _ in 0..<count {
      let key = try stored.content()
      if let last = entries.last, last.key.compareBytes(to: key) >= 0 { throw stored.failure("ascending keys") }
      entries.append(Entry(key: key, position: stored.position))
      try stored.skipValue()
    }
    return entries
  }
}

/// The error for a value whose tag belongs to another type.
private struct OtherTag: Error {}

extension BasicValueDecoder {
  /// Skips a value with all its contents, without recursion.
  mutating func skipValue() throws {
    /// The items of a container that are left, and the number of containers around them.
    struct Rest {
      var items: Int
      let haveKeys: Bool
      let depth: Int
    }
    var outer: [Rest] = []
    var inner = Rest(items: 1, haveKeys: false, depth: 0)
    while true {
      while inner.items == 0 {
        guard let next = outer.popLast() else { return }
        inner = next
      }
      inner.items -= 1
      if inner.haveKeys { _ = try content() }
      guard let container = try skipScalar() else { continue }
      guard inner.depth < CodableDepth.maximum else {
        throw failure("containers nested at most \(CodableDepth.maximum) deep")
      }
      // Containers without containers need no allocation.
      if inner.items > 0 { outer.append(inner) }
      inner = Rest(items: container.count, haveKeys: container.haveKeys, depth: inner.depth + 1)
    }
  }

  /// Skips a value that is no container, or the beginning of a container.
  /// - Returns: The number of the container's items, and whether keys precede them; nil for other values.
  @inline(__always)
  private mutating func skipScalar() throws -> (count: Int, haveKeys: Bool)? {
    switch try tag() {
    case .null, .false, .true: break
    case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64: _ = try number()
    case .float: _ = try slice(4)
    case .double, .date: _ = try slice(8)
    case .uuid: _ = try slice(16)
    case .text, .data, .bytes, .url: _ = try content()
    case .array: return (try count(unit: 1), false)
    case .dictionary: return (try count(unit: 2), true)
    }
    return nil
  }

  mutating func taggedText() throws -> String {
    guard try tag() == .text else { throw OtherTag() }
    return try text()
  }

  mutating func boolean() throws -> Bool {
    switch try tag() {
    case .true: true
    case .false: false
    default: throw OtherTag()
    }
  }

  fileprivate mutating func data() throws -> Data {
    guard try tag() == .data else { throw OtherTag() }
    return Data(try content())
  }

  /// - Returns: nil if the elements have tags of their own.
  fileprivate mutating func bytes() throws -> [UInt8]? { try tag() == .bytes ? [UInt8](try content()) : nil }

  fileprivate mutating func uuid() throws -> UUID {
    guard try tag() == .uuid else { throw OtherTag() }
    return UUID(uuid: try slice(16).loadUnaligned(as: uuid_t.self))
  }

  /// - Throws: `OtherTag` also for a number that the type cannot represent.
  mutating func number<Number: BasicInteger>(_: Number.Type) throws -> Number {
    let number: Number? =
      switch try tag() {
      case .int, .int8, .int16, .int32, .int64: Number(exactly: BasicFormat.signed(zigzag: try number()))
      case .uint, .uint8, .uint16, .uint32, .uint64: Number(exactly: try number())
      case .double, .date: Number(exactly: Double(bitPattern: try fixed(UInt64.self)))
      case .float: Number(exactly: Float(bitPattern: try fixed(UInt32.self)))
      default: nil
      }
    guard let number else { throw OtherTag() }
    return number
  }

  /// Decodes a number, or a date as its seconds since the reference date.
  mutating func double() throws -> Double {
    switch try tag() {
    case .double, .date: Double(bitPattern: try fixed(UInt64.self))
    case .float: Double(Float(bitPattern: try fixed(UInt32.self)))
    case .int, .int8, .int16, .int32, .int64: Double(BasicFormat.signed(zigzag: try number()))
    case .uint, .uint8, .uint16, .uint32, .uint64: Double(try number())
    default: throw OtherTag()
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns a negative number, 0 or a positive number if the bytes are less than, equal to or greater than the others.
  func compareBytes(to other: UnsafeRawBufferPointer) -> Int {
    guard let base = baseAddress, let otherBase = other.baseAddress else { return count - other.count }
    let order = memcmp(base, otherBase, Swift.min(count, other.count))
    return order != 0 ? Int(order) : count - other.count
  }
}
