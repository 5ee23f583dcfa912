/// The calls of a connection in the engine's process.
enum ConnectionCall: UInt8 {
  case read, readWrite, asyncRead, asyncReadWrite
  case advance, endLongLivedRead, flushMemory
}

/// The calls of a transaction in the engine's process.
enum TransactionStep: UInt8 {
  case object, metadata, row, exists, storedObject, storedMetadata, objects, scan, enumerate, enumerateRows
  case hasView, viewRange, count, set, setMetadata, replace, touch, remove, removeAll
  /// The block has returned, or thrown.
  case finish, abandon
}

/// The first byte of a reply from the engine's process.
enum Reply: UInt8 {
  /// The result follows.
  case answer
  /// A part of the result follows, and further replies after it.
  case part
  /// The text of an error follows, and whether it indicates a damaged file.
  case failure
  /// The transaction has ended. The result of the engine's call follows, unless it has none or the block has thrown.
  case ended
}

/// The calls of the engine's process itself.
enum ProcessCall: UInt8 {
  case commit, observe, checkpoints, checkpoint, vacuum, register, close
}

/// The purpose of a channel to the engine's process.
enum ChannelPurpose: UInt8 {
  case connection, notifications, calls
}

extension MessageReader {
  mutating func takeWord<Word: RawRepresentable<UInt8>>(_: Word.Type = Word.self) throws(DamagedMessage) -> Word {
    guard let word = Word(rawValue: try take(UInt8.self)) else { throw DamagedMessage() }
    return word
  }
}

extension MessageWriter {
  init(_ word: some RawRepresentable<UInt8>, capacity: Int = 64) {
    self.init(capacity: capacity)
    put(word.rawValue)
  }

  /// Replaces the first word.
  mutating func begin(with word: some RawRepresentable<UInt8>) { bytes[0] = word.rawValue }
}

/// An error that the engine has thrown in its process.
struct RemoteError: Error, CustomStringConvertible {
  let description: String
  let isDamage: Bool
}

/// The engine's process has ended, and with it all running calls.
public struct EngineProcessGone: Error, CustomStringConvertible {
  public var description: String { "the engine's process has ended" }
}

/// The program that should host the engine did not start, or ended before it answered.
public struct EngineProcessNotStarted: Error, CustomStringConvertible {
  /// The path of the program.
  public let program: String
  /// The reason, such as the program's early exit.
  public let problem: String

  public var description: String {
    "\(program): the engine's process did not start: \(problem). "
      + "Check that this is the yapbench program; swift build --product yapbench builds it."
  }
}

/// The engine's process has ended with a failure.
struct EngineProcessFailed: Error, CustomStringConvertible {
  /// The exit code, or the number of the signal that ended the process.
  var status: Int32
  var isSignal: Bool

  var description: String { "the engine's process ended with \(isSignal ? "signal" : "exit code") \(status)" }
}
