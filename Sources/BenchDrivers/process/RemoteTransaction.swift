/// A transaction in the engine's process, within its block. Each call is a message and its reply.
struct RemoteTransaction: DriverTransaction {
  let snapshot: UInt64
  let channel: Channel

  private func ask(_ step: TransactionStep, _ arguments: (inout MessageWriter) -> Void) throws -> MessageReader {
    try send(step, arguments)
    return try answer().reader
  }

  /// Sends a step whose reply has several parts, and visits their contents.
  private func askForParts(
    _ step: TransactionStep,
    _ arguments: (inout MessageWriter) -> Void,
    _ visit: (inout MessageReader) throws -> Void
  ) throws {
    try send(step, arguments)
    while true {
      var (reader, isLast) = try answer()
      while !reader.isAtEnd { try visit(&reader) }
      if isLast { return }
    }
  }

  private func send(_ step: TransactionStep, _ arguments: (inout MessageWriter) -> Void) throws {
    var message = MessageWriter(step)
    arguments(&message)
    do { try channel.send(message) } catch { throw EngineProcessGone() }
  }

  /// - Throws: The error that the engine has thrown.
  private func answer() throws -> (reader: MessageReader, isLast: Bool) {
    var reader: MessageReader
    do { reader = try channel.receive() } catch { throw EngineProcessGone() }
    switch try reader.takeWord(Reply.self) {
    case .answer: return (reader, true)
    case .part: return (reader, false)
    case .failure: throw try reader.takeError()
    case .ended: throw DamagedMessage()
    }
  }

  private func ask(_ step: TransactionStep, _ key: String, _ collection: String) throws -> MessageReader {
    try ask(step) { $0.put(key, collection) }
  }

  func object(_ key: String, in collection: String) throws -> [UInt8]? {
    var reader = try ask(.object, key, collection)
    return try reader.takeOptionalBytes()
  }

  func metadata(_ key: String, in collection: String) throws -> [UInt8]? {
    var reader = try ask(.metadata, key, collection)
    return try reader.takeOptionalBytes()
  }

  func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)? {
    var reader = try ask(.row, key, collection)
    guard let object = try reader.takeOptionalBytes() else { return nil }
    return (object, try reader.takeOptionalBytes())
  }

  func exists(_ key: String, in collection: String) throws -> Bool {
    var reader = try ask(.exists, key, collection)
    return try reader.takeBool()
  }

  func storedObject(_ key: String, in collection: String) throws -> [UInt8]? {
    var reader = try ask(.storedObject, key, collection)
    return try reader.takeOptionalBytes()
  }

  func storedMetadata(_ key: String, in collection: String) throws -> [UInt8]? {
    var reader = try ask(.storedMetadata, key, collection)
    return try reader.takeOptionalBytes()
  }

  /// Instances do not cross processes.
  func document(_ key: String, in collection: String) -> Document? { nil }

  func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    try visitObjects(.objects, keys, collection, visit)
  }

  func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    try visitObjects(.scan, keys, collection, visit)
  }

  private func visitObjects(
    _ step: TransactionStep,
    _ keys: [String],
    _ collection: String,
    _ visit: (Int, [UInt8]?) -> Void
  ) throws {
    try askForParts(step) { message in
      message.put(keys)
      message.put(collection)
    } _: { reader in
      let index = Int(try reader.take(UInt32.self))
      visit(index, try reader.takeOptionalBytes())
    }
  }

  func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws {
    try askForParts(.enumerate) {
      $0.put(collection)
    } _: { reader in
      let key = try reader.takeText()
      visit(key, try reader.takeBytes())
    }
  }

  func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws {
    try askForParts(.enumerateRows) {
      $0.put(collection)
    } _: { reader in
      let key = try reader.takeText()
      let object = try reader.takeBytes()
      visit(key, object, try reader.takeOptionalBytes())
    }
  }

  func hasView(_ view: String) throws -> Bool {
    var reader = try ask(.hasView) { $0.put(view) }
    return try reader.takeBool()
  }

  func viewRange(
    _ view: String,
    group: String,
    from place: Int,
    count: Int,
    _ visit: (_ key: String, _ object: [UInt8]) -> Void
  ) throws {
    try askForParts(.viewRange) { message in
      message.put([view, group])
      message.put(Int64(place))
      message.put(Int64(count))
    } _: { reader in
      let key = try reader.takeText()
      visit(key, try reader.takeBytes())
    }
  }

  func count(in collection: String) throws -> Int {
    var reader = try ask(.count) { $0.put(collection) }
    return Int(try reader.take(Int64.self))
  }

  func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
    _ = try ask(.set) { message in
      message.put(key, collection)
      message.put(object)
      message.put(metadata)
    }
  }

  func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
    _ = try ask(.setMetadata) { message in
      message.put(key, collection)
      message.put(metadata)
    }
  }

  func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
    _ = try ask(.replace) { message in
      message.put(key, collection)
      message.put(object)
    }
  }

  func touch(_ key: String, in collection: String) throws { _ = try ask(.touch, key, collection) }
  func remove(_ key: String, in collection: String) throws { _ = try ask(.remove, key, collection) }
  func removeAll(in collection: String) throws { _ = try ask(.removeAll) { $0.put(collection) } }
}

extension MessageWriter {
  mutating func put(_ key: String, _ collection: String) {
    put(key)
    put(collection)
  }
}

extension MessageReader {
  mutating func takeError() throws(DamagedMessage) -> RemoteError {
    RemoteError(description: try takeText(), isDamage: try takeBool())
  }
}
