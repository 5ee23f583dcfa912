/// Answers questions about the combined changes of several commits.
///
/// Removals and touches are changes. If a collection was cleared, every question about one of its keys is answered with
/// true, even for keys that never existed. Without modifications, every answer is false or empty.
struct ChangeInspection {
  let modifications: [YapDatabaseModification]
  #if TestPoints
    /// Called for each key that is inspected, by iteration or by lookup.
    var onLook: () -> Void = {}
  #endif

  init(modifications: [YapDatabaseModification]) {
    self.modifications = modifications
  }

  func hasChange(in collection: String, of parts: RowPart = [.object, .metadata]) -> Bool {
    let collection = ByteString(collection)
    return any { row in
      row.collection.name == collection && concerns(row.change, parts)
    } inSet: { changes in
      guard let found = changes.collections[collection] else { return changes.isEverythingRemoved }
      return changes.isEverythingRemoved || found.isCleared || found.keys.entries.contains { concerns($0.value, parts) }
    }
  }

  /// For each modification, inspects either `keys` or the changed keys of the collection, whichever are fewer.
  func hasChange(anyOf keys: some Sequence<String>, in collection: String, of parts: RowPart = [.object, .metadata])
    -> Bool
  {
    let collection = ByteString(collection)
    let keys = keys.map { ByteString($0) }
    guard !keys.isEmpty else { return false }
    lazy var asked = Set(keys)
    return any { row in
      guard row.collection.name == collection, concerns(row.change, parts) else { return false }
      return keys.count == 1 ? keys[0] == row.key : asked.contains(row.key)
    } inSet: { changes in
      if changes.isEverythingRemoved { return true }
      guard let found = changes.collections[collection] else { return false }
      if found.isCleared { return true }
      if keys.count <= found.keys.count { return keys.contains { concerns(found.keys[$0], parts) } }
      return found.keys.entries.contains { concerns($0.value, parts) && asked.contains($0.key) }
    }
  }

  func didClear(_ collection: String) -> Bool {
    let collection = ByteString(collection)
    return any { _ in
      false
    } inSet: {
      $0.isEverythingRemoved || $0.collections[collection]?.isCleared == true
    }
  }

  func didClearAll() -> Bool {
    any { _ in
      false
    } inSet: {
      $0.isEverythingRemoved
    }
  }

  /// The keys that were changed individually. Keys that were removed only by clearing their collection are left out.
  func changedKeys(in collection: String) -> Set<ByteString> {
    let collection = ByteString(collection)
    return modifications.reduce(into: []) { keys, modification in
      switch modification.changes {
      case .row(let row): if row.collection.name == collection { keys.insert(row.key) }
      case .set(let set):
        if let found = set.changes.collections[collection] { keys.formUnion(found.keys.entries.lazy.map(\.key)) }
      }
    }
  }

  /// The keys that were changed individually, by collection. Collections without such keys are left out.
  func changedCollectionKeys() -> [ByteString: Set<ByteString>] {
    modifications.reduce(into: [:]) { keys, modification in
      switch modification.changes {
      case .row(let row): keys[row.collection.name, default: []].insert(row.key)
      case .set(let set):
        for found in set.changes.collections.entries where !found.value.keys.isEmpty {
          keys[found.key, default: []].formUnion(found.value.keys.entries.lazy.map(\.key))
        }
      }
    }
  }

  @inline(__always)
  private func concerns(_ change: KeyChange?, _ parts: RowPart) -> Bool {
    #if TestPoints
      onLook()
    #endif
    return change?.concerns(parts) == true
  }

  /// Whether a condition holds for any of the modifications.
  /// - Parameters:
  ///   - row: The condition for modifications that changed a single row and nothing else.
  ///   - set: The condition for all other modifications.
  private func any(row: (ChangedRow) -> Bool, inSet set: (ChangeSet) -> Bool) -> Bool {
    modifications.contains {
      switch $0.changes {
      case .row(let changed): row(changed)
      case .set(let shared): set(shared.changes)
      }
    }
  }
}
