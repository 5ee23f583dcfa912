import HarnessPrimitives

@testable import YapEngine

/// Reads that are compared with the model. Each throws a discrepancy if the engine's result differs.
struct ModelReads {
  let transaction: YapDatabaseReadTransaction
  let state: ModelState
  var answers = Answers()

  /// Performs one random read.
  func check(_ random: inout RandomStream) throws {
    let slot = random.below(Keyspace.slotCount)
    let collection = Keyspace.collection(of: slot)
    switch random.below(20) {
    case 0...5: try checkObject(slot)
    case 6...8: try checkMetadata(slot)
    case 9...10: try checkRow(slot)
    case 11: try checkExistence(slot)
    case 12: try checkCounts(collection)
    case 13: try checkNames(Keyspace.key(of: slot))
    case 14: try checkKeys(collection, &random)
    case 15: try checkObjects(collection, &random)
    case 16: try checkAllMetadata(collection)
    case 17: try checkRows(collection, &random)
    case 18: try checkMultipleObjects(collection, &random)
    default: try checkMultipleMetadata(collection, &random)
    }
  }

  /// Reads every row and every collection.
  func checkEverything() throws {
    for slot in 0..<Keyspace.slotCount {
      try checkRow(slot)
      try checkObject(slot)
      try checkMetadata(slot)
      try checkExistence(slot)
    }
    for collection in Keyspace.collections.indices { try checkCounts(collection) }
  }

  func checkObject(_ slot: Int) throws {
    let found = answers.object(try bytes(transaction.object(forKey: key(slot), inCollection: name(slot))))
    try Discrepancy.check(found, state[slot].map { Keyspace.bytes(of: $0.object) }, "object of \(slot)")
  }

  func checkMetadata(_ slot: Int) throws {
    let found = try transaction.metadata(forKey: key(slot), inCollection: name(slot))
    try Discrepancy.check(try bytes(found), expectedMetadata(slot), "metadata of \(slot)")
  }

  func checkRow(_ slot: Int) throws {
    let found = try transaction.row(forKey: key(slot), inCollection: name(slot))
    try Discrepancy.check(found != nil, state[slot] != nil, "row of \(slot)")
    guard let found else { return }
    let expected = state[slot].map { Keyspace.bytes(of: $0.object) }
    try Discrepancy.check(try bytes(found.object), expected, "object in the row of \(slot)")
    try Discrepancy.check(try bytes(found.metadata), expectedMetadata(slot), "metadata in the row of \(slot)")
  }

  func checkExistence(_ slot: Int) throws {
    let found = try transaction.hasObject(forKey: key(slot), inCollection: name(slot))
    try Discrepancy.check(found, state[slot] != nil, "existence of \(slot)")
  }

  private func checkCounts(_ collection: Int) throws {
    let found = answers.count(try transaction.numberOfKeys(inCollection: Keyspace.collections[collection]))
    try Discrepancy.check(found, state.slots(inCollection: collection).count, "keys in collection \(collection)")
    try Discrepancy.check(try transaction.numberOfKeysInAllCollections(), state.count, "keys in all collections")
  }

  private func checkNames(_ key: Int) throws {
    let used = Keyspace.collections.indices.filter { !state.slots(inCollection: $0).isEmpty }
    let found = Set(try transaction.allCollections().map { ByteString($0) })
    try Discrepancy.check(found, Set(used.map { ByteString(Keyspace.collections[$0]) }), "collections")
    try Discrepancy.check(try transaction.numberOfCollections(), used.count, "number of collections")
    let withKey = Set(try transaction.collections(withKey: Keyspace.keys[key]).map { ByteString($0) })
    let expected = used.filter { state[Keyspace.slot($0, key)] != nil }.map { ByteString(Keyspace.collections[$0]) }
    try Discrepancy.check(withKey, Set(expected), "collections with key \(key)")
  }

  private func checkKeys(_ collection: Int, _ random: inout RandomStream) throws {
    let found = try transaction.allKeys(inCollection: Keyspace.collections[collection])
    let expected = state.keys(inCollection: collection)
    try Discrepancy.check(found.count, expected.count, "number of keys listed in collection \(collection)")
    try Discrepancy.check(Set(found.map { ByteString($0) }), expected, "keys of collection \(collection)")
    // An enumeration that ends early, inside another one of the same kind.
    let limit = random.below(4)
    var seen = 0
    try transaction.enumerateKeys(inCollection: Keyspace.collections[collection]) { _, stop in
      seen += 1
      stop = seen > limit
      try transaction.enumerateKeys(inCollection: Keyspace.collections[0]) { _, stop in stop = true }
    }
    try Discrepancy.check(seen, min(expected.count, limit + 1), "keys visited before the stop")
  }

  private func checkObjects(_ collection: Int, _ random: inout RandomStream) throws {
    let hidden = ByteString(Keyspace.keys[random.below(Keyspace.keys.count)])
    var found: [ByteString: [UInt8]?] = [:]
    try transaction.enumerateKeysAndObjects(
      inCollection: Keyspace.collections[collection],
      filter: { ByteString($0) != hidden },
      using: { key, object, _ in found[ByteString(key)] = try bytes(object) }
    )
    var expected: [ByteString: [UInt8]?] = [:]
    for slot in state.slots(inCollection: collection) where ByteString(key(slot)) != hidden {
      expected[ByteString(key(slot))] = state[slot].map { Keyspace.bytes(of: $0.object) }
    }
    try Discrepancy.check(found, expected, "objects of collection \(collection)")
  }

  private func checkAllMetadata(_ collection: Int) throws {
    var found: [ByteString: [UInt8]?] = [:]
    try transaction.enumerateKeysAndMetadata(inCollection: Keyspace.collections[collection]) { key, metadata, _ in
      found.updateValue(try bytes(metadata), forKey: ByteString(key))
    }
    var expected: [ByteString: [UInt8]?] = [:]
    for slot in state.slots(inCollection: collection) {
      expected.updateValue(expectedMetadata(slot), forKey: ByteString(key(slot)))
    }
    try Discrepancy.check(found, expected, "metadata of collection \(collection)")
  }

  private func checkRows(_ collection: Int, _ random: inout RandomStream) throws {
    let other = random.below(Keyspace.collections.count)
    var count = 0
    try transaction.enumerateRows(inCollection: Keyspace.collections[collection]) { key, object, metadata, _ in
      count += 1
      guard let index = Keyspace.index(of: key, in: Keyspace.keys) else { throw Discrepancy("unknown key \(key)") }
      let slot = Keyspace.slot(collection, index)
      let expected = state[slot].map { Keyspace.bytes(of: $0.object) }
      try Discrepancy.check(try bytes(object), expected, "object of the enumerated row \(slot)")
      try Discrepancy.check(try bytes(metadata), expectedMetadata(slot), "metadata of the enumerated row \(slot)")
      try checkObject(Keyspace.slot(other, index))
    }
    try Discrepancy.check(count, state.slots(inCollection: collection).count, "rows of collection \(collection)")
  }

  private func checkMultipleObjects(_ collection: Int, _ random: inout RandomStream) throws {
    let slots = (0..<random.below(6)).map { _ in Keyspace.slot(collection, random.below(Keyspace.keys.count)) }
    var visited = 0
    try transaction.enumerateObjects(
      forKeys: slots.map(key),
      inCollection: Keyspace.collections[collection]
    ) { index, object, _ in
      try Discrepancy.check(index, visited, "index in a multi-get")
      let expected = state[slots[index]].map { Keyspace.bytes(of: $0.object) }
      try Discrepancy.check(try bytes(object), expected, "object \(slots[index]) in a multi-get")
      visited += 1
    }
    try Discrepancy.check(visited, slots.count, "objects in a multi-get")
  }

  private func checkMultipleMetadata(_ collection: Int, _ random: inout RandomStream) throws {
    let slots = (0..<random.below(6)).map { _ in Keyspace.slot(collection, random.below(Keyspace.keys.count)) }
    var visited = 0
    try transaction.enumerateMetadata(
      forKeys: slots.map(key),
      inCollection: Keyspace.collections[collection]
    ) { index, metadata, stop in
      try Discrepancy.check(try bytes(metadata), expectedMetadata(slots[index]), "metadata in a multi-get")
      visited += 1
      stop = visited == 3
    }
    try Discrepancy.check(visited, min(slots.count, 3), "metadata in a multi-get")
  }

  private func key(_ slot: Int) -> String { Keyspace.keyName(of: slot) }
  private func name(_ slot: Int) -> String { Keyspace.collectionName(of: slot) }

  private func expectedMetadata(_ slot: Int) -> [UInt8]? {
    state[slot]?.metadata.map { Keyspace.bytes(of: $0) }
  }

  private func bytes(_ found: Any?) throws -> [UInt8]? { try Keyspace.bytes(in: found) }
}
