/// The text that identifies the stored form of a view: a stored view is used only if its text is the one that the view
/// would be stored with.
///
/// For a view without dependencies it is the version tag. The closures of other views read their dependencies, so their
/// text also has a digest of the stored tags and of the numbers of these. A dependency makes the stored view unusable
/// if it has another version tag, or if it was populated again, which gives it another number: rows that compare as
/// equal may then have another order.
struct StoredTag: Sendable, Equatable {
  let text: String

  private static let digestBytes = 17

  init(text: String) { self.text = text }

  /// - Parameter states: The registered extensions, with all dependencies of the view.
  init(of view: YapDatabaseView, among states: ExtensionStates) {
    guard !view.options.dependencies.isEmpty else {
      text = view.versionTag
      return
    }
    // FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for registered in states.dependencies(of: view) {
      let tag = StoredTag(of: registered.view, among: states)
      for part in [registered.name.text, tag.text, String(registered.number ?? 0)] {
        for byte in [UInt8](part.utf8) + [0xff] { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
      }
    }
    let hex = String(digest, radix: 16)
    text = view.versionTag + "\u{0}" + String(repeating: "0", count: 16 - hex.utf8.count) + hex
  }

  /// The version tag of the view.
  var versionTag: String {
    let bytes = Array(text.utf8)
    guard bytes.count >= Self.digestBytes, bytes[bytes.count - Self.digestBytes] == 0 else { return text }
    return String(decoding: bytes.dropLast(Self.digestBytes), as: UTF8.self)
  }

  static func == (left: StoredTag, right: StoredTag) -> Bool { left.text.hasSameBytes(as: right.text) }
}
