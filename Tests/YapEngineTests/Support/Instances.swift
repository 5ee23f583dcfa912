@testable import YapEngine

/// A mutable object of a program. Two instances with equal content are not identical.
// The tests mutate an instance only while no other thread uses it, which the thread sanitizer checks.
class Instance: @unchecked Sendable {
  var content: [UInt8]

  required init(_ content: [UInt8]) { self.content = content }

  convenience init(_ text: String) { self.init(bytes(text)) }

  /// A codec that stores instances and bytes, and returns instances.
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

/// An instance that can be copied.
final class CopyableInstance: Instance, DatabaseCopyable, @unchecked Sendable {
  func databaseCopy() -> CopyableInstance { CopyableInstance(content) }
}

/// One that returns itself as its copy.
final class UncopiedInstance: Instance, DatabaseCopyable, @unchecked Sendable {
  func databaseCopy() -> UncopiedInstance { self }
}
