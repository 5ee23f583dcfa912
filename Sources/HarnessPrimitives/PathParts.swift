/// The folder and the name in the text of a path. The file system is not asked, so links and `..` are not resolved.
///
/// Foundation's `NSString.deletingLastPathComponent` traps on Linux for a path of one character.
public struct PathParts: Sendable, Equatable {
  /// The folder, never empty: `.` if the path has no slash before its name.
  public let folder: String
  /// The last part of the path, without slashes; empty for a path without any other character.
  public let name: String

  /// Splits a path as `dirname` and `basename` do: slashes at its end do not count, and several slashes are one.
  public init(_ path: String) {
    // In UTF-8, because a combining character after a slash would form one `Character` with it.
    let slash = UInt8(ascii: "/")
    let bytes = Array(path.utf8)
    let end = bytes.lastIndex { $0 != slash }.map { $0 + 1 } ?? 0
    let start = bytes[..<end].lastIndex(of: slash).map { $0 + 1 } ?? 0
    name = String(decoding: bytes[start..<end], as: UTF8.self)
    if let folderEnd = bytes[..<start].lastIndex(where: { $0 != slash }) {
      folder = String(decoding: bytes[...folderEnd], as: UTF8.self)
    } else {
      folder = bytes.first == slash ? "/" : "."
    }
  }
}
