/// A map with integer keys. A copy shares all nodes; a change of a copy duplicates the few small nodes on one path.
///
/// Goal: many immutable versions of one large map that share the nodes they have in common. The map is a tree whose
/// nodes have 32 slots each; the digits of a key in base 32 are the path to its value.
/// Non-goal: freeing the nodes of removed keys before the whole map is freed.
struct RadixMap<Value: Sendable>: Sendable {
  // A node is changed only while a single map refers to it, which is checked before each change.
  private final class Node: @unchecked Sendable {
    /// The children of an inner node; empty in a leaf.
    var children: ContiguousArray<Node?>
    /// The values of a leaf; empty in an inner node.
    var values: ContiguousArray<Value>

    init(children: ContiguousArray<Node?>, values: ContiguousArray<Value>) {
      self.children = children
      self.values = values
    }

    func copy() -> Node { Node(children: children, values: values) }
  }

  private static var bits: Int { 5 }
  private static var width: Int { 1 << bits }

  /// The value of a key that was never set.
  private let absent: Value
  private var root: Node?
  /// The number of nodes on the path from the root to a value.
  private var levels = 1

  init(absent: Value) {
    self.absent = absent
  }

  subscript(key: UInt64) -> Value {
    // Yields the value without a copy, because most callers read only a part of it.
    _read {
      if let leaf = leaf(key) { yield leaf.values[Self.digit(key, 0)] } else { yield absent }
    }
    _modify {
      let leaf = ownLeaf(key)
      yield &leaf.values[Self.digit(key, 0)]
    }
  }

  /// Calls `body` with the values in ascending order of their keys. Keys that are not set are included if they share a
  /// leaf with a key that was set.
  func forEach(_ body: (Value) throws -> Void) rethrows {
    if let root { try Self.forEach(root, body) }
  }

  private static func forEach(_ node: Node, _ body: (Value) throws -> Void) rethrows {
    for value in node.values { try body(value) }
    for case let child? in node.children { try forEach(child, body) }
  }

  private func leaf(_ key: UInt64) -> Node? {
    guard fits(key), var node = root else { return nil }
    for level in stride(from: levels - 1, to: 0, by: -1) {
      guard let child = node.children[Self.digit(key, level)] else { return nil }
      node = child
    }
    return node
  }

  /// Returns the leaf of a key. Makes the leaf and each node on the path to it exclusive to this map first.
  private mutating func ownLeaf(_ key: UInt64) -> Node {
    if root == nil { root = makeNode(level: levels - 1) }
    while !fits(key) {
      let above = makeNode(level: levels)
      above.children[0] = root
      root = above
      levels += 1
    }
    if !isKnownUniquelyReferenced(&root) { root = root?.copy() }
    guard var node = root else { preconditionFailure("a map without a root was written to") }
    for level in stride(from: levels - 1, to: 0, by: -1) {
      let digit = Self.digit(key, level)
      if node.children[digit] == nil {
        node.children[digit] = makeNode(level: level - 1)
      } else if !isKnownUniquelyReferenced(&node.children[digit]) {
        node.children[digit] = node.children[digit]?.copy()
      }
      guard let child = node.children[digit] else { preconditionFailure("a node that was created is missing") }
      node = child
    }
    return node
  }

  private func makeNode(level: Int) -> Node {
    level == 0
      ? Node(children: [], values: ContiguousArray(repeating: absent, count: Self.width))
      : Node(children: ContiguousArray(repeating: nil, count: Self.width), values: [])
  }

  private func fits(_ key: UInt64) -> Bool {
    let bits = levels * Self.bits
    return bits >= UInt64.bitWidth || key >> UInt64(bits) == 0
  }

  private static func digit(_ key: UInt64, _ level: Int) -> Int {
    Int(truncatingIfNeeded: key >> UInt64(level * bits)) & (width - 1)
  }
}

/// A copy-on-write value. Copies share one allocation until one of them is changed.
struct Boxed<Value: Sendable>: Sendable {
  // Changed only while a single box refers to it, which is checked before each change.
  private final class Storage: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  init(_ value: Value) { storage = Storage(value) }

  var value: Value {
    _read { yield storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }
}
