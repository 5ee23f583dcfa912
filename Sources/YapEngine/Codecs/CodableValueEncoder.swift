internal import Foundation
internal import ThreadingPrimitives

/// Encodes a `Codable` value in the layout of `BasicFormat`. A keyed container becomes a dictionary, an unkeyed one an
/// array. Values of the types that have a tag keep their type.
///
/// A nested value has an encoder of its own, whose bytes are then appended to the outer value's. A container that a
/// type requests explicitly can be changed until the whole value is encoded, so it is appended at the end.
///
/// `CodableDepth` limits the nesting. A type cannot be refused a container, so a container that is too deep is recorded
/// in `Whole` and discards its contents; encoding then ends with an error.
final class CodableValueEncoder: Encoder {
  /// The state that all encoders of one value share.
  private final class Whole {
    let userInfo: [CodingUserInfoKey: Any]
    let maximumDepth: Int
    /// The number of containers on the deepest path so far.
    var deepest = 0
    /// The number of values on the deepest path so far, for each of which the type's own function is called.
    var deepestCall = 0
    /// The error of the first container that was too deep.
    var failure: NestedTooDeep?

    init(_ userInfo: [CodingUserInfoKey: Any], maximumDepth: Int) {
      self.userInfo = userInfo
      self.maximumDepth = maximumDepth
    }
  }

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

  private let whole: Whole
  private let outer: CodableValueEncoder?
  private let key: (any CodingKey)?
  /// The number of containers around the value.
  private let depth: Int
  /// The number of calls of types' own functions around the value.
  private let callsOutside: Int
  /// The number of values that the value was encoded as, one inside the other, by single-value containers.
  private var wrappers = 0
  // The checks of exclusive access would take a tenth of the time. No access to a property overlaps another access to
  // the same property of the same encoder.
  @exclusivity(unchecked) private var kind: Kind?
  @exclusivity(unchecked) private var content = BasicValueEncoder(header: [])
  @exclusivity(unchecked) private var entries: [Entry] = []
  /// The number of elements of an unkeyed container.
  @exclusivity(unchecked) private(set) var count = 0
  /// The requested containers inside an unkeyed container, and their positions in `content`.
  private var requestedElements: [(position: Int, encoder: CodableValueEncoder)] = []

  /// - Throws: `NestedTooDeep`, or an error of the type.
  static func bytes(of value: some Encodable, userInfo: [CodingUserInfoKey: Any] = [:]) throws -> [UInt8] {
    try encode(value, userInfo: userInfo, maximumDepth: CodableDepth.maximum).bytes
  }

  /// Encodes a value, and drops the bytes.
  /// - Returns: The number of containers on the deepest path, or of values if that is larger.
  /// - Throws: `NestedTooDeep`, or an error of the type.
  static func depth(
    of value: some Encodable,
    userInfo: [CodingUserInfoKey: Any],
    maximumDepth: Int
  ) throws -> Int {
    try encode(value, userInfo: userInfo, maximumDepth: maximumDepth).depth
  }

  private static func encode(
    _ value: some Encodable,
    userInfo: [CodingUserInfoKey: Any],
    maximumDepth: Int
  ) throws -> (bytes: [UInt8], depth: Int) {
    let whole = Whole(userInfo, maximumDepth: maximumDepth)
    let encoder = CodableValueEncoder(of: whole, inside: nil, key: nil)
    try encoder.encodeWhole(value)
    var result = BasicValueEncoder()
    try encoder.append(to: &result)
    if let failure = whole.failure { throw failure }
    return (result.bytes, max(whole.deepest, whole.deepestCall))
  }

  private init(of whole: Whole, inside outer: CodableValueEncoder?, key: (any CodingKey)?) {
    self.whole = whole
    self.outer = outer
    self.key = key
    depth = outer.map { $0.depth + 1 } ?? 0
    callsOutside = outer.map { $0.callsOutside + $0.wrappers } ?? 0
  }

  var userInfo: [CodingUserInfoKey: Any] { whole.userInfo }

  var codingPath: [any CodingKey] {
    sequence(first: self, next: \.outer).compactMap(\.key).reversed()
  }

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
    if isTooDeep { return }
    precondition(kind == nil || kind == wanted && wanted != .single, "a type encodes itself twice at \(codingPath)")
    kind = wanted
    guard wanted != .single else { return }
    whole.deepest = max(whole.deepest, depth + 1)
    if isTooDeep, whole.failure == nil { whole.failure = NestedTooDeep(path: codingPath, maximum: whole.maximumDepth) }
  }

  /// Whether the value is a container inside as many others as are allowed.
  private var isTooDeep: Bool { depth >= whole.maximumDepth && kind != nil && kind != .single }

  // MARK: Values

  func encodeWhole(_ value: some Encodable) throws {
    // A value without a tag of its own sets the kind itself.
    if value.appendTagged(to: &content) { return setKind(.single) }
    wrappers += 1
    whole.deepestCall = max(whole.deepestCall, callsOutside + wrappers)
    guard wrappers <= CodableDepth.maximum else { throw NestedTooDeep(path: codingPath, maximum: CodableDepth.maximum) }
    do { try encodeSelf(of: value) } catch {
      // A type that catches the error may encode itself in another way.
      if !isTooDeep { removeContent() }
      wrappers -= 1
      throw error
    }
  }

  private func removeContent() {
    kind = nil
    content = BasicValueEncoder(header: [])
    entries = []
    count = 0
    requestedElements = []
  }

  /// Calls the value's own function, on another thread if little of the calling thread's stack is left.
  @inline(__always)
  private func encodeSelf(of value: some Encodable) throws {
    if CodableDepth.isStackLow { try LargeStack.run { try value.encode(to: self) } } else { try value.encode(to: self) }
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
    try append(element, key: CodableKey(intValue: count))
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
    if isTooDeep { return self }
    let encoder = CodableValueEncoder(of: whole, inside: self, key: key)
    addEntry(key, requested: encoder) {}
    return encoder
  }

  /// Returns the encoder of the container that a type requested as the next element.
  func requestElement() -> CodableValueEncoder {
    if isTooDeep { return self }
    let encoder = CodableValueEncoder(of: whole, inside: self, key: CodableKey(intValue: count))
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
    if isTooDeep, let failure = whole.failure { throw failure }
    let encoder = CodableValueEncoder(of: whole, inside: self, key: key())
    try encoder.encodeSelf(of: value)
    try encoder.append(to: &content)
  }

  // MARK: The result

  private func append(to result: inout BasicValueEncoder) throws {
    // A type without stored properties encodes nothing.
    if kind == nil { setKind(.keyed) }
    guard !requestedElements.isEmpty || !entries.isEmpty, CodableDepth.isStackLow else {
      return try appendContent(to: &result)
    }
    try LargeStack.run { try appendContent(to: &result) }
  }

  private func appendContent(to result: inout BasicValueEncoder) throws {
    try content.bytes.withUnsafeBytes { bytes in
      switch kind {
      case .unkeyed: try appendElements(bytes, to: &result)
      case .keyed: try appendEntries(bytes, to: &result)
      case .single, nil: result.appendWithoutLength(bytes)
      }
    }
  }

  private func appendElements(_ bytes: UnsafeRawBufferPointer, to result: inout BasicValueEncoder) throws {
    result.append(.array, count: count)
    var start = 0
    for (position, encoder) in requestedElements {
      result.appendWithoutLength(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
      try encoder.append(to: &result)
      start = position
    }
    result.appendWithoutLength(UnsafeRawBufferPointer(rebasing: bytes[start...]))
  }

  /// Appends the entries in ascending order of the keys' bytes. Of entries with equal keys, the last one is kept.
  private func appendEntries(_ bytes: UnsafeRawBufferPointer, to result: inout BasicValueEncoder) throws {
    func order(_ left: Entry, _ right: Entry) -> Int {
      let key = UnsafeRawBufferPointer(rebasing: bytes[left.key])
      return key.compareBytes(to: UnsafeRawBufferPointer(rebasing: bytes[right.key]))
    }
    entries.sort {
      let order = order($0, $1)
      return order < 0 || order == 0 && $0.range.lowerBound < $1.range.lowerBound
    }
    let kept = entries.indices.filter { $0 + 1 == entries.count || order(entries[$0], entries[$0 + 1]) != 0 }
    result.append(.dictionary, count: kept.count)
    for index in kept {
      result.appendWithoutLength(UnsafeRawBufferPointer(rebasing: bytes[entries[index].range]))
      try entries[index].requested?.append(to: &result)
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

  init(intValue: Int) {
    text = nil
    self.intValue = intValue
  }
}
