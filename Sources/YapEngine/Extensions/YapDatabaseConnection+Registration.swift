internal import ThreadingPrimitives

/// Registration of extensions. It uses a separate connection and an ordinary read-write transaction. The lock order is
/// that of any read-write transaction: the connection's lane, then the write lane.
extension YapDatabaseConnection {
  func register(_ view: YapDatabaseView, withName name: String, _ call: String = "register") throws {
    try changeExtensions(call) { transaction, upkeep in
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
      let registered = try stored(view, name, transaction, upkeep)
      upkeep.add(registered, transaction)
    }
  }

  /// Returns the view as it is stored, if the stored form is usable. Otherwise removes that form and returns a new
  /// view, which is populated unless the options say that it begins empty.
  private func stored(
    _ view: YapDatabaseView,
    _ name: ByteString,
    _ transaction: YapDatabaseReadWriteTransaction,
    _ upkeep: ExtensionUpkeep
  ) throws -> ExtensionStates.Registered {
    let handle = try transaction.handle()
    let table = ExtensionTable(handle: handle)
    if let row = try table.row(named: name) {
      let isOfUse =
        view.options.isPersistent && row.version == YapDatabaseView.classVersion
        && (row.tag.hasSameBytes(as: view.versionTag) || omissions.has(.ignoresVersionTags))
      if isOfUse, let state = try ViewPages(view: row.number, handle: handle).load() {
        return ExtensionStates.Registered(name: name, view: view, number: row.number, state: state)
      }
      try table.remove(row.number)
    }
    var number: Int64?
    if view.options.isPersistent {
      number = try table.add(name, version: YapDatabaseView.classVersion, tag: view.versionTag)
    }
    var state = ViewState()
    if !view.options.skipsInitialPopulation {
      state = try upkeep.populate {
        var population = ViewPopulation(view, transaction)
        return try population.run()
      }
    }
    return ExtensionStates.Registered(name: name, view: view, number: number, state: state)
  }

  /// - Throws: `notRegistered`.
  func unregister(_ name: String) throws {
    try changeExtensions("unregister") { transaction, upkeep in
      guard let states = follower.adopted?.states, states.find(ByteString(name)) != nil else {
        throw YapDatabaseError(.notRegistered, "no extension is registered as \"\(name)\": check the name")
      }
      let gone = states.dependants(of: ByteString(name))
      let table = ExtensionTable(handle: try transaction.handle())
      for registered in states.registered where gone.contains(registered.name) {
        if let number = registered.number { try table.remove(number) }
      }
      upkeep.remove(gone)
    }
  }

  /// Runs a read-write transaction that changes extensions and no rows.
  private func changeExtensions(
    _ call: String,
    _ body: (YapDatabaseReadWriteTransaction, ExtensionUpkeep) throws -> Void
  ) throws {
    try checkMayRun()
    try runReadWrite { transaction in
      let upkeep = transaction.upkeep ?? ExtensionUpkeep(ExtensionStates(), for: transaction)
      transaction.upkeep = upkeep
      try body(transaction, upkeep)
      transaction.changes.changesExtensions = true
    }.result.get()
  }
}

extension ExtensionStates {
  /// Returns an extension and all extensions that depend on it directly or indirectly.
  func dependants(of name: ByteString) -> Set<ByteString> {
    registered.reduce(into: [name]) { gone, registered in
      let needed = registered.view.options.dependencies.map { ByteString($0) }
      if !gone.isDisjoint(with: needed) { gone.insert(registered.name) }
    }
  }
}
