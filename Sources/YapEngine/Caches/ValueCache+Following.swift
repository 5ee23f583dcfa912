extension ValueCache {
  /// One collection's changes by another connection, as far as they concern this cache.
  private struct ReceivedChanges {
    let changes: CollectionChanges
    let values: ChangedValues.Part
    let policy: YapDatabasePolicy

    func row(_ key: ByteString) -> RowKey { RowKey(collection: changes.number, key: key) }
  }

  /// Follows a commit of another connection. Replaces or drops changed values, depending on the policy. A touch changes
  /// nothing.
  /// - Parameter values: The values that the commit carries. Other changed values have to be read again.
  mutating func follow(_ changes: CommittedChanges, carrying values: ChangedValues) {
    guard count > 0 else { return }
    switch changes {
    case .row(let row): follow(row, carrying: values)
    case .set(let set): follow(set.changes, carrying: values)
    }
  }

  private mutating func follow(_ changed: ChangedRow, carrying values: ChangedValues) {
    let change = changed.change
    let carried = values.values(of: part, in: changed.collection.name)[0]
    let row = changed.row
    if carried == nil, !change.touches(part) {
      if change.outdates(part) { drop(row, isRemoved: !change.stores(part)) }
      return
    }
    let isLost = omissions.has(.losesThePolicyBesideRemovals) && change.contains(.removed)
    let policy = isLost ? .containment : policies.policy(for: changed.collection.name)
    apply(change, to: row, carrying: carried, under: policy, isCleared: false)
    #if TestPoints
      if omissions.has(.sharesWhatWasNotCached), let value = carried?.received(under: policy, counters) {
        set(value, for: row)
      }
    #endif
  }

  private mutating func follow(_ changes: ChangeSet, carrying values: ChangedValues) {
    // If there are more changes than entries, or if something was cleared, iterate over the entries instead.
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
    } else if values.isEmpty, !omissions.has(.dropsWhatWasTouched) {
      for index in changes.collections.entries.indices { dropChanged(changes.collections[at: index]) }
    } else {
      for collection in changes.collections.entries {
        let received = received(collection, of: changes, carrying: values)
        for (index, entry) in received.changes.keys.entries.enumerated() {
          follow(received.row(entry.key), changedAt: index, in: received, isCleared: false)
        }
      }
    }
    #if TestPoints
      if omissions.has(.sharesWhatWasNotCached) { addEveryValue(of: changes, carrying: values) }
    #endif
  }

  /// Drops the values of all changed rows, because the commit carries no values. This is the path of containment, and
  /// it takes most of the time of a jump over many commits.
  private mutating func dropChanged(_ changes: CollectionChanges) {
    drop(changes) { [part] change in
      guard change.outdates(part) else { return .stays }
      return change.stores(part) ? .isEmptied : .isRemoved
    }
  }

  private func received(
    _ collection: ByteTable<CollectionChanges>.Entry,
    of changes: ChangeSet,
    carrying values: ChangedValues
  ) -> ReceivedChanges {
    let isLost = omissions.has(.losesThePolicyBesideRemovals) && changes.removesSomething
    return ReceivedChanges(
      changes: collection.value,
      values: values.values(of: part, in: collection.key),
      policy: isLost ? .containment : policies.policy(for: collection.key)
    )
  }

  /// - Parameters:
  ///   - index: The row's index among the changes; nil if the row was not changed individually.
  ///   - received: The changes of the row's collection; nil if there are none.
  ///   - isCleared: Whether all rows were removed before the changes.
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
  ///   - carried: The value that the commit carries; nil if it has to be read again.
  ///   - isCleared: Whether all rows of the collection were removed before the change.
  private mutating func apply(
    _ change: KeyChange,
    to row: RowKey,
    carrying carried: CarriedValue?,
    under policy: YapDatabasePolicy,
    isCleared: Bool
  ) {
    if omissions.has(.dropsWhatWasTouched), change.touches(part) { return drop(row, isRemoved: false) }
    guard change.outdates(part) || isCleared else { return }
    guard let carried else { return drop(row, isRemoved: !change.stores(part)) }
    // Make a copy only if the row is cached.
    guard contains(row) else { return }
    guard let value = carried.received(under: policy, counters) else {
      return drop(row, isRemoved: !change.stores(part))
    }
    replace(value, for: row)
  }

  #if TestPoints
    /// The planted bug that fills a cache with rows that were never read through it.
    private mutating func addEveryValue(of changes: ChangeSet, carrying values: ChangedValues) {
      for collection in changes.collections.entries {
        let received = received(collection, of: changes, carrying: values)
        for (index, entry) in received.changes.keys.entries.enumerated() {
          if let value = received.values[index]?.received(under: received.policy, counters) {
            set(value, for: received.row(entry.key))
          }
        }
      }
    }
  #endif
}
