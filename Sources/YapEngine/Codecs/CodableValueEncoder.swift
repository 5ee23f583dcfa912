internal import Foundation

/// Encodes a `Codable` value in the layout of `BasicFormat`. A keyed container becomes a dictionary, an unkeyed one an
/// array. Values of the types that have a tag keep their type.
///
/// A nested value has an encoder of its own, whose bytes are then appended to those of the outer value. A container
/// that a type requests explicitly can be changed until the whole value is encoded, so it is appended at the end.
final class CodableValueEncoder: Encoder {
  /// The maximum depth of nested values. It bounds the stack that encoding and decoding use.
  static let maximumDepth = 512

  private enum Kind {
    case keyed, unkeyed, single
  }

  /// An entry of a keyed container. `range` contains the length of the key, the key, and the value unless it is a
  /// requested container.
  private struct Entry {
    let range: Range<Int>
    let key: Range<Int>
    let requested: CodableValueEncoder?
  }

  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let outer: CodableValueEncoder?
  private let key: (any CodingKey)?
  private let depth: Int
  // The checks of exclusive access would take a tenth of the time. No access to a property overlaps another access to
  // the same property of the same encoder.
  @exclusivity(unchecked) private var kind: Kind?
  @exclusivity(unchecked) private var content = BasicValueEncoder(header: [])
  @exclusivity(unchecked) private var entries: [Entry] = []
  /// The number of elements of an unkeyed container.
  @exclusivity(unchecked) private(set) var count = 0
  /// The requested containers inside an unkeyed container, and their positions in `content`.
  private var requestedElements: [(position: Int, encoder: CodableValueEncoder)] = []

  static func bytes(of value: some Encodable) throws -> [UInt8] {
    let encoder = CodableValueEncoder(inside: nil, key: nil)
    try encoder.encodeWhole(value)
    var whole = BasicValueEncoder()
    encoder.append(to: &whole)
    return whole.bytes
  }

  private init(inside outer: CodableValueEncoder?, key: (any CodingKey)?) {
    self.outer = outer
    self.key = key
    depth = outer.map { $0.depth + 1 } ?? 0
  }

  var codingPath: [any CodingKey] { (outer?.codingPath ?? []) + (key.map { [$0] } ?? []) }

  func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
    setKind(.keyed)
    entries.reserveCapacity(16)
    return KeyedEncodingContainer(CodableKeyedEncoding(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    setKind(.unkeyed)
    return CodableUnkeyedEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { CodableSingleEncoding(encoder: self) }

  /// A type may request the same kind of container several times, and extends it. Anything else is a bug of the type.
  private func setKind(_ wanted: Kind) {
    precondition(kind == nil || kind == wanted && wanted != .single, "a type encodes itself twice at \(codingPath)")
    kind = wanted
  }

  // MARK: Values

  func encodeWhole(_ value: some Encodable) throws {
    // A value without a tag of its own sets the kind itself.
    if value.appendTagged(to: &content) { setKind(.single) } else { try value.encode(to: self) }
  }

  func encodeNil() {
    content.append(.null)
    setKind(.single)
  }

  func encode(_ value: some Encodable, forKey key: some CodingKey) throws {
    try addEntry(key) { try append(value, key: key) }
  }

  func encodeNil(forKey key: some CodingKey) { addEntry(key) { content.append(.null) } }

  func encode(element: some Encodable) throws {
    try append(element, key: CodableKey(index: count))
    count += 1
  }

  func encodeNilElement() {
    content.append(.null)
    count += 1
  }

  /// Returns the encoder of the container that a type requested for a key. The key's earlier container is extended.
  func request(forKey key: some CodingKey) -> CodableValueEncoder {
    let earlier = entries.lazy.compactMap(\.requested).first { $0.key?.stringValue == key.stringValue }
    if let earlier { return earlier }
    let encoder = CodableValueEncoder(inside: self, key: key)
    addEntry(key, requested: encoder) {}
    return encoder
  }

  /// Returns the encoder of the container that a type requested as the next element.
  func requestElement() -> CodableValueEncoder {
    let encoder = CodableValueEncoder(inside: self, key: CodableKey(index: count))
    requestedElements.append((content.bytes.count, encoder))
    count += 1
    return encoder
  }

  @inline(__always)
  private func addEntry(
    _ key: some CodingKey,
    requested: CodableValueEncoder? = nil,
    _ appendValue: () throws -> Void
  ) rethrows {
    let text = key.stringValue
    let start = content.bytes.count
    content.append(text)
    let end = content.bytes.count
    try appendValue()
    entries.append(
      Entry(range: start..<content.bytes.count, key: end - text.utf8.count..<end, requested: requested)
    )
  }

  @inline(__always)
  private func append(_ value: some Encodable, key: @autoclosure () -> some CodingKey) throws {
    if value.appendTagged(to: &content) { return }
    let encoder = CodableValueEncoder(inside: self, key: key())
    guard encoder.depth <= Self.maximumDepth else {
      let found = "values are nested more than \(Self.maximumDepth) deep"
      throw EncodingError.invalidValue(value, .init(codingPath: encoder.codingPath, debugDescription: found))
    }
    try value.encode(to: encoder)
    encoder.append(to: &content)
  }

  // MARK: The result

  private func append(to whole: inout BasicValueEncoder) {
    content.bytes.withUnsafeBytes { bytes in
      switch kind {
      case .single: whole.appendWithoutLength(bytes)
      case .unkeyed: appendElements(bytes, to: &whole)
      case .keyed: appendEntries(bytes, to: &whole)
      // A type without stored properties encodes nothing.
      case nil: whole.append(.dictionary, count: 0)
      }
    }
  }

  private func appendElements(_ bytes: UnsafeRawBufferPointer, to whole: inout BasicValueEncoder) {
    whole.append(.array, count: count)
    var start = 0
    for (position, encoder) in requestedElements {
      whole.appendWithoutLength(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
      encoder.append(to: &whole)
      start = position
    }
    whole.appendWithoutLength(UnsafeRawBufferPointer(rebasing: bytes[start...]))
  }

  /// Appends the entries in ascending order of the keys' bytes. Of entries with equal keys, the last one is kept.
  private func appendEntries(_ bytes: UnsafeRawBufferPointer, to whole: inout BasicValueEncoder) {
    func order(_ left: Entry, _ right: Entry) -> Int {
      let key = UnsafeRawBufferPointer(rebasing: bytes[left.key])
      return key.compareBytes(to: UnsafeRawBufferPointer(rebasing: bytes[right.key]))
    }
    entries.sort {
      let order = order($0, $1)
      return order < 0 || order == 0 && $0.range.lowerBound < $1.range.lowerBound
    }
    let kept = entries.indices.filter { $0 + 1 == entries.count || order(entries[$0], entries[$0 + 1]) != 0 }
    whole.append(.dictionary, count: kept.count)
    for index in kept {
      whole.appendWithoutLength(UnsafeRawBufferPointer(rebasing: bytes[entries[index].range]))
      entries[index].requested?.append(to: &whole)
    }
  }
}

extension Encodable {
  /// Appends a value of a type that has a tag.
  /// - Returns: false for any other type; nothing is then appended.
  @inline(__always)
  fileprivate func appendTagged(to content: inout BasicValueEncoder) -> Bool {
    if Self.self == [UInt8].self, let bytes = self as? [UInt8] {
      content.append(bytes: bytes)
      return true
    }
    return append(as: String.self, to: &content) || append(as: Int.self, to: &content)
      || append(as: Double.self, to: &content) || append(as: Bool.self, to: &content)
      || append(as: Date.self, to: &content) || append(as: Data.self, to: &content)
      || append(as: UUID.self, to: &content) || append(as: Float.self, to: &content)
      || append(as: Int64.self, to: &content) || append(as: Int32.self, to: &content)
      || append(as: Int16.self, to: &content) || append(as: Int8.self, to: &content)
      || append(as: UInt.self, to: &content) || append(as: UInt64.self, to: &content)
      || append(as: UInt32.self, to: &content) || append(as: UInt16.self, to: &content)
      || append(as: UInt8.self, to: &content)
  }

  /// Compares the types before the cast: the comparison takes about a nanosecond.
  @inline(__always)
  private func append<Tagged: BasicValue>(as type: Tagged.Type, to content: inout BasicValueEncoder) -> Bool {
    guard Self.self == type, let value = self as? Tagged else { return false }
    value.encode(to: &content)
    return true
  }
}

/// The index of an element, or the key of a superclass.
struct CodableKey: CodingKey {
  static let `super` = CodableKey(stringValue: "super")

  private let text: String?
  let intValue: Int?

  var stringValue: String { text ?? intValue.map { "\($0)" } ?? "" }

  init(stringValue: String) {
    text = stringValue
    intValue = nil
  }

  init(intValue: Int) { self.init(index: intValue) }

  init(index: Int) {
    text = nil
    intValue = index
  }
}
