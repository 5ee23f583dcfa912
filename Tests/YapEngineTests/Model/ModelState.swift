@testable import YapEngine

/// The small keyspace of the model: 4 collections of 12 keys, each row a slot from 0 to 47.
///
/// Among them are names that Swift takes for equal and the database does not, one with a NUL byte, and the empty one.
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

  /// The bytes that stand for a value; now and then none at all.
  static func bytes(of value: UInt32) -> [UInt8] {
    if value % 13 == 0 { return [] }
    let unit = withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
    return value % 3 == 0 ? unit + unit + unit : unit
  }

  /// What is stored for a value: in the second collection an instance that can be copied, in the third one that
  /// cannot, else the bytes.
  static func object(of value: UInt32, in slot: Int) -> Any {
    switch collection(of: slot) {
    case 1: CopyableInstance(bytes(of: value))
    case 2: Instance(bytes(of: value))
    default: bytes(of: value)
    }
  }

  /// The bytes of what was read or is cached.
  static func bytes(in found: Any?) throws -> [UInt8]? {
    guard let found else { return nil }
    if let instance = found as? Instance { return instance.content }
    guard let bytes = found as? [UInt8] else { throw Discrepancy("found \(type(of: found)) in place of bytes") }
    return bytes
  }
}

/// What is stored, as the model sees it. A value: keeping one keeps a snapshot.
struct ModelState: Equatable {
  struct Row: Equatable {
    var object: UInt32
    var metadata: UInt32?
  }

  private(set) var rows = [Row?](repeating: nil, count: Keyspace.slotCount)

  subscript(slot: Int) -> Row? {
    get { rows[slot] }
    set { rows[slot] = newValue }
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

/// What one commit changed, in the words of the rules: sets of slots as bits.
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

  // MARK: Questions

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

  /// The keys of a collection that were changed one by one.
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
