import Foundation

@testable import YapEngine

/// The small keyspace of the model: 4 collections of 12 keys, each row a slot from 0 to 47.
///
/// Among the names are two that are equal in Swift but not in the database, one with a NUL byte, and the empty one.
enum Keyspace {
  static let collections = ["", "texts", "\u{e9}", "e\u{301}"]
  static let keys = [
    "", "a", "b", "\u{e9}", "e\u{301}", "nul\u{0}a", "nul\u{0}b", "nul", "long key of more than fifteen bytes",
    "long key of more than fifteen bytez", "A", "z",
  ]
  static let slotCount = collections.count * keys.count

  static func collection(of slot: Int) -> Int { slot / keys.count }
  static func key(of slot: Int) -> Int { slot % keys.count }
  static func slot(_ collection: Int, _ key: Int) -> Int { collection * keys.count + key }
  static func collectionName(of slot: Int) -> String { collections[collection(of: slot)] }
  static func keyName(of slot: Int) -> String { keys[key(of: slot)] }

  /// The slots of one collection, as bits.
  static func mask(ofCollection collection: Int) -> UInt64 {
    ((1 << UInt64(keys.count)) - 1) << UInt64(collection * keys.count)
  }

  /// The position of a name, by its bytes.
  static func index(of name: String, in names: [String]) -> Int? {
    names.firstIndex { ByteString($0) == ByteString(name) }
  }

  /// The bytes of a value, which are empty for some values.
  static func bytes(of value: UInt32) -> [UInt8] {
    if value % 13 == 0 { return [] }
    let unit = withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
    return value % 3 == 0 ? unit + unit + unit : unit
  }

  /// The object that a writer passes for a value. Two collections hold instances of classes. In the others some values
  /// have another type than the codec returns, so that their normalization is part of every check.
  static func object(of value: UInt32, in slot: Int) -> Any {
    let bytes = bytes(of: value)
    switch collection(of: slot) {
    case 0: return value % 2 == 0 ? Data(bytes) : bytes
    case 1: return CopyableInstance(bytes)
    case 2: return Instance(bytes)
    default:
      switch value % 4 {
      case 0: return NSMutableString(string: hexadecimal(bytes))
      case 1: return NSArray(array: bytes.map { NSNumber(value: $0) })
      case 2: return bytes.map { Int($0) }
      default: return bytes
      }
    }
  }

  /// The metadata that a writer passes for a value.
  static func metadata(of value: UInt32, in slot: Int) -> Any {
    if collection(of: slot) != 3 { return object(of: value, in: slot) }
    let text = hexadecimal(bytes(of: value))
    return value % 2 == 0 ? NSString(string: text) : text
  }

  /// The codecs that return these values.
  static func setCodecs(in options: inout YapDatabaseOptions) {
    let instances = [
      collections[1]: Instance.codec(CopyableInstance.self),
      collections[2]: Instance.codec(Instance.self),
    ]
    options.objectCodecs = instances
    options.metadataCodecs = instances
    options.objectCodecs[collections[0]] = .bytes
    options.metadataCodecs[collections[0]] = .bytes
    // Set as the default, because the third and the fourth name would be the same key of a dictionary.
    options.defaultMetadataCodec = .codable(String.self)
  }

  /// The bytes of a read or cached value. A value of a type that no codec returns is a discrepancy.
  static func bytes(in found: Any?) throws -> [UInt8]? {
    guard let found else { return nil }
    if let instance = found as? Instance { return instance.content }
    let kind: Any.Type = type(of: found)
    if kind == [UInt8].self { return found as? [UInt8] }
    if kind == String.self, let text = found as? String { return try bytes(hexadecimal: text) }
    if kind == [Any].self, let elements = found as? [Any], elements.allSatisfy({ type(of: $0) == Int.self }) {
      return elements.compactMap { ($0 as? Int).flatMap { UInt8(exactly: $0) } }
    }
    throw Discrepancy("found \(kind), which no codec returns")
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(hexadecimal text: String) throws -> [UInt8] {
    let digits = Array(text.utf8)
    return try stride(from: 0, to: digits.count - 1, by: 2).map { index in
      guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
        throw Discrepancy("found the text \(text)")
      }
      return byte
    }
  }
}

/// The stored rows in the model. It is a value type, so a copy is a snapshot.
struct ModelState: Equatable {
  struct Row: Equatable {
    var object: UInt32
    var metadata: UInt32?
  }

  private(set) var rows = [Row?](repeating: nil, count: Keyspace.slotCount)
  /// Whether the file has names of collections, which stay when a collection loses its last row.
  private(set) var hasNames = false

  subscript(slot: Int) -> Row? {
    get { rows[slot] }
    set {
      rows[slot] = newValue
      if newValue != nil { hasNames = true }
    }
  }

  func slots(inCollection collection: Int) -> [Int] {
    (0..<Keyspace.keys.count).map { Keyspace.slot(collection, $0) }.filter { rows[$0] != nil }
  }

  func keys(inCollection collection: Int) -> Set<ByteString> {
    Set(slots(inCollection: collection).map { ByteString(Keyspace.keyName(of: $0)) })
  }

  var count: Int { rows.count { $0 != nil } }

  mutating func removeAll(inCollection collection: Int) {
    for slot in slots(inCollection: collection) { rows[slot] = nil }
  }

  mutating func removeAll() { self = ModelState() }
}

/// The changes of one commit in the terms of the rules, as sets of slots.
struct ModelChanges: Equatable {
  var objects: UInt64 = 0
  var metadata: UInt64 = 0
  var removed: UInt64 = 0
  var clearedCollections: UInt64 = 0
  var isEverythingCleared = false
  var customObject: Int?

  var isEmpty: Bool { self == ModelChanges() }

  mutating func remove(_ slot: Int) {
    objects &= ~(1 << UInt64(slot))
    metadata &= ~(1 << UInt64(slot))
    removed |= 1 << UInt64(slot)
  }

  mutating func clear(_ collection: Int) {
    let others = ~Keyspace.mask(ofCollection: collection)
    objects &= others
    metadata &= others
    removed &= others
    clearedCollections |= 1 << UInt64(collection)
  }

  mutating func clearEverything() {
    self = ModelChanges(isEverythingCleared: true, customObject: customObject)
  }

  // MARK: Queries

  func changes(in collection: Int, objects asksObjects: Bool, metadata asksMetadata: Bool) -> Bool {
    slots(asksObjects, asksMetadata) & Keyspace.mask(ofCollection: collection) != 0 || clears(collection)
  }

  func changes(anyOf keys: [Int], in collection: Int, objects asksObjects: Bool, metadata asksMetadata: Bool) -> Bool {
    guard !keys.isEmpty else { return false }
    let asked = keys.reduce(UInt64(0)) { $0 | 1 << UInt64(Keyspace.slot(collection, $1)) }
    return slots(asksObjects, asksMetadata) & asked != 0 || clears(collection)
  }

  func clears(_ collection: Int) -> Bool {
    isEverythingCleared || clearedCollections & 1 << UInt64(collection) != 0
  }

  /// The keys of a collection that were changed individually.
  func changedKeys(in collection: Int) -> Set<ByteString> {
    let slots = slots(true, true)
    return Set(
      (0..<Keyspace.keys.count).filter { slots & 1 << UInt64(Keyspace.slot(collection, $0)) != 0 }
        .map { ByteString(Keyspace.keys[$0]) }
    )
  }

  private func slots(_ asksObjects: Bool, _ asksMetadata: Bool) -> UInt64 {
    removed | (asksObjects ? objects : 0) | (asksMetadata ? metadata : 0)
  }
}

/// One commit of the model.
struct ModelCommit {
  let origin: UInt64
  let changes: ModelChanges
}
