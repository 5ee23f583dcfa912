internal import SQLiteBinding

/// Registration of extensions. It uses a separate connection and an ordinary read-write transaction. The lock order is
/// the same as for any read-write transaction: the connection's lane, then the write lane.
extension YapDatabaseConnection {
  func register(_ view: YapDatabaseView, withName name: String) throws {
    try changeExtensions { transaction, upkeep in
      let name = ByteString(name)
      guard upkeep.state(named: name) == nil else {
        throw YapDatabaseError(
          .alreadyRegistered,
          "an extension is registered as \"\(name.text)\" already: unregister it first, or choose another name"
        )
      }
      for needed in view.options.dependencies.sorted() where upkeep.state(named: ByteString(needed)) == nil {
        throw YapDatabaseError(
          .notRegistered,
          "\"\(name.text)\" depends on \"\(needed)\", which is not registered: register that first"
        )
      }
      let registered = try storedOrNew(view, named: name, in: transaction, upkeep: upkeep)
      upkeep.add(registered, to: transaction)
    }
  }

  /// Returns the view as it is stored, if there is a usable stored form. Otherwise removes an unusable one, and returns
  /// a new view, which is populated unless the options say that it begins empty.
  private func storedOrNew(
    _ view: YapDatabaseView,
    named name: ByteString,
    in transaction: YapDatabaseReadWriteTransaction,
    upkeep: ExtensionUpkeep
  ) throws -> ExtensionStates.Registered {
    let handle = try transaction.handle()
    let table = ExtensionTable(handle: handle)
    let dependencies = upkeep.states.dependencies(of: view)
    let isStored = view.options.isPersistent && dependencies.allSatisfy { $0.number != nil }
    let tag = StoredTag(of: view, among: upkeep.states)
    let rows = try table.rows()
    if let row = rows.first(where: { ByteString($0.name) == name }) {
      let isUsable = isStored && row.version == YapDatabaseView.classVersion && row.tag == tag
      if isUsable, let state = try ViewPages(view: row.number, handle: handle).load() {
        return ExtensionStates.Registered(name: name, view: view, number: row.number, state: state)
      }
      try table.remove(row.number)
    }
    var number: Int64?
    if isStored {
      // Larger than the numbers of the view's former form and of the views that depended on it.
      let next = (rows.map(\.number).max() ?? 0) + 1
      try table.add(name, number: next, version: YapDatabaseView.classVersion, tag: tag)
      number = next
    }
    var state = ViewState()
    if !view.options.skipsInitialPopulation {
      state = try upkeep.working {
        var population = ViewPopulation(view, transaction)
        return try population.run()
      }
    }
    return ExtensionStates.Registered(name: name, view: view, number: number, state: state)
  }

  /// - Throws: `notRegistered`.
  func unregister(_ name: String) throws {
    try changeExtensions { transaction, upkeep in
      guard let states = follower.adopted?.states, states.find(ByteString(name)) != nil else {
        throw YapDatabaseError(.notRegistered, "no extension is registered as \"\(name)\": check the name")
      }
      let removed = states.dependants(of: ByteString(name))
      let table = ExtensionTable(handle: try transaction.handle())
      for registered in states.registered where removed.contains(registered.name) {
        if let number = registered.number { try table.remove(number) }
      }
      upkeep.remove(removed)
    }
  }

  /// Runs a read-write transaction that changes extensions and no rows. Must be called with the connection's lane held.
  private func changeExtensions(_ body: (YapDatabaseReadWriteTransaction, ExtensionUpkeep) throws -> Void) throws {
    try checkMayRun()
    let change = { (transaction: YapDatabaseReadWriteTransaction) in
      let upkeep = transaction.upkeep ?? ExtensionUpkeep(ExtensionStates(), for: transaction)
      transaction.upkeep = upkeep
      try body(transaction, upkeep)
      transaction.changes.changesExtensions = true
    }
    try runReadWrite(change, isLong: true)
  }
}

/// The table of the extensions that are stored in the file.
struct ExtensionTable {
  struct Row: Equatable {
    let number: Int64
    let name: String
    let version: Int64
    let tag: StoredTag
  }

  let handle: EngineHandle

  func rows() throws -> [Row] {
    try handle.with(.extensions) { statement in
      var rows: [Row] = []
      while try statement.step() {
        rows.append(
          Row(
            number: statement.integer(at: 0),
            name: statement.text(at: 1),
            version: statement.integer(at: 2),
            tag: StoredTag(text: statement.text(at: 3))
          )
        )
      }
      return rows
    }
  }

  /// Adds an extension.
  func add(_ name: ByteString, number: Int64, version: Int64, tag: StoredTag) throws {
    try handle.with(.addExtension, collection: version, key: name.text) { statement in
      try statement.bind(number, at: 4)
      try tag.text.withUTF8Bytes { tag in
        try statement.bindText(tag, at: 3)
        _ = try statement.step()
      }
    }
  }

  func set(_ tag: StoredTag, of number: Int64) throws {
    try handle.with(.setExtensionTag) { statement in
      try statement.bind(number, at: 1)
      try tag.text.withUTF8Bytes { tag in
        try statement.bindText(tag, at: 2)
        _ = try statement.step()
      }
    }
  }

  /// Removes an extension and its stored pages.
  func remove(_ number: Int64) throws {
    try ViewPages(view: number, handle: handle).removeAll()
    try handle.run(.removeExtension, [number])
  }

  /// Removes the extensions that are not in `registered`, with their stored pages.
  func removeLeftOvers(_ registered: ExtensionStates?) throws {
    let kept = Set((registered?.registered ?? []).compactMap(\.number))
    for row in try rows() where !kept.contains(row.number) { try remove(row.number) }
  }
}
