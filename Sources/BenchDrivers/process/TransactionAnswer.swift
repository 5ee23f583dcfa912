/// Executes one step of a transaction and creates the reply.
final class TransactionAnswer {
  /// The size in bytes from which a part is sent.
  private static let partBytes = 1 << 16

  /// The last part of the reply.
  private(set) var reply = MessageWriter(Reply.answer)
  private let transaction: any DriverTransaction
  private let channel: Channel
  private var failure: ChannelClosed?

  init(_ transaction: any DriverTransaction, _ channel: Channel) {
    self.transaction = transaction
    self.channel = channel
  }

  /// Executes a step. Sends all parts of the reply except the last.
  /// - Throws: The engine's errors; `ChannelClosed` if the other process has ended.
  func make(_ step: TransactionStep, _ message: inout MessageReader) throws {
    switch step {
    case .objects, .scan: try visitObjects(step, &message)
    case .enumerate, .enumerateRows, .viewRange: try visitRows(step, &message)
    case .hasView: reply.put(try transaction.hasView(try message.takeText()))
    case .count: reply.put(Int64(try transaction.count(in: try message.takeText())))
    case .removeAll: try transaction.removeAll(in: try message.takeText())
    case .finish, .abandon: break
    default:
      let key = try message.takeText()
      try make(step, key, in: try message.takeText(), &message)
    }
    if let failure { throw failure }
  }

  private func make(
    _ step: TransactionStep,
    _ key: String,
    in collection: String,
    _ message: inout MessageReader
  ) throws {
    switch step {
    case .object: reply.put(try transaction.object(key, in: collection))
    case .metadata: reply.put(try transaction.metadata(key, in: collection))
    case .storedObject: reply.put(try transaction.storedObject(key, in: collection))
    case .storedMetadata: reply.put(try transaction.storedMetadata(key, in: collection))
    case .row:
      let row = try transaction.row(key, in: collection)
      reply.put(row?.object)
      if let row { reply.put(row.metadata) }
    case .exists: reply.put(try transaction.exists(key, in: collection))
    case .set:
      let object = try message.takeBytes()
      try transaction.set(object, metadata: try message.takeOptionalBytes(), key, in: collection)
    case .setMetadata: try transaction.setMetadata(try message.takeBytes(), key, in: collection)
    case .replace: try transaction.replace(try message.takeBytes(), key, in: collection)
    case .touch: try transaction.touch(key, in: collection)
    case .remove: try transaction.remove(key, in: collection)
    case .objects, .scan, .enumerate, .enumerateRows, .hasView, .viewRange, .count, .removeAll, .finish, .abandon: break
    }
  }

  private func visitObjects(_ step: TransactionStep, _ message: inout MessageReader) throws {
    let keys = try message.takeTexts()
    let collection = try message.takeText()
    let visit = { (index: Int, object: [UInt8]?) in
      self.reply.put(UInt32(index))
      self.reply.put(object)
      self.sendPart()
    }
    if step == .scan {
      try transaction.scan(keys, in: collection, visit)
    } else {
      try transaction.objects(keys, in: collection, visit)
    }
  }

  private func visitRows(_ step: TransactionStep, _ message: inout MessageReader) throws {
    let visit = { (key: String, object: [UInt8]) in
      self.reply.put(key)
      self.reply.put(object)
      self.sendPart()
    }
    switch step {
    case .enumerate: try transaction.enumerate(try message.takeText(), visit)
    case .enumerateRows:
      try transaction.enumerateRows(try message.takeText()) { key, object, metadata in
        reply.put(key)
        reply.put(object)
        reply.put(metadata)
        sendPart()
      }
    default:
      let names = try message.takeTexts()
      guard names.count == 2 else { throw DamagedMessage() }
      let place = Int(try message.take(Int64.self))
      let count = Int(try message.take(Int64.self))
      try transaction.viewRange(names[0], group: names[1], from: place, count: count, visit)
    }
  }

  /// Sends the reply so far as a part if it is large enough.
  private func sendPart() {
    guard reply.bytes.count >= Self.partBytes, failure == nil else { return }
    reply.begin(with: Reply.part)
    do { try channel.send(reply) } catch { failure = error }
    reply = MessageWriter(Reply.answer)
  }
}
