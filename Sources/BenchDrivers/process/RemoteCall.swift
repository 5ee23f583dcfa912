/// What the harness asks of a connection in the engine's process.
enum ConnectionCall: UInt8 {
  case read, readWrite, asyncRead, asyncReadWrite
  case advance, endLongLivedRead, flushMemory
}

/// What it asks of a transaction.
enum TransactionStep: UInt8 {
  case object, metadata, row, exists, storedObject, storedMetadata, objects, scan, enumerate, enumerateRows
  case hasView, viewRange, count, set, setMetadata, replace, touch, remove, removeAll
  /// The block returns, or throws.
  case finish, abandon
}

/// How an answer of the engine's process begins.
enum Reply: UInt8 {
  /// What was asked for follows.
  case answer
  /// One of several parts; more follow.
  case part
  /// The text of an error, and whether it tells of a damaged file.
  case failure
  /// The transaction has ended as the engine's call did; what that returned follows, unless nothing was done.
  case ended
}

/// What the harness asks of the engine's process itself.
enum ProcessCall: UInt8 {
  case commit, observe, checkpoints, checkpoint, vacuum, register, close
}

/// What a channel to the engine's process is for.
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

  /// Puts another word in the place of the first.
  mutating func begin(with word: some RawRepresentable<UInt8>) { bytes[0] = word.rawValue }
}

/// What the engine has thrown in its own process.
struct RemoteError: Error, CustomStringConvertible {
  let description: String
  let tellsOfDamage: Bool
}

/// The engine's process has gone, and with it whatever was under way there.
public struct EngineProcessGone: Error, CustomStringConvertible {
  public var description: String { "the engine's process has gone" }
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

/// The engine's process has ended otherwise than it should.
struct EngineProcessFailed: Error, CustomStringConvertible {
  /// Its exit code, or the number of the signal that ended it.
  var status: Int32
  var isSignal: Bool

  var description: String { "the engine's process ended with \(isSignal ? "signal" : "exit code") \(status)" }
}
