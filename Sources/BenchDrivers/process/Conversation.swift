internal import BenchModel
internal import Glibc
internal import ThreadingPrimitives

/// Serves one channel in the engine's process: a connection's transactions, calls to the engine, or notifications of
/// commits.
struct Conversation {
  let channel: Channel
  let database: any DriverDatabase

  /// Serves the channel until the other side closes it.
  func hold() {
    do {
      var message = try channel.receive()
      switch try message.takeWord(ChannelPurpose.self) {
      case .notifications: try sendCommits()
      case .calls:
        try channel.send(MessageWriter(Reply.answer))
        while true {
          var call = try channel.receive()
          _ = try EngineHost.answer(&call, database, channel)
        }
      case .connection:
        let connection: any DriverConnection
        do { connection = try database.connect(try message.takeJSON()) } catch {
          return try channel.send(MessageWriter(failure: error, database))
        }
        try channel.send(MessageWriter(Reply.answer))
        while true {
          var call = try channel.receive()
          try serve(try call.takeWord(), on: connection)
        }
      }
    } catch {
      // The other process has ended or sent an invalid message. The channel closes, and its connection with it.
    }
  }

  private func sendCommits() throws {
    // The engine reports commits one after the other, and no other code sends on this channel.
    let channel = channel
    database.onCommit { news in
      var message = MessageWriter(capacity: 17)
      message.put(news)
      try? channel.send(message)
    }
    try channel.send(MessageWriter(Reply.answer))
    _ = try channel.receive()
  }

  private func serve(_ call: ConnectionCall, on connection: any DriverConnection) throws {
    do {
      var ended = MessageWriter(Reply.ended, capacity: 80)
      switch call {
      case .read: ended.put(try connection.read { try serve($0) })
      case .readWrite: ended.put(try connection.readWrite { try serve($0) })
      case .asyncRead: try connection.asyncRead { try serve($0) }
      case .asyncReadWrite: try connection.asyncReadWrite { try serve($0) }
      case .advance:
        let advance = try connection.advance()
        var reply = MessageWriter(Reply.answer)
        reply.put(advance.snapshot)
        reply.put(UInt32(advance.jumped.count))
        for commit in advance.jumped { reply.put(commit) }
        return try channel.send(reply)
      case .endLongLivedRead:
        try connection.endLongLivedRead()
        return try channel.send(MessageWriter(Reply.answer))
      case .flushMemory:
        try connection.flushMemory()
        return try channel.send(MessageWriter(Reply.answer))
      }
      try channel.send(ended)
    } catch let error as ChannelClosed {
      throw error
    } catch is AbandonedTransaction {
      try channel.send(MessageWriter(Reply.ended))
    } catch {
      try channel.send(MessageWriter(failure: error, database))
    }
  }

  /// Executes the steps of a transaction until its end.
  private func serve(_ transaction: any DriverTransaction) throws {
    var begun = MessageWriter(Reply.answer)
    begun.put(transaction.snapshot)
    try channel.send(begun)
    while true {
      var message = try channel.receive()
      let step = try message.takeWord(TransactionStep.self)
      if step == .finish { return }
      if step == .abandon { throw AbandonedTransaction() }
      let answer = TransactionAnswer(transaction, channel)
      // The error is sent to the caller, which decides whether the transaction continues.
      do { try answer.make(step, &message) } catch let error as ChannelClosed { throw error } catch {
        try channel.send(MessageWriter(failure: error, database))
        continue
      }
      try channel.send(answer.reply)
    }
  }
}

/// The error that ends a transaction whose block has thrown in the other process.
private struct AbandonedTransaction: Error {}
