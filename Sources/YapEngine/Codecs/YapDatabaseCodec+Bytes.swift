internal import Foundation

extension YapDatabaseCodec {
  /// A codec for bytes without a header. Accepts `[UInt8]` and `Data`; returns `[UInt8]`.
  public static let bytes = YapDatabaseCodec(encode: encodeBytes) { bytes, _, _ in
    [UInt8](bytes)
  } normalize: { object, _, _ in
    // The usual case takes one comparison of pointers.
    if type(of: object) == [UInt8].self { return object }
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
    if let bytes = object as? [UInt8] {
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
