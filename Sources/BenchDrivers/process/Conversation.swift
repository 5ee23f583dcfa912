internal import BenchResults
internal import BenchScenario
internal import ThreadingPrimitives

/// Serves one channel in the engine's process: calls to a connection, calls to the engine, or notifications of commits.
struct Conversation {
  let channel: Channel
  let database: any DriverDatabase

  /// Serves the channel until the other side closes it or sends an invalid message, or the connection cannot be opened.
  func serve() {
    do {
      var message = try channel.receive()
      switch try message.take(ChannelPurpose.self) {
      case .notifications: try sendCommits()
      case .calls:
        try channel.send(MessageWriter(Reply.answer))
        while true { try EngineHost.serveCall(to: database, on: channel) }
      case .connection:
        let connection: any DriverConnection
        do { connection = try database.connect(try message.takeJSON()) } catch { return try sendFailure(error) }
        try channel.send(MessageWriter(Reply.answer))
        while true {
          var call = try channel.receive()
          try serve(&call, on: connection)
        }
      }
    } catch {
      // The other side has closed the channel or sent an invalid message. The connection is released on return.
    }
  }

  private func sendCommits() throws {
    // The engine reports commits one after the other. The harness opens connections only after the answer, so no commit
    // is reported while the answer is sent.
    let channel = channel
    database.onCommit { try? channel.send(MessageWriter($0)) }
    try channel.send(MessageWriter(Reply.answer))
    _ = try channel.receive()
  }

  private func sendFailure(_ error: any Error) throws(ChannelClosed) {
    try channel.send(MessageWriter(failure: error, of: database))
  }

  private func serve(_ message: inout MessageReader, on connection: any DriverConnection) throws {
    let call: ConnectionCall = try message.take()
    do {
      var ended = MessageWriter(Reply.ended, capacity: 80)
      switch call {
      case .read: ended.put(try connection.read { try serve($0) })
      case .readWrite: ended.put(try connection.readWrite { try serve($0) })
      case .asyncRead: try connection.asyncRead { try serve($0) }
      case .asyncReadWrite: try connection.asyncReadWrite { try serve($0) }
      case .advance:
        ended = MessageWriter(Reply.answer)
        ended.put(try connection.advance(changesIn: message.take()))
      case .endLongLivedRead:
        try connection.endLongLivedRead()
        ended = MessageWriter(Reply.answer)
      case .flushMemory:
        try connection.flushMemory()
        ended = MessageWriter(Reply.answer)
      }
      try channel.send(ended)
    } catch let error as ChannelClosed {
      throw error
    } catch is AbandonedTransaction {
      try channel.send(MessageWriter(Reply.ended))
    } catch {
      try sendFailure(error)
    }
  }

  /// Executes the calls of a transaction until its end.
  private func serve(_ transaction: any DriverTransaction) throws {
    var begun = MessageWriter(Reply.answer)
    begun.put(transaction.snapshot)
    try channel.send(begun)
    while true {
      var message = try channel.receive()
      let request: TransactionRequest = try message.take()
      if request.call == .finish { return }
      if request.call == .abandon { throw AbandonedTransaction() }
      let answer = TransactionAnswer(channel)
      // The error is sent to the harness, whose block decides whether the transaction continues.
      do { try answer.perform(request, in: transaction) } catch let error as ChannelClosed { throw error } catch {
        try sendFailure(error)
        continue
      }
      try channel.send(answer.reply)
    }
  }
}

/// The error that ends a transaction whose block has thrown in the other process.
private struct AbandonedTransaction: Error {}

extension MessageWriter {
  /// - Parameter database: nil if no database is open; the error then does not count as damage.
  init(failure error: any Error, of database: (any DriverDatabase)?) {
    self.init(Reply.failure)
    put(RemoteError(error, of: database))
  }
}

/// The reply to one call of a transaction.
private final class TransactionAnswer {
  /// The minimum size in bytes of each part of the reply except the last.
  private static let partBytes = 1 << 16

  /// The part of the reply that is not sent yet. After `perform`, this is the last part.
  private(set) var reply = MessageWriter(Reply.answer)
  private let channel: Channel
  private var failure: ChannelClosed?

  init(_ channel: Channel) {
    self.channel = channel
  }

  /// Executes a call. Sends all parts of the reply except the last.
  /// - Throws: The engine's errors; `ChannelClosed` if the other process has ended; `DamagedMessage`.
  func perform(_ request: TransactionRequest, in transaction: any DriverTransaction) throws {
    let (key, collection) = (request.key, request.collection)
    switch request.call {
    case .object: reply.put(try transaction.object(key, in: collection))
    case .metadata: reply.put(try transaction.metadata(key, in: collection))
    case .row:
      let row = try transaction.row(key, in: collection)
      reply.put(row?.object)
      reply.put(row?.metadata)
    case .exists: reply.put(try transaction.exists(key, in: collection))
    case .storedObject: reply.put(try transaction.storedObject(key, in: collection))
    case .storedMetadata: reply.put(try transaction.storedMetadata(key, in: collection))
    case .objects: try transaction.objects(request.keys, in: collection) { add($0, $1) }
    case .scan: try transaction.scan(request.keys, in: collection) { add($0, $1) }
    case .enumerate: try transaction.enumerate(collection) { add($0, $1) }
    case .enumerateRows:
      try transaction.enumerateRows(collection) { key, object, metadata in
        reply.put(key)
        add(object, metadata)
      }
    case .hasView: reply.put(try transaction.hasView(collection))
    case .viewRange:
      let (first, count) = (request.first, request.count)
      try transaction.viewRange(collection, group: key, from: first, count: count) { add($0, $1) }
    case .count: reply.put(try transaction.count(in: collection))
    case .set: try transaction.set(request.object, metadata: request.metadata, key, in: collection)
    case .setMetadata:
      guard let metadata = request.metadata else { throw DamagedMessage() }
      try transaction.setMetadata(metadata, key, in: collection)
    case .replace: try transaction.replace(request.object, key, in: collection)
    case .touch: try transaction.touch(key, in: collection)
    case .remove: try transaction.remove(key, in: collection)
    case .removeAll: try transaction.removeAll(in: collection)
    case .finish, .abandon: break
    }
    if let failure { throw failure }
  }

  /// Adds the last two fields of one visited row. Sends the reply so far as a part if it is large enough.
  private func add(_ first: some MessageField, _ second: some MessageField) {
    reply.put(first)
    reply.put(second)
    guard reply.bytes.count >= Self.partBytes, failure == nil else { return }
    reply.replaceReply(with: .part)
    do { try channel.send(reply) } catch { failure = error }
    reply = MessageWriter(Reply.answer)
  }
}
