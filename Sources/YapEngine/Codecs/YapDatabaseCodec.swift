internal import Foundation

/// Turns objects into bytes and back.
///
/// Both closures are called on whatever thread runs the transaction. The bytes given to `decode` may lie in SQLite's
/// memory: they are valid during the call only, and what is made from them must be a copy.
public struct YapDatabaseCodec: Sendable {
  /// Gives `write` the object's bytes, once, or throws. The collection and key tell where the object goes.
  public typealias Encode =
    @Sendable (
      _ object: Any, _ collection: String, _ key: String, _ write: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Void
  public typealias Decode =
    @Sendable (
      _ bytes: UnsafeRawBufferPointer, _ collection: String, _ key: String
    ) throws -> Any

  let encode: Encode
  let decode: Decode

  public init(encode: @escaping Encode, decode: @escaping Decode) {
    self.encode = encode
    self.decode = decode
  }

  /// Bytes as they are: stores `[UInt8]` and `Data`, returns `[UInt8]`.
  public static let bytes = YapDatabaseCodec(encode: encodeBytes) { bytes, _, _ in [UInt8](bytes) }

  /// Bytes as they are: stores `[UInt8]` and `Data`, returns `Data`.
  public static let data = YapDatabaseCodec(encode: encodeBytes) { bytes, _, _ in Data(bytes) }

  /// JSON of one `Codable` type.
  public static func codable<Object: Codable & Sendable>(_ type: Object.Type) -> YapDatabaseCodec {
    YapDatabaseCodec { object, _, _, write in
      guard let object = object as? Object else { throw MismatchedType(expected: "\(type)", found: object) }
      try JSONEncoder().encode(object).withUnsafeBytes(write)
    } decode: { bytes, _, _ in
      try JSONDecoder().decode(type, from: Data(bytes))
    }
  }

  private static let encodeBytes: Encode = { object, _, _, write in
    if let bytes = object as? [UInt8] {
      try bytes.withUnsafeBytes(write)
    } else if let data = object as? Data {
      try data.withUnsafeBytes(write)
    } else {
      throw MismatchedType(expected: "[UInt8] or Data", found: object)
    }
  }
}

private struct MismatchedType: Error, CustomStringConvertible {
  let description: String

  init(expected: String, found: Any) {
    description = "the codec stores \(expected), found \(type(of: found))"
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

  /// Gives `write` the bytes of `object`. An error of the codec is told as one, an error of `write` passes through.
  ///
  /// A codec that gives no bytes, or gives them twice, is told too: the row would not be what the caches hold.
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
