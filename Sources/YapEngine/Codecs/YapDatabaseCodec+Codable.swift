internal import Foundation

/// The form in which ``YapDatabaseCodec/codable(_:as:userInfo:)`` stores values.
public enum YapDatabaseCodableFormat: String, Sendable, CaseIterable {
  /// The binary form of ``YapDatabaseCodec/basic``. Encoding and decoding take less than half of the time of JSON.
  case binary
  /// JSON with sorted keys.
  case json
}

extension YapDatabaseCodec {
  /// Returns a codec for one `Codable` type.
  ///
  /// The codec reads values of both formats, whichever it stores.
  ///
  /// In binary form, dates, data and floating-point numbers are stored exactly, and infinite numbers are permitted. A
  /// property may change its type from one number type to another, as with JSON. ``basic`` reads such an object as
  /// `[String: Any]`.
  ///
  /// The codec accepts every value that `as?` converts to the type, for example an `NSString` for `String`, and stores
  /// the converted value. If the type is a class, or a standard container of class instances, an instance of a subclass
  /// is rejected, because decoding would return the superclass. Decoding must return a value equal to the encoded one;
  /// a type whose own coding loses a property violates this.
  ///
  /// A value that is nested too deep is rejected when it is stored: more than 512 arrays and dictionaries inside each
  /// other in binary form, or 511 in JSON. A keyed container, such as a struct's, is a dictionary; an enumeration with
  /// associated values has two. If a deep value needs more stack than the calling thread has left, the type's functions
  /// are called on another thread while this one waits.
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - format: The format of stored values.
  ///   - userInfo: The values that the type finds in the `userInfo` of encoders and decoders.
  public static func codable<Object: Codable & Sendable>(
    _ type: Object.Type,
    as format: YapDatabaseCodableFormat = .binary,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) -> YapDatabaseCodec {
    let userInfo = CodableUserInfo(userInfo)
    let mayHoldSubclasses = DeclaredTypes.nameClasses(type)
    let json = CodableJSON<Object>(userInfo)
    return YapDatabaseCodec { object, _, _, write in
      guard let object = object as? Object else { throw UnsupportedType("\(type)", found: object) }
      do {
        switch format {
        case .binary:
          try CodableValueEncoder.bytes(of: object, userInfo: userInfo.any).withUnsafeBytes(write)
        case .json: try json.encode(object).withUnsafeBytes(write)
        }
      } catch EncodingError.invalidValue(let value, let context) {
        throw InvalidValue(value, context)
      }
    } decode: { bytes, _, _ in
      // JSON begins with no byte of the header.
      if bytes.first == BasicFormat.header[0] {
        return try CodableValueDecoder.value(type, of: bytes, userInfo: userInfo.any)
      }
      return try json.decode(bytes)
    } normalize: { object, _, _ in
      if Swift.type(of: object) == type, !mayHoldSubclasses { return object }
      guard let converted = object as? Object else { throw UnsupportedType("\(type)", found: object) }
      if mayHoldSubclasses, let found = DeclaredTypes.subclassedInstance(in: converted, declaredAs: type) {
        throw SubclassedInstance(expected: type, found: found)
      }
      return converted
    }
  }
}

/// The values that a client passes to its types by the coders' `userInfo`.
// The dictionaries do not change, and all values are `Sendable`.
struct CodableUserInfo: @unchecked Sendable {
  let sendable: [CodingUserInfoKey: any Sendable]
  /// The same values, as `Encoder` and `Decoder` declare them.
  let any: [CodingUserInfoKey: Any]

  init(_ values: [CodingUserInfoKey: any Sendable]) {
    sendable = values
    any = values
  }
}

/// An `EncodingError`, with the type of the value instead of a description, which would list all of a deep value's
/// contents.
private struct InvalidValue: Error, CustomStringConvertible {
  let description: String

  init(_ value: Any, _ context: EncodingError.Context) {
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    let found = value is any BasicValue ? "\(value) (\(type(of: value)))" : "a value of type \(type(of: value))"
    let reason = context.underlyingError.map { " (\($0))" } ?? ""
    description = "found \(found)\(path.isEmpty ? "" : " at \(path)"): \(context.debugDescription)\(reason)"
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
