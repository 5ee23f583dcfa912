/// A map from integers, of which a copy costs nothing and a change of a copy a few small nodes.
///
/// Goal: many versions of one large map, each a value that nobody changes any more, which share what they have in
/// common. A tree of nodes of 32 places each; the digits of a key, to the base of 32, are the way to its place.
/// Non-goal: order, and giving back the nodes of removed keys before the whole map goes.
struct RadixMap<Value: Sendable>: Sendable {
  // A node is changed only by the one value that refers to it, which is what is asked before each change.
  private final class Node: @unchecked Sendable {
    /// Of an inner node.
    var children: ContiguousArray<Node?>
    /// Of a leaf.
    var values: ContiguousArray<Value>

    init(children: ContiguousArray<Node?>, values: ContiguousArray<Value>) {
      self.children = children
      self.values = values
    }

    func copy() -> Node { Node(children: children, values: values) }
  }

  private static var bits: Int { 5 }
  private static var width: Int { 1 << bits }

  /// What is found where nothing was put.
  private let absent: Value
  private var root: Node?
  /// Nodes on the way from the root to a value.
  private var levels = 1

  init(absent: Value) {
    self.absent = absent
  }

  subscript(key: UInt64) -> Value {
    // Lent and not copied: most look at a part of a value only.
    _read {
      if let leaf = leaf(key) { yield leaf.values[Self.digit(key, 0)] } else { yield absent }
    }
    _modify {
      let leaf = ownLeaf(key)
      yield &leaf.values[Self.digit(key, 0)]
    }
  }

  /// Calls `body` with every value, those that are absent included where they have a place, by ascending keys.
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

  /// The leaf of a key, and with it each node on the way, made this value's own.
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
      guard let child = node.children[digit] else { preconditionFailure("a node was made and is not there") }
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

/// A value that is copied by copying a reference, until one of the copies is changed.
struct Boxed<Value: Sendable>: Sendable {
  // Changed only by the one box that refers to it, which is what is asked before each change.
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
