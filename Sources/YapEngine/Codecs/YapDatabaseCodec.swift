/// Turns objects into bytes and back.
///
/// `YapDatabaseOptions` names the codecs: one for all collections, and one for each collection that differs. The
/// default is ``basic``. All closures run on the thread of the transaction.
public struct YapDatabaseCodec: Sendable {
  /// Passes the object's bytes to `write`, exactly once, or throws. The collection and key say where the object goes.
  public typealias Encode =
    @Sendable (
      _ object: Any, _ collection: String, _ key: String, _ write: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Void
  /// Returns the object for its bytes. The bytes may lie in SQLite's memory: they are valid during the call only, so
  /// the result must hold a copy.
  public typealias Decode =
    @Sendable (
      _ bytes: UnsafeRawBufferPointer, _ collection: String, _ key: String
    ) throws -> Any
  /// Returns the value that is stored in place of `object`, or throws to reject it.
  ///
  /// The result is what the engine encodes, caches and carries to other connections. It must equal, and have the same
  /// type as, what `decode` makes of its bytes. Otherwise a read returns one type while the row is cached and another
  /// one afterwards.
  public typealias Normalize =
    @Sendable (
      _ object: Any, _ collection: String, _ key: String
    ) throws -> Any

  /// In an object, so that a copy of the codec costs one reference count and not three.
  private let closures: Closures

  var encode: Encode { closures.encode }
  var decode: Decode { closures.decode }
  var normalize: Normalize? { closures.normalize }

  /// Creates a codec.
  /// - Parameters:
  ///   - encode: returns the bytes of an object.
  ///   - decode: returns the object of bytes that `encode` has returned.
  ///   - normalize: nil for a codec whose `encode` accepts no other type than `decode` returns; the engine then caches
  ///     each object as the caller passed it.
  public init(encode: @escaping Encode, decode: @escaping Decode, normalize: Normalize? = nil) {
    closures = Closures(encode: encode, decode: decode, normalize: normalize)
  }

  private final class Closures: Sendable {
    let encode: Encode
    let decode: Decode
    let normalize: Normalize?

    init(encode: @escaping Encode, decode: @escaping Decode, normalize: Normalize?) {
      self.encode = encode
      self.decode = decode
      self.normalize = normalize
    }
  }
}

private struct WrongNumberOfWrites: Error, CustomStringConvertible {
  let description: String

  init(found: String) {
    description = "the codec has to give its bytes to `write` once, and did so \(found)"
  }
}

/// The codecs of one database, fixed when it is opened.
struct CodecTable: Sendable {
  private let codecs: ByCollection<YapDatabaseCodec>
  private let noun: String

  /// - Parameter noun: what errors call the encoded thing.
  init(_ codecs: [String: YapDatabaseCodec], otherwise: YapDatabaseCodec, noun: String) {
    self.codecs = ByCollection(codecs, otherwise: otherwise)
    self.noun = noun
  }

  /// Returns the form of `object` that is encoded, cached and carried to other connections.
  @inline(__always)
  func normalized(_ object: Any, _ collection: ByteString, _ key: String) throws -> Any {
    guard let normalize = codecs[collection].normalize else { return object }
    do { return try normalize(object, collection.text, key) } catch {
      throw failed("encoded", collection.text, key, error)
    }
  }

  /// Passes the bytes of `object` to `write`. An error of the codec becomes a `codec` error, one of `write` passes
  /// through.
  ///
  /// A codec that passes no bytes, or passes them twice, fails too: the row would differ from what the caches hold.
  func encode(
    _ object: Any,
    _ collection: ByteString,
    _ key: String,
    _ write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var failure: (any Error)?
    var writes = 0
    do {
      try codecs[collection].encode(object, collection.text, key) { bytes in
        writes += 1
        guard writes == 1 else { throw WrongNumberOfWrites(found: "more than once") }
        do { try write(bytes) } catch {
          failure = error
          throw error
        }
      }
      // Asked here as well, because the codec may have caught what its `write` threw.
      if failure == nil, writes != 1 { throw WrongNumberOfWrites(found: writes == 0 ? "never" : "more than once") }
    } catch {
      if let failure { throw failure }
      throw failed("encoded", collection.text, key, error)
    }
    if let failure { throw failure }
  }

  func decode(_ bytes: UnsafeRawBufferPointer, _ collection: ByteString, _ key: String) throws -> Any {
    do {
      return try codecs[collection].decode(bytes, collection.text, key)
    } catch {
      throw failed("decoded", collection.text, key, error)
    }
  }

  private func failed(_ what: String, _ collection: String, _ key: String, _ error: any Error) -> YapDatabaseError {
    YapDatabaseError(
      .codec,
      "the \(noun) for key \"\(key)\" in collection \"\(collection)\" could not be \(what): \(error)"
    )
  }
}
