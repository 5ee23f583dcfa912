/// Converts objects or metadata to bytes and back.
///
/// `YapDatabaseOptions` sets the codecs of objects and of metadata separately: one for all collections, and exceptions
/// for individual collections. The default is ``basic``. All closures run on the transaction's thread.
public struct YapDatabaseCodec: Sendable {
  /// Passes the object's bytes to `write` exactly once, or throws. `collection` and `key` name the row.
  public typealias Encode =
    @Sendable (
      _ object: Any, _ collection: String, _ key: String, _ write: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Void
  /// Returns the object for the given bytes. The bytes may lie in SQLite's memory and are valid only during the call,
  /// so the result must hold a copy.
  public typealias Decode =
    @Sendable (_ bytes: UnsafeRawBufferPointer, _ collection: String, _ key: String) throws -> Any
  /// Returns the value to store in place of `object`, or throws to reject it.
  ///
  /// The engine encodes the result, caches it, and carries it to other connections. The result must equal the value
  /// that `decode` returns for the encoded result, and have the same type. Otherwise a read would return one value
  /// while the row is cached and another value afterwards.
  public typealias Normalize =
    @Sendable (_ object: Any, _ collection: String, _ key: String) throws -> Any

  /// A single object, so that a copy of the codec costs one reference count instead of three.
  private let closures: Closures

  package var encode: Encode { closures.encode }
  package var decode: Decode { closures.decode }
  var normalize: Normalize? { closures.normalize }
  /// Whether a `[UInt8]` is stored as it is.
  var storesBytes: Bool { closures.storesBytes }

  /// Creates a codec.
  /// - Parameters:
  ///   - encode: Passes the bytes of an object to `write`.
  ///   - decode: Returns the object for bytes that `encode` has written.
  ///   - normalize: Returns the value to store. nil for a codec whose `encode` accepts only the type that `decode`
  ///     returns; the engine then encodes and caches each object unchanged.
  public init(encode: @escaping Encode, decode: @escaping Decode, normalize: Normalize? = nil) {
    closures = Closures(encode: encode, decode: decode, normalize: normalize, storesBytes: false)
  }

  /// - Parameter storesBytes: Whether a `[UInt8]` is stored as it is; other values are, as the closures decide.
  init(storesBytes: Bool, encode: @escaping Encode, decode: @escaping Decode, normalize: @escaping Normalize) {
    closures = Closures(encode: encode, decode: decode, normalize: normalize, storesBytes: storesBytes)
  }

  private final class Closures: Sendable {
    let encode: Encode
    let decode: Decode
    let normalize: Normalize?
    let storesBytes: Bool

    init(encode: @escaping Encode, decode: @escaping Decode, normalize: Normalize?, storesBytes: Bool) {
      self.encode = encode
      self.decode = decode
      self.normalize = normalize
      self.storesBytes = storesBytes
    }
  }
}

private struct WrongNumberOfWrites: Error, CustomStringConvertible {
  let found: String

  var description: String { "expected one call of `write` with all bytes, found \(found)" }
}

/// The codecs of a database's objects, or of its metadata; fixed when the database is opened.
// A class, so that a read retains one reference instead of several.
final class CodecTable: Sendable {
  private let codecs: ByCollection<YapDatabaseCodec>
  /// `YapDatabaseCodec.storesBytes` of each codec, which is found without a copy of the codec.
  private let storeBytes: ByCollection<Bool>
  private let noun: String

  /// - Parameter noun: The word for the encoded value in errors.
  init(_ codecs: [String: YapDatabaseCodec], otherwise: YapDatabaseCodec, noun: String) {
    self.codecs = ByCollection(codecs, otherwise: otherwise)
    storeBytes = ByCollection(codecs.mapValues(\.storesBytes), otherwise: otherwise.storesBytes)
    self.noun = noun
  }

  /// Returns the form of `object` that is encoded, cached and carried to other connections.
  @inline(__always)
  func normalized(_ object: Any, forKey key: String, in collection: ByteString) throws -> Any {
    guard let normalize = codecs[collection].normalize else { return object }
    do { return try normalize(object, collection.text, key) } catch {
      throw codecError(error, forKey: key, in: collection, "encoded")
    }
  }

  /// Returns an object that is stored as it is; nil for every other object.
  @inline(__always)
  func ownBytes(of object: Any, inCollection collection: String) -> [UInt8]? {
    storeBytes[text: collection] ? exactly([UInt8].self, object) : nil
  }

  /// Passes the bytes of `object` to `write`. Throws errors of the codec as `codec` errors, and errors of `write`
  /// unchanged.
  ///
  /// Also throws if the codec passes no bytes or passes bytes twice, because the row would differ from the cached
  /// value.
  func encode(
    _ object: Any,
    forKey key: String,
    in collection: ByteString,
    _ write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var failure: (any Error)?
    var writes = 0
    do {
      try codecs[collection].encode(object, collection.text, key) { bytes in
        writes += 1
        guard writes == 1 else { throw WrongNumberOfWrites(found: "several") }
        do { try write(bytes) } catch {
          failure = error
          throw error
        }
      }
      // Check the count here as well: the codec may have caught the error that `write` threw.
      if failure == nil, writes != 1 { throw WrongNumberOfWrites(found: writes == 0 ? "none" : "several") }
    } catch {
      if let failure { throw failure }
      throw codecError(error, forKey: key, in: collection, "encoded")
    }
    if let failure { throw failure }
  }

  /// Returns the decoder of a collection, for calls that decode many values.
  func decoder(for collection: ByteString) -> YapDatabaseCodec.Decode { codecs[collection].decode }

  func decode(_ bytes: UnsafeRawBufferPointer, forKey key: String, in collection: ByteString) throws -> Any {
    do { return try decoder(for: collection)(bytes, collection.text, key) } catch {
      throw decodingError(error, forKey: key, in: collection)
    }
  }

  /// Returns the error that reports an error of a decoder.
  func decodingError(_ error: any Error, forKey key: String, in collection: ByteString) -> YapDatabaseError {
    codecError(error, forKey: key, in: collection, "decoded")
  }

  /// - Parameter step: The step that failed: "encoded" or "decoded".
  // Not inlined, so that the code of a read contains little that a read does not execute.
  @inline(never)
  private func codecError(
    _ error: any Error,
    forKey key: String,
    in collection: ByteString,
    _ step: String
  ) -> YapDatabaseError {
    YapDatabaseError(
      .codec,
      "the \(noun) for key \"\(key)\" in collection \"\(collection.text)\" could not be \(step): \(error)"
    )
  }
}
