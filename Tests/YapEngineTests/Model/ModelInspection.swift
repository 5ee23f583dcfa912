import HarnessPrimitives

@testable import YapEngine

/// Compares the modifications that a jump returned with the model's record of those commits.
struct ModelInspection {
  let connection: YapDatabaseConnection
  let modifications: [YapDatabaseModification]
  /// The model's record of the same commits in the same order. A folded modification contains several commits.
  let commits: [[ModelChanges]]

  private var expected: [ModelChanges] { commits.flatMap { $0 } }

  /// Checks random queries about the whole list and about a part of it.
  func check(_ random: inout RandomStream) throws(Discrepancy) {
    for (modification, changes) in zip(modifications, commits) {
      let found = modification.customObject as? Int
      let last = changes.compactMap(\.customObject).last
      try Discrepancy.check(found, last, "custom object of commit \(modification.snapshots)")
    }
    try ask(about: random.below(Keyspace.slotCount), &random)
    guard modifications.count > 1 else { return }
    let part = random.below(modifications.count)
    let suffix = ModelInspection(
      connection: connection,
      modifications: Array(modifications[part...]),
      commits: Array(commits[part...])
    )
    try suffix.ask(about: random.below(Keyspace.slotCount), &random)
  }

  private func ask(about slot: Int, _ random: inout RandomStream) throws(Discrepancy) {
    let keys = (0..<random.below(4)).map { _ in random.below(Keyspace.keys.count) }
    try checkCollection(Keyspace.collection(of: slot))
    try checkKeys([Keyspace.key(of: slot)], in: Keyspace.collection(of: slot))
    try checkKeys(keys, in: Keyspace.collection(of: slot))
  }

  /// Checks every query about every collection and every key.
  func checkEverything() throws(Discrepancy) {
    for collection in Keyspace.collections.indices {
      try checkCollection(collection)
      for key in Keyspace.keys.indices { try checkKeys([key], in: collection) }
    }
  }

  func checkCollection(_ collection: Int) throws(Discrepancy) {
    let name = Keyspace.collections[collection]
    let list = modifications
    let what = "collection \(collection) in \(list.map(\.snapshots))"
    try Discrepancy.check(
      [
        connection.hasChange(forCollection: name, in: list),
        connection.hasObjectChange(forCollection: name, in: list),
        connection.hasMetadataChange(forCollection: name, in: list),
        connection.didClearCollection(name, in: list),
        connection.didClearAllCollections(in: list),
      ],
      [
        expected.contains { $0.changes(in: collection, objects: true, metadata: true) },
        expected.contains { $0.changes(in: collection, objects: true, metadata: false) },
        expected.contains { $0.changes(in: collection, objects: false, metadata: true) },
        expected.contains { $0.clears(collection) },
        expected.contains { $0.isEverythingCleared },
      ],
      "any change, object, metadata, cleared, all cleared of \(what)"
    )
    var found: [ByteString] = []
    connection.enumerateChangedKeys(inCollection: name, in: list) { key, _ in found.append(ByteString(key)) }
    let keys = expected.reduce(into: Set<ByteString>()) { $0.formUnion($1.changedKeys(in: collection)) }
    try Discrepancy.check(found.count, keys.count, "number of changed keys of \(what)")
    try Discrepancy.check(Set(found), keys, "changed keys of \(what)")
  }

  func checkKeys(_ keys: [Int], in collection: Int) throws(Discrepancy) {
    let name = Keyspace.collections[collection]
    let list = modifications
    let asked = keys.map { Keyspace.keys[$0] }
    var found = [
      connection.hasChange(forAnyKeys: asked, inCollection: name, in: list),
      connection.hasObjectChange(forAnyKeys: asked, inCollection: name, in: list),
      connection.hasMetadataChange(forAnyKeys: asked, inCollection: name, in: list),
    ]
    var answers = [
      expected.contains { $0.changes(anyOf: keys, in: collection, objects: true, metadata: true) },
      expected.contains { $0.changes(anyOf: keys, in: collection, objects: true, metadata: false) },
      expected.contains { $0.changes(anyOf: keys, in: collection, objects: false, metadata: true) },
    ]
    if let key = asked.first, asked.count == 1 {
      answers += answers
      found += [
        connection.hasChange(forKey: key, inCollection: name, in: list),
        connection.hasObjectChange(forKey: key, inCollection: name, in: list),
        connection.hasMetadataChange(forKey: key, inCollection: name, in: list),
      ]
    }
    try Discrepancy.check(found, answers, "any, object, metadata of keys \(keys) in \(collection)")
  }
}
