@testable import YapEngine

extension YapDatabaseCodec {
  /// A codec that stores bytes after the number of their format. Bytes of another format cannot be decoded.
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
  /// Options for objects and metadata of one format.
  /// - Parameter handler: The handler of undecodable values; nil for the default, which stops.
  static func format(_ number: UInt8, _ handler: YapDatabaseUndecodableValue.Handler? = nil) -> Self {
    var options = quick
    options.defaultObjectCodec = .format(number)
    options.defaultMetadataCodec = .format(number)
    if let handler { options.undecodableValueHandler = handler }
    return options
  }
}

/// The results of a handler.
enum UndecodableChoice: String, CaseIterable {
  case stop, skip, replace, replaceWithNil

  /// A handler whose replacements are "R" for an object and "r" for metadata, or nil.
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
