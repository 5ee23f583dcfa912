internal import BenchScenario

/// Serves one channel in the engine's process: calls to the engine, to a connection and to a transaction.
struct Conversation {
  let channel: Channel
  let database: any DriverDatabase

  /// Serves the channel until a close call.
  /// - Throws: `ChannelClosed` if the other process has closed the channel or ended; `DamagedMessage`. Connections and
  ///   transactions of the channel have then ended.
  func serve() throws {
    while true {
      let received = try receive(ProcessCall.self)
      switch received.call {
      case .commit: try received.answer { database.commit }
      case .observe: try received.answer(database.observe)
      case .checkpoints: try received.answer(database.checkpoints)
      case .checkpoint: try received.answer(database.checkpoint)
      case .vacuum: try received.answer(database.vacuum)
      case .register: try received.answer(database.register)
      case .close: return try received.answer(database.close)
      case .reportCommits:
        let channel = channel
        // The engine reports commits one after the other. The harness opens connections only after the answer, so no
        // commit is reported while the answer is sent.
        try received.answer {
          database.onCommit { try? channel.send(MessageWriter($0.commit, $0.writtenAt)) }
        }
      case .connect:
        var connection: (any DriverConnection)?
        try received.answer { connection = try database.connect($0) }
        if let connection { try serve(connection) }
      }
    }
  }

  private func receive<Call: MessageField>(_ calls: Call.Type) throws -> ReceivedCall<Call> {
    try ReceivedCall(calls, on: channel, to: database)
  }

  private func serve(_ connection: any DriverConnection) throws {
    while true {
      let received = try receive(ConnectionCall.self)
      switch received.call {
      case .read: try received.answer { try connection.read(serve) }
      case .readWrite: try received.answer { try connection.readWrite(serve) }
      case .asyncRead: try received.answer { try connection.asyncRead(serve) }
      case .asyncReadWrite: try received.answer { try connection.asyncReadWrite(serve) }
      case .advance:
        try received.answer { (collection) -> (UInt64, [UInt64], [DriverAdvance.Changes]) in
          let advance = try connection.advance(changesIn: collection)
          return (advance.snapshot, advance.jumped, advance.changes)
        }
      case .endLongLivedRead: try received.answer(connection.endLongLivedRead)
      case .flushMemory: try received.answer(connection.flushMemory)
      }
    }
  }

  /// Serves the calls of a transaction until its end.
  private func serve(_ transaction: any DriverTransaction) throws {
    try channel.send(MessageWriter(Reply.answer, transaction.snapshot))
    while true {
      let received = try receive(TransactionCall.self)
      switch received.call {
      case .object: try received.answer(transaction.object)
      case .metadata: try received.answer(transaction.metadata)
      case .row:
        try received.answer { (key, collection) -> ([UInt8]?, [UInt8]?) in
          let row = try transaction.row(key, in: collection)
          return (row?.object, row?.metadata)
        }
      case .exists: try received.answer(transaction.exists)
      case .storedObject: try received.answer(transaction.storedObject)
      case .storedMetadata: try received.answer(transaction.storedMetadata)
      case .objects: try received.answerRows { try transaction.objects($1, in: $2, $0) }
      case .scan: try received.answerRows { try transaction.scan($1, in: $2, $0) }
      case .enumerate: try received.answerRows { try transaction.enumerate($1, $0) }
      case .enumerateRows: try received.answerRows { try transaction.enumerateRows($1, $0) }
      case .hasView: try received.answer(transaction.hasView)
      case .viewRange: try received.answerRows { try transaction.viewRange($1, group: $2, from: $3, count: $4, $0) }
      case .count: try received.answer(transaction.count)
      case .set: try received.answer(transaction.set)
      case .setMetadata: try received.answer(transaction.setMetadata)
      case .replace: try received.answer(transaction.replace)
      case .touch: try received.answer(transaction.touch)
      case .remove: try received.answer(transaction.remove)
      case .removeAll: try received.answer(transaction.removeAll)
      case .finish: return
      case .abandon: throw AbandonedTransaction()
      }
    }
  }
}

/// The error that ends a transaction whose block has thrown in the other process.
private struct AbandonedTransaction: Error {}
