@testable import YapEngine

/// A mutable object, as programs have them: two of equal content are not the same.
// The tests mutate one only where nobody else may look at it; whether that is so is what the sanitizer checks.
class Instance: @unchecked Sendable {
  var content: [UInt8]

  required init(_ content: [UInt8]) { self.content = content }

  convenience init(_ text: String) { self.init(bytes(text)) }

  /// Stores an instance, or bytes as they are; returns an instance.
  static func codec<Kind: Instance>(_ kind: Kind.Type) -> YapDatabaseCodec {
    YapDatabaseCodec { object, _, _, write in
      let content = (object as? Instance)?.content ?? object as? [UInt8]
      guard let content else { throw Deliberate() }
      try content.withUnsafeBytes(write)
    } decode: { bytes, _, _ in
      kind.init([UInt8](bytes))
    }
  }
}

/// One that can be copied.
final class CopyableInstance: Instance, DatabaseCopyable, @unchecked Sendable {
  func databaseCopy() -> CopyableInstance { CopyableInstance(content) }
}

/// One that returns itself as its copy.
final class UncopiedInstance: Instance, DatabaseCopyable, @unchecked Sendable {
  func databaseCopy() -> UncopiedInstance { self }
}
