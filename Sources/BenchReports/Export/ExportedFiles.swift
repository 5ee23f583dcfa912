internal import Foundation
internal import Glibc

/// Puts files where they were asked for. All of them are whole before the first gets its name.
public enum ExportedFiles {
  /// Writes one file.
  /// - Parameters:
  ///   - text: its contents.
  ///   - path: where; its folder must be there.
  ///   - overwrites: whether a file that is there gives way.
  /// - Throws: `ReportError`; then nothing has changed.
  public static func write(_ text: String, to path: String, overwrites: Bool) throws {
    let parts = path as NSString
    let parent = parts.deletingLastPathComponent
    try write([(parts.lastPathComponent, text)], to: { _ in path }, by: parent.isEmpty ? "." : parent, overwrites)
  }

  /// Writes several files into a folder, which is created where it is missing. Nothing is written if one of them is
  /// there already and must not be overwritten.
  public static func write(_ files: [ExportFormat.File], into folder: String, overwrites: Bool) throws {
    try RunDirectory.createParent(folder)
    try write(files.map { ($0.name, $0.text) }, to: { "\(folder)/\($0)" }, by: folder, overwrites)
  }

  /// - Parameters:
  ///   - target: where a file of a name goes.
  ///   - folder: takes what is unfinished; on the disk that takes the files.
  private static func write(
    _ files: [(name: String, text: String)],
    to target: (String) -> String,
    by folder: String,
    _ overwrites: Bool
  ) throws {
    for file in files { try checkFree(target(file.name), overwrites: overwrites) }
    let partial = "\(folder)/.partial-export-\(UUID().uuidString)"
    try UnfinishedOutput.writing(partial, for: folder) {
      for file in files { try DurableFile.write(Data(file.text.utf8), to: "\(partial)/\(file.name)") }
      try UnfinishedOutput.publish {
        for file in files { try place("\(partial)/\(file.name)", at: target(file.name), overwrites) }
      }
      try DurableFile.synchronize(folder)
    }
  }

  /// A reader finds the old file or the new one, and never a part.
  private static func place(_ partial: String, at path: String, _ overwrites: Bool) throws {
    if !overwrites {
      // Unlike a rename, a link never replaces what somebody else has written there meanwhile.
      if link(partial, path) == 0 { return }
      guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else {
        throw ReportError(path, "could not be written", code: errno)
      }
    }
    guard rename(partial, path) == 0 else { throw ReportError(path, "could not be written", code: errno) }
  }

  private static func checkFree(_ path: String, overwrites: Bool) throws {
    // A link that leads nowhere counts as there.
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    let type = attributes[.type] as? FileAttributeType
    guard type != .typeDirectory else {
      throw ReportError(path: path, problem: "this is a folder", remedy: "Name a file in it.")
    }
    let isFile =
      (try? URL(fileURLWithPath: path).resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey]))?
      .isRegularFile
    guard isFile ?? (type == .typeRegular || type == .typeSymbolicLink) else {
      throw ReportError(
        path: path,
        problem: "this is neither a file nor a folder",
        remedy: "Name a file; without --out one file goes to standard output."
      )
    }
    guard overwrites else {
      throw ReportError(
        path: path,
        problem: "it is there already, and is not written over",
        remedy: "Choose another name, or write over it with --force."
      )
    }
  }
}
