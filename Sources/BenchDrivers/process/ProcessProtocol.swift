internal import BenchResults
internal import BenchScenario

// The messages between the harness and the engine's process. A request is the code of a call and its arguments, in
// order; a reply is a `Reply` and the result.

/// The calls to the engine's process, which each channel begins with.
enum ProcessCall: UInt8, MessageField {
  case commit, observe, checkpoints, checkpoint, vacuum, register, close
  /// From now on the channel serves a new connection.
  case connect
  /// From now on the process sends a notification for each commit.
  case reportCommits
}

/// The calls to a connection in the engine's process.
enum ConnectionCall: UInt8, MessageField {
  /// Answered with the snapshot. From then on the channel serves the transaction, whose end has the result.
  case read, readWrite, asyncRead, asyncReadWrite
  case advance, endLongLivedRead, flushMemory
}

/// The calls to a transaction in the engine's process.
enum TransactionCall: UInt8, MessageField {
  case object, metadata, row, exists, storedObject, storedMetadata, objects, scan, enumerate, enumerateRows
  case hasView, viewRange, count, set, setMetadata, replace, touch, remove, removeAll
  /// The block has returned (`finish`) or thrown (`abandon`). The reply to `abandon` is a failure.
  case finish, abandon
}

/// The first byte of a reply from the engine's process.
enum Reply: UInt8, MessageField {
  /// The result follows, if the call has one.
  case answer
  /// A part of the result follows. Further replies contain the rest.
  case part
  /// The fields of a `RemoteError` follow.
  case failure
}

/// The settings with which the harness makes the engine's process open a database.
struct EngineOrder: JSONField, Sendable {
  let engine: EngineSettings
  let dataset: [DatasetCollection]
  var views: [ViewSettings]
  /// The path of the database file.
  let path: String
  /// The socket on which the process listens.
  let address: SocketAddress
  var tests = EngineTestSettings()
}

/// An error that the engine has thrown in its process.
struct RemoteError: Error, CustomStringConvertible {
  let description: String
  /// Whether the error indicates a damaged file.
  let isDamage: Bool
}

extension CheckpointModeSetting: MessageField {}
extension CheckpointResult: JSONField {}
extension ConnectionSettings: JSONField {}
extension EngineConfiguration: JSONField {}
extension EngineSample: JSONField {}
extension ViewSettings: JSONField {}

extension CommitTimes: MessageField {
  init(from message: inout MessageReader) throws(DamagedMessage) {
    self = .zero
    for part in Self.parts { self[keyPath: part] = try message.take() }
  }

  func write(to message: inout MessageWriter) throws {
    for part in Self.parts { try message.put(self[keyPath: part]) }
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

  func write(to message: inout MessageWriter) throws { try message.put(commit, writtenAt, keys, isCleared) }
}
