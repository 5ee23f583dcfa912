import HarnessPrimitives
import TestSupport

@testable import YapEngine

/// Random changes that are made in a transaction and in the model.
struct ModelWrites {
  let transaction: YapDatabaseReadWriteTransaction
  /// The state that the transaction must see.
  var state: ModelState
  /// The changes that its commit must report.
  var changes = ModelChanges()
  /// Whether names of collections were removed, which makes a commit even without a change of rows.
  private var removesNames = false
  /// The last value that was used. Each value is stored once, so that a stale one is always detected.
  var lastValue: UInt32

  /// Whether the transaction makes a commit.
  var isCommit: Bool { removesNames || !changes.isEmpty }

  init(transaction: YapDatabaseReadWriteTransaction, state: ModelState, lastValue: UInt32) {
    self.transaction = transaction
    self.state = state
    self.lastValue = lastValue
  }

  mutating func make(_ random: inout RandomStream) throws {
    let slot = random.below(Keyspace.slotCount)
    switch random.below(24) {
    case 0...6: try set(slot, withMetadata: random.chance(oneIn: 2))
    case 7...9: try replaceObject(slot, with: random.chance(oneIn: 12) ? nil : newValue())
    case 10...11: try replaceMetadata(slot, with: random.chance(oneIn: 4) ? nil : newValue())
    case 12: try touch(slot, objects: true, metadata: false)
    case 13: try touch(slot, objects: false, metadata: true)
    case 14: try touch(slot, objects: true, metadata: true)
    case 15...18: try remove(slot)
    case 19: try removeSeveral(Keyspace.collection(of: slot), &random)
    case 20: try removeAll(inCollection: Keyspace.collection(of: slot))
    case 21: try random.chance(oneIn: 4) ? removeAll() : set(slot, withMetadata: false)
    case 22: try setCustomObject(Int(newValue()))
    default: try remove(slot, bySettingNothing: true)
    }
  }

  private mutating func newValue() -> UInt32 {
    lastValue += 1
    return lastValue
  }

  mutating func set(_ slot: Int, withMetadata hasMetadata: Bool) throws {
    let row = ModelState.Row(object: newValue(), metadata: hasMetadata ? newValue() : nil)
    try transaction.setObject(
      Keyspace.object(of: row.object, in: slot),
      forKey: key(slot),
      inCollection: name(slot),
      withMetadata: row.metadata.map { Keyspace.metadata(of: $0, in: slot) }
    )
    state[slot] = row
    changes.objects |= bit(slot)
    changes.metadata |= bit(slot)
  }

  mutating func replaceObject(_ slot: Int, with value: UInt32?) throws {
    try transaction.replaceObject(
      value.map { Keyspace.object(of: $0, in: slot) },
      forKey: key(slot),
      inCollection: name(slot)
    )
    guard state[slot] != nil else { return }
    guard let value else { return noteRemoval(slot) }
    state[slot]?.object = value
    changes.objects |= bit(slot)
  }

  mutating func replaceMetadata(_ slot: Int, with value: UInt32?) throws {
    try transaction.replaceMetadata(
      value.map { Keyspace.metadata(of: $0, in: slot) },
      forKey: key(slot),
      inCollection: name(slot)
    )
    guard state[slot] != nil else { return }
    state[slot]?.metadata = value
    changes.metadata |= bit(slot)
  }

  mutating func touch(_ slot: Int, objects: Bool, metadata: Bool) throws {
    switch (objects, metadata) {
    case (true, true): try transaction.touchRow(forKey: key(slot), inCollection: name(slot))
    case (true, false): try transaction.touchObject(forKey: key(slot), inCollection: name(slot))
    default: try transaction.touchMetadata(forKey: key(slot), inCollection: name(slot))
    }
    guard state[slot] != nil else { return }
    if objects { changes.objects |= bit(slot) }
    if metadata { changes.metadata |= bit(slot) }
  }

  mutating func remove(_ slot: Int, bySettingNothing isSet: Bool = false) throws {
    if isSet {
      try transaction.setObject(nil, forKey: key(slot), inCollection: name(slot))
    } else {
      try transaction.removeObject(forKey: key(slot), inCollection: name(slot))
    }
    if state[slot] != nil { noteRemoval(slot) }
  }

  mutating func removeSeveral(_ collection: Int, _ random: inout RandomStream) throws {
    let slots = (0..<random.below(5)).map { _ in Keyspace.slot(collection, random.below(Keyspace.keys.count)) }
    try transaction.removeObjects(forKeys: slots.map(key), inCollection: Keyspace.collections[collection])
    for slot in slots where state[slot] != nil { noteRemoval(slot) }
  }

  mutating func removeAll(inCollection collection: Int) throws {
    try transaction.removeAllObjects(inCollection: Keyspace.collections[collection])
    guard !state.slots(inCollection: collection).isEmpty else { return }
    state.removeAll(inCollection: collection)
    changes.clear(collection)
  }

  mutating func removeAll() throws {
    try transaction.removeAllObjectsInAllCollections()
    if state.hasNames { removesNames = true }
    if state.count > 0 { changes.clearEverything() }
    state.removeAll()
  }

  mutating func setCustomObject(_ object: Int) throws {
    try transaction.setCustomObject(object)
    changes.customObject = object
  }

  private mutating func noteRemoval(_ slot: Int) {
    state[slot] = nil
    changes.remove(slot)
  }

  private func bit(_ slot: Int) -> UInt64 { 1 << UInt64(slot) }
  private func key(_ slot: Int) -> String { Keyspace.keyName(of: slot) }
  private func name(_ slot: Int) -> String { Keyspace.collectionName(of: slot) }
}
