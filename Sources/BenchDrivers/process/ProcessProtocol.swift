internal import BenchResults
internal import BenchScenario

// The messages between the harness and the engine's process.

/// The purpose of a channel to the engine's process.
enum ChannelPurpose: UInt8, MessageField {
  case connection, notifications, calls
}

/// The settings with which the harness makes the engine's process open a database.
struct EngineOrder: Codable, Sendable {
  let engine: EngineSettings
  let dataset: [DatasetCollection]
  var views: [ViewSettings]
  /// The path of the database file.
  let path: String
  /// The socket on which the process listens.
  let address: SocketAddress
  var tests = EngineTestSettings()
}

/// The calls to the engine's process itself.
enum ProcessCall: UInt8, MessageField {
  case commit, observe, checkpoints, checkpoint, vacuum, register, close
}

/// The calls to a connection in the engine's process.
enum ConnectionCall: UInt8, MessageField {
  case read, readWrite, asyncRead, asyncReadWrite
  case advance, endLongLivedRead, flushMemory
}

/// A call to a transaction in the engine's process. Fields that the call does not need are empty.
struct TransactionRequest {
  enum Call: UInt8, MessageField {
    case object, metadata, row, exists, storedObject, storedMetadata, objects, scan, enumerate, enumerateRows
    case hasView, viewRange, count, set, setMetadata, replace, touch, remove, removeAll
    /// The block has returned (`finish`) or thrown (`abandon`).
    case finish, abandon
  }

  var call: Call
  /// The key of the row, or the group of the view.
  var key = ""
  /// The name of the collection, or of the view.
  var collection = ""
  var keys: [String] = []
  var object: [UInt8] = []
  var metadata: [UInt8]?
  /// The index in the view's group from which rows are visited.
  var first = 0
  /// The maximum number of rows of the view to visit.
  var count = 0
}

extension TransactionRequest: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self.init(
      call: try message.take(),
      key: try message.take(),
      collection: try message.take(),
      keys: try message.take(),
      object: try message.take(),
      metadata: try message.take(),
      first: try message.take(),
      count: try message.take()
    )
  }

  func write(to message: inout MessageWriter) {
    message.put(call)
    message.put(key)
    message.put(collection)
    message.put(keys)
    message.put(object)
    message.put(metadata)
    message.put(first)
    message.put(count)
  }
}

/// The first byte of a reply from the engine's process.
enum Reply: UInt8, MessageField {
  /// The result follows, if the call has one.
  case answer
  /// A part of the result follows. Further replies contain the rest.
  case part
  /// A `RemoteError` follows.
  case failure
  /// The transaction has ended. The result of the engine's call follows, unless it has none or the block has thrown.
  case ended
}

/// An error that the engine has thrown in its process.
struct RemoteError: Error, CustomStringConvertible, MessageField {
  let description: String
  /// Whether the error indicates a damaged file.
  let isDamage: Bool

  /// - Parameter database: nil if no database is open; the error then does not count as damage.
  init(_ error: any Error, of database: (any DriverDatabase)?) {
    description = "\(error)"
    isDamage = database?.isDamage(error) ?? false
  }

  init(from message: inout MessageReader) throws(DamagedMessage) {
    description = try message.take()
    isDamage = try message.take()
  }

  func write(to message: inout MessageWriter) {
    message.put(description)
    message.put(isDamage)
  }
}

extension CommitTimes: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self = .zero
    for part in Self.parts { self[keyPath: part] = try message.take() }
  }

  func write(to message: inout MessageWriter) {
    for part in Self.parts { message.put(self[keyPath: part]) }
  }
}

extension CommitNotification: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self.init(try message.take(), writtenAt: try message.take())
  }

  func write(to message: inout MessageWriter) {
    message.put(commit)
    message.put(writtenAt)
  }
}

extension DriverAdvance: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self.init(snapshot: try message.take(), jumped: try message.take(), changes: try message.take())
  }

  func write(to message: inout MessageWriter) {
    message.put(snapshot)
    message.put(jumped)
    message.put(changes)
  }
}

extension DriverAdvance.Changes: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self.init(
      commit: try message.take(),
      writtenAt: try message.take(),
      keys: try message.take(),
      isCleared: try message.take()
    )
  }

  func write(to message: inout MessageWriter) {
    message.put(commit)
    message.put(writtenAt)
    message.put(keys)
    message.put(isCleared)
  }
}
