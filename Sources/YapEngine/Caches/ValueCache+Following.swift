extension ValueCache {
  /// The part of the rows that a cache holds. It decides which changes affect the cache.
  enum Half {
    case objects, metadata

    func isChanged(by change: KeyChange) -> Bool {
      self == .objects ? change.changesStoredObject : change.changesStoredMetadata
    }

    /// Whether the change stores a new value of this part.
    func isSet(by change: KeyChange) -> Bool { change.contains(self == .objects ? .object : .metadata) }

    func isTouched(by change: KeyChange) -> Bool {
      change.contains(self == .objects ? .objectTouched : .metadataTouched)
    }
  }

  /// One collection's changes, as far as they concern this cache.
  private struct News {
    let changes: CollectionChanges
    let values: ChangedValues.Half
    let policy: YapDatabasePolicy
  }

  /// Follows a commit of another connection. Replaces or drops changed values, depending on the policy. A touch changes
  /// nothing.
  /// - Parameter values: The values that the commit carries. Other changed values have to be read again.
  mutating func follow(_ changes: CommittedChanges, _ values: ChangedValues, _ half: Half) {
    switch changes {
    case .row(let row): follow(row, values, half)
    case .set(let set): follow(set.changes, values, half)
    }
  }

  private mutating func follow(_ changed: ChangedRow, _ values: ChangedValues, _ half: Half) {
    guard count > 0 else { return }
    let change = changed.change
    let found = values.collections.isEmpty ? nil : values.collections[changed.collection.name]
    let carried = half == .objects ? found?.objects[0] : found?.metadata[0]
    let row = changed.row
    if carried == nil, !half.isTouched(by: change) {
      if half.isChanged(by: change) { drop(row, isGone: !half.isSet(by: change)) }
      return
    }
    let isLost = omissions.has(.losesThePolicyBesideRemovals) && change.contains(.removed)
    let policy = isLost ? .containment : policies.policy(for: changed.collection.name)
    follow(change, carried, policy, row, isGone: false, half)
    #if TestPoints
      if omissions.has(.sharesWhatWasNotCached), let value = carried?.received(under: policy, counters) {
        set(value, for: row)
      }
    #endif
  }

  private mutating func follow(_ changes: ChangeSet, _ values: ChangedValues, _ half: Half) {
    guard count > 0 else { return }
    // If there are more changes than entries, or if something was cleared, iterate over the entries instead.
    if changes.clearsSomething || changes.changedKeyCount > count {
      var byNumber: [Int64: News] = [:]
      for collection in changes.collections.entries {
        byNumber[collection.value.number] = news(of: collection, values, half, changes)
      }
      for row in rows {
        let news = byNumber[row.collection]
        let place = news?.changes.keys.place(of: row.key)
        follow(news, row, place, isGone: changes.isEverythingRemoved, half)
      }
    } else if values.collections.isEmpty, !omissions.has(.dropsWhatWasTouched) {
      for place in changes.collections.entries.indices { dropChanged(changes.collections[place: place], half) }
    } else {
      for collection in changes.collections.entries {
        let news = news(of: collection, values, half, changes)
        for (place, entry) in news.changes.keys.entries.enumerated() {
          follow(news, RowKey(collection: news.changes.number, key: entry.key), place, isGone: false, half)
        }
      }
    }
    #if TestPoints
      if omissions.has(.sharesWhatWasNotCached) { pushEverything(changes, values, half) }
    #endif
  }

  /// Drops every changed row, because the commit carries no values. This is the path of containment, and it takes most
  /// of the time of a jump over many commits.
  private mutating func dropChanged(_ changes: CollectionChanges, _ half: Half) {
    drop(changes) { change in
      guard half.isChanged(by: change) else { return .stays }
      return half.isSet(by: change) ? .isEmptied : .isRemoved
    }
  }

  private func news(
    of collection: ByteTable<CollectionChanges>.Entry,
    _ values: ChangedValues,
    _ half: Half,
    _ changes: ChangeSet
  ) -> News {
    let found = values.collections[collection.key]
    let isLost = omissions.has(.losesThePolicyBesideRemovals) && changes.removesSomething
    return News(
      changes: collection.value,
      values: (half == .objects ? found?.objects : found?.metadata) ?? ChangedValues.Half(),
      policy: isLost ? .containment : policies.policy(for: collection.key)
    )
  }

  /// - Parameters:
  ///   - news: The changes of the row's collection; nil if there are none.
  ///   - place: The row's index among the changes; nil if the row was not changed individually.
  ///   - isGone: Whether all rows were removed before the changes.
  private mutating func follow(
    _ news: News?,
    _ row: RowKey,
    _ place: Int?,
    isGone: Bool,
    _ half: Half
  ) {
    let isGone = isGone || news?.changes.isCleared == true
    guard let news, let place else {
      if isGone { drop(row, isGone: true) }
      return
    }
    follow(news.changes.keys[place: place], news.values[place], news.policy, row, isGone: isGone, half)
  }

  /// - Parameters:
  ///   - carried: The value that the commit carries; nil if it has to be read again.
  ///   - isGone: Whether all rows of the collection were removed before the change.
  private mutating func follow(
    _ change: KeyChange,
    _ carried: CarriedValue?,
    _ policy: YapDatabasePolicy,
    _ row: RowKey,
    isGone: Bool,
    _ half: Half
  ) {
    if omissions.has(.dropsWhatWasTouched), half.isTouched(by: change) { return drop(row, isGone: false) }
    guard half.isChanged(by: change) || isGone else { return }
    guard let carried else { return drop(row, isGone: !half.isSet(by: change)) }
    // Make a copy only if the row is cached.
    guard contains(row) else { return }
    guard let value = carried.received(under: policy, counters) else {
      return drop(row, isGone: !half.isSet(by: change))
    }
    replace(value, for: row)
  }

  #if TestPoints
    /// The planted bug that fills a cache with rows that were never read through it.
    private mutating func pushEverything(_ changes: ChangeSet, _ all: ChangedValues, _ half: Half) {
      for collection in changes.collections.entries {
        let news = news(of: collection, all, half, changes)
        for (place, entry) in news.changes.keys.entries.enumerated() {
          let row = RowKey(collection: news.changes.number, key: entry.key)
          if let value = news.values[place]?.received(under: news.policy, counters) { set(value, for: row) }
        }
      }
    }
  #endif
}
