extension ValueCache {
  /// The changes of one collection in a commit, the carried values of this cache's part, and the policy for them.
  private struct ReceivedChanges {
    let changes: CollectionChanges
    let values: ChangedValues.Part
    let policy: YapDatabasePolicy

    func row(_ key: ByteString) -> RowKey { RowKey(collection: changes.number, key: key) }
  }

  /// Follows a commit of another connection, or a folded commit: replaces or drops the changed values that are cached,
  /// depending on the policies. A touch changes nothing.
  /// - Parameter values: The values that the commit carries. Changed values that it does not carry are dropped.
  mutating func follow(_ changes: CommittedChanges, carrying values: ChangedValues) {
    guard count > 0 else { return }
    switch changes {
    case .rows(let changed): changed.withRows { follow($0, in: changed.collection, carrying: values) }
    case .set(let set): follow(set.changes, carrying: values)
    }
  }

  private mutating func follow(
    _ changed: UnsafeBufferPointer<ChangedRows.Row>,
    in collection: CollectionName,
    carrying values: ChangedValues
  ) {
    let carried = values.values(of: part, in: collection.name)
    if carried.isEmpty { return dropChanged(changed, in: collection.number) }
    let policy = policy.policy(for: collection.name)
    for index in changed.indices {
      let row = RowKey(collection: collection.number, key: changed[index].key)
      apply(changed[index].value, to: row, carrying: carried[index], under: policy, isCleared: false)
    }
  }

  private mutating func follow(_ changes: ChangeSet, carrying values: ChangedValues) {
    // If there are more changed keys than cached rows, or if something was cleared, iterate over the cached rows.
    if changes.clearsSomething || changes.changedKeyCount > count {
      var byNumber: [Int64: ReceivedChanges] = [:]
      for collection in changes.collections.entries {
        byNumber[collection.value.number] = received(collection, of: changes, carrying: values)
      }
      for row in rows {
        let received = byNumber[row.collection]
        let index = received?.changes.keys.index(of: row.key)
        follow(row, changedAt: index, in: received, isCleared: changes.isEverythingRemoved)
      }
    } else if values.isEmpty {
      for index in changes.collections.entries.indices {
        let number = changes.collections[at: index].number
        changes.collections[at: index].keys.entries.withUnsafeBufferPointer { dropChanged($0, in: number) }
      }
    } else {
      for collection in changes.collections.entries {
        let received = received(collection, of: changes, carrying: values)
        for (index, entry) in received.changes.keys.entries.enumerated() {
          follow(received.row(entry.key), changedAt: index, in: received, isCleared: false)
        }
      }
    }
  }

  /// Drops the cached values that a commit without carried values has outdated, in one collection. This is the path of
  /// containment, and it takes most of the time of a jump over commits of several rows.
  private mutating func dropChanged(_ changed: UnsafeBufferPointer<ChangedRows.Row>, in collection: Int64) {
    drop(changed, in: collection) { [part] change in
      guard change.outdates(part) else { return .stays }
      return change.stores(part) ? .isEmptied : .isRemoved
    }
  }

  private func received(
    _ collection: ByteTable<CollectionChanges>.Entry,
    of changes: ChangeSet,
    carrying values: ChangedValues
  ) -> ReceivedChanges {
    ReceivedChanges(
      changes: collection.value,
      values: values.values(of: part, in: collection.key),
      policy: policy.policy(for: collection.key)
    )
  }

  /// - Parameters:
  ///   - index: The row's index among the changes; nil if the row was not changed individually.
  ///   - received: The changes of the row's collection; nil if there are none.
  ///   - isCleared: Whether the commit also removed all rows of all collections.
  private mutating func follow(_ row: RowKey, changedAt index: Int?, in received: ReceivedChanges?, isCleared: Bool) {
    let isCleared = isCleared || received?.changes.isCleared == true
    guard let received, let index else {
      if isCleared { drop(row, isRemoved: true) }
      return
    }
    let change = received.changes.keys[at: index]
    apply(change, to: row, carrying: received.values[index], under: received.policy, isCleared: isCleared)
  }

  /// - Parameters:
  ///   - carried: The value that the commit carries; nil if it carries none.
  ///   - isCleared: Whether the commit also removed all rows of the collection.
  private mutating func apply(
    _ change: KeyChange,
    to row: RowKey,
    carrying carried: CarriedValue?,
    under policy: YapDatabasePolicy,
    isCleared: Bool
  ) {
    guard change.outdates(part) || isCleared else { return }
    guard let carried else { return drop(row, isRemoved: !change.stores(part)) }
    // `received` may make a copy, so it is called only for a cached row.
    guard contains(row) else { return }
    guard let value = carried.received(under: policy, counters) else {
      return drop(row, isRemoved: !change.stores(part))
    }
    replace(value, for: row)
  }
}
