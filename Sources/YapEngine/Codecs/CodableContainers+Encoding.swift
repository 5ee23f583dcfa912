/// The keyed container of a `CodableValueEncoder`.
struct CodableKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: CodableValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { encoder.encodeNil(forKey: key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encoder.encode(value, forKey: key) }

  func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    encoder.request(forKey: key).container(keyedBy: keyedBy)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.request(forKey: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.request(forKey: CodableKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { encoder.request(forKey: key) }
}

/// The unkeyed container of a `CodableValueEncoder`.
struct CodableUnkeyedEncoding: UnkeyedEncodingContainer {
  let encoder: CodableValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.count }

  func encodeNil() { encoder.encodeNilElement() }

  func encode<Value: Encodable>(_ value: Value) throws { try encoder.encode(element: value) }

  func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.requestElement().container(keyedBy: keyedBy)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.requestElement().unkeyedContainer() }

  func superEncoder() -> any Encoder { encoder.requestElement() }
}

/// The container for the only value of a `CodableValueEncoder`.
struct CodableSingleEncoding: SingleValueEncodingContainer {
  let encoder: CodableValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.encodeNil() }

  func encode<Value: Encodable>(_ value: Value) throws { try encoder.encodeWhole(value) }
}
