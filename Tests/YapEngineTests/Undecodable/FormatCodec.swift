@testable import YapEngine

extension YapDatabaseCodec {
  /// Stores bytes behind the number of their format. Bytes of another format cannot be decoded.
  static func format(_ number: UInt8) -> YapDatabaseCodec {
    YapDatabaseCodec { object, _, _, write in
      guard let content = object as? [UInt8] else { throw Deliberate() }
      try ([number] + content).withUnsafeBytes(write)
    } decode: { bytes, _, _ in
      guard bytes.first == number else { throw Deliberate() }
      return [UInt8](bytes.dropFirst())
    }
  }
}

extension YapDatabaseOptions {
  /// Objects and metadata of one format.
  /// - Parameter handler: nil for the default, which stops.
  static func format(_ number: UInt8, _ handler: YapDatabaseUndecodableValue.Handler? = nil) -> Self {
    var options = quick
    options.defaultObjectCodec = .format(number)
    options.defaultMetadataCodec = .format(number)
    if let handler { options.undecodableValueHandler = handler }
    return options
  }
}

/// The answers of a handler that tests compare.
enum UndecodableChoice: String, CaseIterable {
  case stop, skip, replace, replaceWithNil

  /// "R" for an object and "r" for metadata, or nil.
  var handler: YapDatabaseUndecodableValue.Handler {
    { value in
      switch self {
      case .stop: .stop
      case .skip: .skip
      case .replace: .replace(with: bytes(value.part == .object ? "R" : "r"))
      case .replaceWithNil: .replace(with: nil)
      }
    }
  }
}
