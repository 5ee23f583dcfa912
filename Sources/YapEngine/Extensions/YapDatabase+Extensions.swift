public import Dispatch
internal import ThreadingPrimitives

extension YapDatabase {
  /// Registers a view, makes it if it is not stored, and returns when it is committed.
  ///
  /// Other writers wait meanwhile. A connection sees it in its first transaction afterwards; in a long-lived read, once
  /// its bookmark has moved. It has to be registered in each run of the program: what is stored of an extension that is
  /// not is removed by the first commit that changes or touches a row, because from then on it would be wrong. So
  /// register all before anything is stored; registrations by themselves remove nothing.
  /// - Throws: `alreadyRegistered`; `notRegistered` for a missing dependency; `nestedTransaction` inside a read-write
  ///   transaction; what the view's closures throw, and what `readWrite` does. Then nothing is registered.
  public func register(_ view: YapDatabaseView, withName name: String) throws {
    try withPrivateConnection("register") { try $0.register(view, withName: name) }
  }

  /// The same in its turn; returns at once. May be called inside a transaction. At the end `completion` is called, with
  /// the error if there was one, on `completionQueue` or else the notification queue.
  public func asyncRegister(
    _ view: YapDatabaseView,
    withName name: String,
    completionQueue: DispatchQueue? = nil,
    completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    queue("asyncRegister", completionQueue, completion) { try $0.register(view, withName: name) }
  }

  /// Unregisters an extension, and those that depend on it, and removes what is stored of them.
  /// - Throws: `notRegistered`; as `register` does.
  public func unregister(_ name: String) throws {
    try withPrivateConnection("unregister") { try $0.unregister(name) }
  }

  /// The same in its turn; returns at once.
  public func asyncUnregister(
    _ name: String,
    completionQueue: DispatchQueue? = nil,
    completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    queue("asyncUnregister", completionQueue, completion) { try $0.unregister(name) }
  }

  /// The names of the extensions that are registered at the newest commit, in the order of their registration.
  public var registeredExtensionNames: [String] {
    while true {
      guard let snapshot = registry.withLock({ $0.newest.extensions }) else { return [] }
      if let states = snapshot.states { return states.registered.map(\.name.text) }
      // It has been let go meanwhile, so another commit is the newest.
    }
  }

  private func withPrivateConnection(_ call: String, _ body: (YapDatabaseConnection) throws -> Void) throws {
    let connection = try newConnection(name: "extensions")
    connection.permittedTransactions = .any  // the defaults are for the client's connections
    try connection.enter(call, .syncReadWrite)
    defer { connection.lane.release() }
    try body(connection)
  }

  private func queue(
    _ call: String,
    _ completionQueue: DispatchQueue?,
    _ completion: (@Sendable ((any Error)?) -> Void)?,
    _ body: @escaping @Sendable (YapDatabaseConnection) throws -> Void
  ) {
    let call = AsyncCall(name: call, connection: "extensions", database: self, completionQueue: completionQueue)
    do {
      let connection = try newConnection(name: call.connection)
      connection.lane.enqueue {
        do {
          try body(connection)
          call.end(nil, completion)
        } catch { call.end(error, completion) }
      }
    } catch { call.end(error, completion) }
  }
}
