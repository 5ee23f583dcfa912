internal import Foundation

extension YapDatabaseCodec {
  /// The default codec, for basic values. It stores them in a compact binary form that includes their types.
  ///
  /// | stored | comes back as |
  /// | --- | --- |
  /// | `String`, `Bool`, `Int`, `Int8` … `UInt64`, `Float`, `Double`, `Date`, `Data`, `[UInt8]`, `UUID` | itself |
  /// | `URL` | a `URL` of the same absolute string |
  /// | `Substring`, `Character` | a `String` |
  /// | arrays, `ArraySlice` and `ContiguousArray` of these, of any element type | `[Any]`; `[UInt8]` for `UInt8` |
  /// | dictionaries of these with `String` keys, of any value type | `[String: Any]` |
  /// | `NSString`, `NSDate`, `NSData`, `NSURL`, `NSUUID`, `NSArray`, `NSDictionary` | the Swift type |
  /// | `NSNumber` | `Bool`; `Int`, or `UInt64` above `Int.max`; `Double`, also for a `Float` |
  /// | `NSNull` | `NSNull` |
  /// | an optional with a value | that value |
  ///
  /// `as?` and the typed reads convert `[Any]` to `[Int]` and `[String: Any]` to `[String: Double]`. Arrays and
  /// dictionaries can be nested up to 64 deep. All other values are rejected with a `codec` error that names the type
  /// or value and a remedy: nil inside a container; `Decimal` and `NSDecimalNumber`, which no stored number represents
  /// exactly; `Set`, which a read could not return as a `Set`; and types of your own, which need
  /// ``codable(_:as:userInfo:)`` or another codec. Equal values have equal bytes, regardless of the order of a
  /// dictionary, except equal texts in different Unicode forms, and 0.0 and -0.0. Bytes of another codec are rejected
  /// as well.
  public static let basic = YapDatabaseCodec { object, _, _, write in
    var encoder = BasicValueEncoder()
    try encoder.encode(object)
    try encoder.bytes.withUnsafeBytes(write)
  } decode: { bytes, _, _ in
    try BasicValueDecoder.value(of: bytes)
  } normalize: { object, _, _ in
    try BasicValueNormalization.normalized(object)
  }
}

extension YapDatabaseCodec {
  /// A codec for bytes without a header. Accepts `[UInt8]` and `Data`; returns `[UInt8]`.
  public static let bytes = YapDatabaseCodec(storesBytes: true, encode: encodeBytes) { bytes, _, _ in
    [UInt8](bytes)
  } normalize: { object, _, _ in
    if let data = object as? Data { return [UInt8](data) }
    if let bytes = object as? [UInt8] { return bytes }
    throw UnsupportedType("[UInt8] or Data", found: object)
  }

  /// A codec for bytes without a header. Accepts `[UInt8]` and `Data`; returns `Data`.
  public static let data = YapDatabaseCodec(encode: encodeBytes) { bytes, _, _ in
    Data(bytes)
  } normalize: { object, _, _ in
    if type(of: object) == Data.self, let data = object as? Data { return data.basicValue }
    // Copy: an `NSMutableData` may change later.
    if let data = object as? Data { return data.withUnsafeBytes { Data($0) } }
    if let bytes = object as? [UInt8] { return Data(bytes) }
    throw UnsupportedType("[UInt8] or Data", found: object)
  }

  private static let encodeBytes: Encode = { object, _, _, write in
    if let bytes = exactly([UInt8].self, object) ?? (object as? [UInt8]) {
      try bytes.withUnsafeBytes(write)
    } else if let data = object as? Data {
      try data.withUnsafeBytes(write)
    } else {
      throw UnsupportedType("[UInt8] or Data", found: object)
    }
  }
}

/// The error for a value of a type that the codec does not store.
struct UnsupportedType: Error, CustomStringConvertible {
  let description: String

  init(_ expected: String, found: Any) {
    description = "the codec stores \(expected), found \(type(of: found))"
  }
}
