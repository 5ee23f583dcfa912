extension YapDatabaseCodec {
  /// The default codec, for basic values. It stores them in a compact binary form that includes their types.
  ///
  /// | stored | comes back as |
  /// | --- | --- |
  /// | `String`, `Bool`, `Int`, `Int8` … `UInt64`, `Float`, `Double`, `Date`, `Data`, `[UInt8]`, `UUID` | itself |
  /// | `URL` | a `URL` of the same absolute string |
  /// | arrays of these, of any element type | `[Any]` |
  /// | dictionaries of these with `String` keys, of any value type | `[String: Any]` |
  /// | `NSString`, `NSDate`, `NSData`, `NSURL`, `NSUUID`, `NSArray`, `NSDictionary` | the Swift type |
  /// | `NSNumber` | `Bool`; `Int`, or `UInt64` above `Int.max`; `Double` for fractions |
  /// | `NSNull` | `NSNull` |
  /// | an optional with a value | that value |
  ///
  /// `as?` converts `[Any]` to `[Int]` and `[String: Any]` to `[String: Double]`, and so do the typed reads. Arrays and
  /// dictionaries can be nested up to 64 deep. All other values are rejected with a `codec` error that names the type:
  /// nil inside a container, `Set`, `Decimal`, and types of your own, which need ``codable(_:)`` or another codec.
  /// Equal values have equal bytes, regardless of the order of a dictionary. Texts that differ only in their Unicode
  /// form keep their own bytes.
  ///
  /// Decoding rejects bytes of another codec with the same error.
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
