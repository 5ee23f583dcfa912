internal import Foundation

extension YapDatabaseCodec {
  /// Returns a codec for one `Codable` type. It stores JSON with sorted keys.
  ///
  /// The codec accepts every value that `as?` converts to the type, for example an `NSString` for `String`, and stores
  /// the converted value. If the type is a class, or a standard container of class instances, an instance of a subclass
  /// is rejected, because decoding would return the superclass. Decoding must return a value equal to the encoded one;
  /// a type whose own coding loses a property violates this.
  public static func codable<Object: Codable & Sendable>(_ type: Object.Type) -> YapDatabaseCodec {
    let mayHoldSubclasses = DeclaredTypes.nameClasses(type)
    return YapDatabaseCodec { object, _, _, write in
      guard let object = object as? Object else { throw UnsupportedType("\(type)", found: object) }
      let encoder = JSONEncoder()
      // A dictionary's order differs between encodings, but equal values must have equal bytes.
      encoder.outputFormatting = .sortedKeys
      try encoder.encode(object).withUnsafeBytes(write)
    } decode: { bytes, _, _ in
      try JSONDecoder().decode(type, from: Data(bytes))
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

private struct SubclassedInstance: Error, CustomStringConvertible {
  let description: String

  init(expected: Any.Type, found: AnyObject) {
    description =
      "the codec stores \(expected), found an instance of the subclass \(type(of: found)), which decoding would return "
      + "as its superclass; store an instance of the class itself, or give the collection a codec of its own"
  }
}
