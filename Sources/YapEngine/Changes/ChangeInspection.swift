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

  init(_ changes: some Sequence<some YapDatabaseModificationCarrier>) {
    modifications = changes.compactMap(\.carriedModification)
  }

  func hasChange(in collection: String, of parts: RowPart = [.object, .metadata]) -> Bool {
    let collection = ByteString(collection)
    return any { changed in
      guard changed.collection.name == collection else { return false }
      return changed.withRows { rows in rows.contains { concerns($0.value, parts) } }
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
    return any { changed in
      guard changed.collection.name == collection else { return false }
      if keys.count <= changed.count { return keys.contains { concerns(changed.change(of: $0), parts) } }
      return changed.withRows { rows in rows.contains { concerns($0.value, parts) && asked.contains($0.key) } }
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
    return any(inSet: { $0.isEverythingRemoved || $0.collections[collection]?.isCleared == true })
  }

  func didClearAll() -> Bool { any(inSet: \.isEverythingRemoved) }

  /// The keys that were changed individually. Keys that were removed only by clearing their collection are left out.
  func changedKeys(in collection: String) -> Set<ByteString> {
    let collection = ByteString(collection)
    return modifications.reduce(into: []) { keys, modification in
      switch modification.changes {
      case .rows(let changed):
        if changed.collection.name == collection { changed.withRows { keys.formUnion($0.lazy.map(\.key)) } }
      case .set(let set):
        if let found = set.changes.collections[collection] { keys.formUnion(found.keys.entries.lazy.map(\.key)) }
      }
    }
  }

  /// The keys that were changed individually, by collection. Collections without such keys are left out.
  func changedCollectionKeys() -> [ByteString: Set<ByteString>] {
    modifications.reduce(into: [:]) { keys, modification in
      switch modification.changes {
      case .rows(let changed):
        changed.withRows { keys[changed.collection.name, default: []].formUnion($0.lazy.map(\.key)) }
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
  ///   - rows: The condition for modifications that changed a few rows of one collection and nothing else.
  ///   - set: The condition for all other modifications.
  private func any(rows: (ChangedRows) -> Bool = { _ in false }, inSet set: (ChangeSet) -> Bool) -> Bool {
    modifications.contains {
      switch $0.changes {
      case .rows(let changed): rows(changed)
      case .set(let shared): set(shared.changes)
      }
    }
  }
}
