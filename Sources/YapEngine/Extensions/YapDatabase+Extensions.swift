public import Dispatch
internal import ThreadingPrimitives

extension YapDatabase {
  /// Registers a view, and returns once the registration is committed. Unless its options say that it begins empty, a
  /// view that is not stored with the same version tag is populated.
  ///
  /// Other writers wait for the registration. A connection sees the view in its first transaction afterwards; in a
  /// long-lived read, once its bookmark has moved. Views have to be registered in each run of the program: the first
  /// commit that changes or touches a row removes the stored contents of extensions that are not registered, because
  /// they would be wrong from then on. Therefore register all of them before anything is stored. A registration does
  /// not remove the contents of other extensions.
  /// - Throws: `alreadyRegistered`; `notRegistered` for a missing dependency; `nestedTransaction` inside a read-write
  ///   transaction of this database; the errors of the view's closures; the errors of `readWrite`. If it throws,
  ///   nothing is registered.
  public func register(_ view: YapDatabaseView, withName name: String) throws {
    try withPrivateConnection("register") { try $0.register(view, withName: name) }
  }

  /// Queues the registration of a view, and does not wait for it. May be called inside a transaction. Registrations and
  /// removals run in the order of the calls, so a view may be queued after those that it depends on. `completion` is
  /// called with the error or nil at the end, on `completionQueue` or, if that is nil, on the notification queue.
  /// Without a completion, the error goes to `asyncFailureHandler`.
  public func asyncRegister(
    _ view: YapDatabaseView,
    withName name: String,
    completionQueue: DispatchQueue? = nil,
    completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    queue("asyncRegister", endingOn: completionQueue, with: completion) { try $0.register(view, withName: name) }
  }

  /// Unregisters an extension and those that depend on it, and removes their stored contents.
  /// - Throws: `notRegistered`; `nestedTransaction` as `register` does; the errors of `readWrite`.
  public func unregister(_ name: String) throws {
    try withPrivateConnection("unregister") { try $0.unregister(name) }
  }

  /// Queues a removal of an extension, and does not wait for it. `completion` is called as for `asyncRegister`.
  public func asyncUnregister(
    _ name: String,
    completionQueue: DispatchQueue? = nil,
    completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    queue("asyncUnregister", endingOn: completionQueue, with: completion) { try $0.unregister(name) }
  }

  /// Calls `completion` on `completionQueue` or, if that is nil, on the notification queue, when the registrations and
  /// removals that were requested before have ended.
  public func flushExtensionRequests(
    completionQueue: DispatchQueue? = nil,
    completion: @escaping @Sendable () -> Void
  ) {
    if let pending = connectionOfExtensionRequests {
      pending.flushTransactions(completionQueue: completionQueue, completion: completion)
    } else {
      (completionQueue ?? notificationQueue).async(execute: completion)
    }
  }

  /// The names of the extensions that are registered at the newest commit, in the order of their registration.
  public var registeredExtensionNames: [String] { newestExtensions.map(\.name.text) }

  /// The definitions of the views that are registered at the newest commit, by name.
  public var registeredExtensions: [String: YapDatabaseView] {
    Dictionary(newestExtensions.map { ($0.name.text, $0.view) }) { first, _ in first }
  }

  /// Returns the definition of the view that is registered under a name at the newest commit; nil if there is none.
  public func registeredExtension(_ name: String) -> YapDatabaseView? {
    newestExtensions.first { $0.name == ByteString(name) }?.view
  }

  private var newestExtensions: [ExtensionStates.Registered] {
    while true {
      guard let snapshot = registry.withLock({ $0.newest.extensions }) else { return [] }
      if let states = snapshot.states { return states.registered }
      // The states were dropped in the meantime, so there is a newer commit.
    }
  }

  private func withPrivateConnection(_ call: String, _ body: (YapDatabaseConnection) throws -> Void) throws {
    let connection = try takeConnectionForExtensionRequest()
    try connection.enter(call, .syncReadWrite)
    defer { connection.lane.release() }
    try body(connection)
  }

  private func queue(
    _ call: String,
    endingOn completionQueue: DispatchQueue?,
    with completion: (@Sendable ((any Error)?) -> Void)?,
    _ body: @escaping @Sendable (YapDatabaseConnection) throws -> Void
  ) {
    let call = AsyncCall(name: call, connection: "extensions", database: self, completionQueue: completionQueue)
    do {
      try checkMayWrite(call.name)
      let connection = try takeConnectionForExtensionRequest()
      connection.lane.enqueue(occupying: .half) { error in
        do {
          try connection.checkMayRun(error)
          try body(connection)
          call.end(nil, completion)
        } catch { call.end(error, completion) }
      }
    } catch { call.end(error, completion) }
  }
}

/// A transaction's access to an extension, valid until the transaction ends. For views, a `YapDatabaseViewTransaction`.
public protocol YapDatabaseExtensionTransaction {
  /// The name under which the extension is registered.
  var name: String { get }
}

extension YapDatabaseReadTransaction {
  /// Returns the extension with the given name as of the transaction's snapshot.
  ///
  ///     let view = try transaction.ext("view") as? YapDatabaseViewTransaction
  /// - Returns: nil if no extension was registered under the name at that snapshot. A connection whose long-lived read
  ///   began before the registration has to move its bookmark first.
  /// - Throws: `transactionEnded`.
  public final func ext(_ name: String) throws -> (any YapDatabaseExtensionTransaction)? {
    try checkMayBeUsed()
    guard viewState(named: ByteString(name)) != nil else { return nil }
    return YapDatabaseViewTransaction(transaction: self, name: name)
  }

  /// Returns the state of a view as this transaction sees it; nil if it is not registered.
  final func viewState(named name: ByteString) -> ViewState? {
    if let upkeep { return upkeep.state(named: name) }
    return connection.follower.adopted?.states.find(name)?.state
  }

  /// Returns the definition of a view as this transaction sees it; nil if it is not registered.
  final func viewDefinition(named name: ByteString) -> YapDatabaseView? {
    if let upkeep { return upkeep.definition(named: name) }
    return connection.follower.adopted?.states.find(name)?.view
  }
}
