internal import FoundationEssentials

/// The release archive that contains an executable. `Scripts/package` makes archives.
public struct ReleaseArchive: Sendable, Equatable, Decodable {
  /// The commit that the executable was built from.
  public let commit: String
  /// Whether files differed from the commit.
  public let hasUncommittedChanges: Bool

  /// - Returns: nil if the executable is not in an archive, or if the archive's description cannot be read.
  public static func containing(_ executable: String) -> ReleaseArchive? {
    FileManager.default.contents(atPath: folder(of: executable) + "/../share/yapbench/build.json")
      .flatMap { try? JSONDecoder().decode(ReleaseArchive.self, from: $0) }
  }

  /// Copies the libraries that an executable of an archive loads where the system has none, so that a copy of the
  /// executable finds them. Does nothing if the executable has no such libraries.
  ///
  /// - Parameter folder: The folder of the copy. Libraries of an earlier copy in it are removed.
  /// - Throws: The error of `FileManager`.
  public static func copyLibraries(of executable: String, to folder: String) throws {
    let files = FileManager.default
    let home = self.folder(of: executable)
    // An archive has its libraries beside the executable's folder, and a copy has them inside.
    let source = ["\(home)/../lib/yapbench", "\(home)/lib/yapbench"].first { files.fileExists(atPath: $0) }
    let target = "\(folder)/lib/yapbench"
    guard let source else {
      if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
      return
    }
    // The source may be the target, so the copy is complete before the target is removed.
    let partial = "\(folder)/lib/.partial-yapbench"
    try files.createDirectory(atPath: "\(folder)/lib", withIntermediateDirectories: true)
    if files.fileExists(atPath: partial) { try files.removeItem(atPath: partial) }
    try files.copyItem(atPath: source, toPath: partial)
    if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
    try files.moveItem(atPath: partial, toPath: target)
  }

  /// Returns the folder of an executable. Symbolic links are followed, as the dynamic linker does.
  private static func folder(of executable: String) -> String {
    let file = URL(filePath: executable).resolvingSymlinksInPath()
    return file.deletingLastPathComponent().path
  }
}
