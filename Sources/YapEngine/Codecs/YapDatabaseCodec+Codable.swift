internal import Foundation

/// The form in which ``YapDatabaseCodec/codable(_:as:)`` stores values.
public enum YapDatabaseCodableFormat: String, Sendable, CaseIterable {
  /// The binary form of ``YapDatabaseCodec/basic``. Encoding and decoding take less than half of the time of JSON.
  case binary
  /// JSON with sorted keys.
  case json
}

extension YapDatabaseCodec {
  /// Returns a codec for one `Codable` type.
  ///
  /// The codec reads values of both formats, whichever it stores. Files that this version creates store binary values.
  /// Files of earlier versions have JSON, and further values are stored as JSON, so that all values of the file have
  /// one format. `YapDatabase.codableFormat` is the format of the file.
  ///
  /// In binary form, dates, data and floating-point numbers are stored exactly, and infinite numbers are permitted. A
  /// property may change its type from one number type to another, as with JSON. ``basic`` reads such an object as
  /// `[String: Any]`.
  ///
  /// The codec accepts every value that `as?` converts to the type, for example an `NSString` for `String`, and stores
  /// the converted value. If the type is a class, or a standard container of class instances, an instance of a subclass
  /// is rejected, because decoding would return the superclass. Decoding must return a value equal to the encoded one;
  /// a type whose own coding loses a property violates this.
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - format: The format of stored values, regardless of the file's; nil for the format of the file.
  public static func codable<Object: Codable & Sendable>(
    _ type: Object.Type,
    as format: YapDatabaseCodableFormat? = nil
  ) -> YapDatabaseCodec {
    switch format {
    case .binary: codableValues(type, encodeBinary)
    case .json: codableValues(type, encodeJSON)
    case nil: YapDatabaseCodec(codableValues(type, encodeBinary), inFilesWithJSON: codableValues(type, encodeJSON))
    }
  }

  private static func codableValues<Object: Codable & Sendable>(
    _ type: Object.Type,
    _ encode: @escaping @Sendable (Object, (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) -> YapDatabaseCodec {
    let mayHoldSubclasses = DeclaredTypes.nameClasses(type)
    return YapDatabaseCodec { object, _, _, write in
      guard let object = object as? Object else { throw UnsupportedType("\(type)", found: object) }
      try encode(object, write)
    } decode: { bytes, _, _ in
      // JSON begins with no byte of the header.
      if bytes.first == BasicFormat.header[0] { return try CodableValueDecoder.value(type, of: bytes) }
      return try JSONDecoder().decode(type, from: Data(bytes))
    } normalize: { object, _, _ in
      if Swift.type(of: object) == type, !mayHoldSubclasses { return object }
      guard let converted = object as? Object else { throw UnsupportedType("\(type)", found: object) }
      if mayHoldSubclasses, let found = DeclaredTypes.subclassedInstance(in: converted, declaredAs: type) {
        throw SubclassedInstance(expected: type, found: found)
      }
      return converted
    }
  }

  private static func encodeBinary(
    _ object: some Encodable,
    _ write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try CodableValueEncoder.bytes(of: object).withUnsafeBytes(write)
  }

  private static func encodeJSON(_ object: some Encodable, _ write: (UnsafeRawBufferPointer) throws -> Void) throws {
    let encoder = JSONEncoder()
    // A dictionary's order differs between encodings, but equal values must have equal bytes.
    encoder.outputFormatting = .sortedKeys
    try encoder.encode(object).withUnsafeBytes(write)
  }
}

private struct SubclassedInstance: Error, CustomStringConvertible {
  let description: String

  init(expected: Any.Type, found: AnyObject) {
    description =
      "the codec stores \(expected), found an instance of the subclass \(type(of: found)), which decoding would return "
      + "as its superclass; store an instance of the class itself, or give the collection a codec of its own"
  }
}

/// The number that stands for a format in a file.
enum CodableFormatNumber: Int64 {
  case json = 0
  case binary = 1

  var format: YapDatabaseCodableFormat {
    switch self {
    case .json: .json
    case .binary: .binary
    }
  }
}
