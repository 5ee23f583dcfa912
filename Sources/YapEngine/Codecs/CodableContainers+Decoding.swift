/// The keyed container of a `CodableValueDecoder`.
struct CodableKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: CodableValueDecoder
  /// The entries, in ascending order of their keys. They are valid as long as `decoder` exists.
  let entries: [CodableValueDecoder.Entry]

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] { entries.compactMap { Key(stringValue: String(decoding: $0.key, as: UTF8.self)) } }

  func contains(_ key: Key) -> Bool { position(of: key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder.isNull(at: storedPosition(of: key)) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.decode(type, at: storedPosition(of: key), key: key)
  }

  // The most frequent types. The generic function serves the others, but is not specialized for them.

  func decode(_: String.Type, forKey key: Key) throws -> String {
    try decoder.read(at: storedPosition(of: key), key: key) { try $0.taggedText() }
  }

  func decode(_: Int.Type, forKey key: Key) throws -> Int {
    try decoder.read(at: storedPosition(of: key), key: key) { try $0.number(Int.self) }
  }

  func decode(_: Double.Type, forKey key: Key) throws -> Double {
    try decoder.read(at: storedPosition(of: key), key: key) { try $0.double() }
  }

  func decode(_: Bool.Type, forKey key: Key) throws -> Bool {
    try decoder.read(at: storedPosition(of: key), key: key) { try $0.boolean() }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let position = position(of: key), try !decoder.isNull(at: position) else { return nil }
    return try decoder.decode(type, at: position, key: key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(forKey: key).container(keyedBy: keyedBy)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(forKey: key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { superDecoder(for: CodableKey.super) }

  func superDecoder(forKey key: Key) -> any Decoder { superDecoder(for: key) }

  /// Returns a decoder that reads null if the key is not stored, as it is for values from before a type's superclass.
  private func superDecoder(for key: some CodingKey) -> CodableValueDecoder {
    position(of: key).map { decoder.decoder(at: $0, key: key) } ?? decoder.decoderOfNull(key: key)
  }

  private func decoder(forKey key: Key) throws -> CodableValueDecoder {
    decoder.decoder(at: try storedPosition(of: key), key: key)
  }

  private func storedPosition(of key: some CodingKey) throws -> Int {
    guard let position = position(of: key) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "the key is not stored"))
    }
    return position
  }

  @inline(__always)
  private func position(of key: some CodingKey) -> Int? {
    key.stringValue.withUTF8Bytes { text in
      let wanted = UnsafeRawBufferPointer(text)
      var range = entries.indices
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        let order = wanted.compareBytes(to: entries[middle].key)
        if order == 0 { return entries[middle].position }
        range = order < 0 ? range.lowerBound..<middle : middle + 1..<range.upperBound
      }
      return nil
    }
  }
}

/// The unkeyed container of a `CodableValueDecoder`.
struct CodableUnkeyedDecoding: UnkeyedDecodingContainer {
  let decoder: CodableValueDecoder
  let elements: Int
  /// The position of the next element.
  var position: Int
  private(set) var currentIndex = 0

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements }
  var isAtEnd: Bool { currentIndex == elements }

  mutating func decodeNil() throws -> Bool {
    try checkNext(Any?.self)
    guard try decoder.isNull(at: position) else { return false }
    try advance()
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try checkNext(type)
    let value = try decoder.decode(type, at: position, key: CodableKey(intValue: currentIndex))
    try advance()
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    let container = try nextDecoder(for: KeyedDecodingContainer<Nested>.self).container(keyedBy: keyedBy)
    try advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try nextDecoder(for: (any UnkeyedDecodingContainer).self).unkeyedContainer()
    try advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let element = try nextDecoder(for: (any Decoder).self)
    try advance()
    return element
  }

  /// Returns the decoder of the next element. The caller advances only once it has what it asked for: after a failed
  /// attempt, the same element can be decoded as something else.
  private func nextDecoder(for type: Any.Type) throws -> CodableValueDecoder {
    try checkNext(type)
    return decoder.decoder(at: position, key: CodableKey(intValue: currentIndex))
  }

  private func checkNext(_ type: Any.Type) throws {
    guard isAtEnd else { return }
    let path = codingPath + [CodableKey(intValue: currentIndex)]
    throw DecodingError.valueNotFound(type, .init(codingPath: path, debugDescription: "the container has ended"))
  }

  private mutating func advance() throws {
    position = try decoder.end(ofValueAt: position)
    currentIndex += 1
  }
}

/// The container for the only value of a `CodableValueDecoder`.
struct CodableSingleDecoding: SingleValueDecodingContainer {
  let decoder: CodableValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { (try? decoder.isNull()) ?? false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
