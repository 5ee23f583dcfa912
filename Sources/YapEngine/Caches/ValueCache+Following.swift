extension ValueCache {
  /// Which half of the rows a cache holds: what changes it differs.
  enum Half {
    case objects, metadata

    func isChanged(by change: KeyChange) -> Bool {
      self == .objects ? change.changesStoredObject : change.changesStoredMetadata
    }

    /// Whether there is a value of this half afterwards, and another than before.
    func isSet(by change: KeyChange) -> Bool { change.contains(self == .objects ? .object : .metadata) }

    func isTouched(by change: KeyChange) -> Bool {
      change.contains(self == .objects ? .objectTouched : .metadataTouched)
    }
  }

  /// What one collection's changes mean for this cache.
  private struct News {
    let changes: CollectionChanges
    let values: [ByteString: CarriedValue]
    let policy: YapDatabasePolicy
  }

  /// Follows a commit that another connection made: what it changed is replaced or dropped, as the policies say; a
  /// touch changes nothing.
  /// - Parameter values: those that came with the commit. What is not among them has to be read again.
  mutating func follow(_ changes: ChangeSet, _ values: ChangedValues, _ half: Half, _ hooks: TestHooks) {
    guard count > 0 else { return }
    // With more changes than entries, and where all of something is gone, it is the entries that are gone through.
    if changes.clearsSomething || changes.changedKeyCount > count {
      var byNumber: [Int64: News] = [:]
      for (name, collection) in changes.collections {
        byNumber[collection.number] = news(of: collection, name, values, half, changes, hooks)
      }
      for row in rows {
        let news = byNumber[row.collection]
        follow(news, row, news?.changes.keys[row.key], isGone: changes.isEverythingRemoved, half, hooks)
      }
    } else {
      for (name, collection) in changes.collections {
        let news = news(of: collection, name, values, half, changes, hooks)
        for (key, change) in collection.keys {
          let row = RowKey(collection: collection.number, key: key)
          if contains(row) { follow(news, row, change, isGone: false, half, hooks) }
        }
      }
    }
    #if TestPoints
      if hooks.has(.sharesWhatWasNotCached) { pushEverything(changes, values, half, hooks) }
    #endif
  }

  private func news(
    of collection: CollectionChanges,
    _ name: ByteString,
    _ values: ChangedValues,
    _ half: Half,
    _ changes: ChangeSet,
    _ hooks: TestHooks
  ) -> News {
    let found = values.collections[name]
    let isLost = hooks.has(.losesThePolicyBesideRemovals) && changes.removesSomething
    return News(
      changes: collection,
      values: (half == .objects ? found?.objects : found?.metadata) ?? [:],
      policy: isLost ? .containment : policies.policy(for: name)
    )
  }

  /// - Parameters:
  ///   - news: of the row's collection; nil if it has none.
  ///   - change: what happened to the row by itself; nil for nothing.
  ///   - isGone: every row that is not among the changes was removed.
  private mutating func follow(
    _ news: News?,
    _ row: RowKey,
    _ change: KeyChange?,
    isGone: Bool,
    _ half: Half,
    _ hooks: TestHooks
  ) {
    let isGone = isGone || news?.changes.isCleared == true
    guard let news, let change else {
      if isGone { drop(row, isGone: true) }
      return
    }
    if hooks.has(.dropsWhatWasTouched), half.isTouched(by: change) { return drop(row, isGone: false) }
    guard half.isChanged(by: change) || isGone else { return }
    guard let value = news.values[row.key]?.received(under: news.policy, counters, hooks) else {
      return drop(row, isGone: !half.isSet(by: change))
    }
    replace(value, for: row)
  }

  #if TestPoints
    /// The defect that fills a cache with what it had not asked for.
    private mutating func pushEverything(_ changes: ChangeSet, _ all: ChangedValues, _ half: Half, _ hooks: TestHooks) {
      for (name, collection) in changes.collections {
        let news = news(of: collection, name, all, half, changes, hooks)
        for (key, value) in news.values {
          let row = RowKey(collection: collection.number, key: key)
          if let value = value.received(under: news.policy, counters, hooks) { set(value, for: row) }
        }
      }
    }
  #endif
}
