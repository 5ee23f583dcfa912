internal import Foundation

/// Puts exported files where they were asked for.
public enum ExportedFiles {
  /// Writes one file.
  /// - Parameters:
  ///   - text: its contents.
  ///   - path: where; its folder must be there.
  ///   - overwrites: whether a file that is there gives way.
  /// - Throws: `ReportError`.
  public static func write(_ text: String, to path: String, overwrites: Bool) throws {
    try checkFree(path, overwrites: overwrites)
    guard overwrites else { return try DurableFile.write(Data(text.utf8), to: path) }
    // A reader finds the old file or the new one, and never a part.
    let partial = "\(path).partial-\(UUID().uuidString)"
    do {
      try DurableFile.write(Data(text.utf8), to: partial)
      guard rename(partial, path) == 0 else {
        throw ReportError(
          path: path,
          problem: "could not be written over (\(String(cString: strerror(errno))))",
          remedy: ReportError.checkFolder
        )
      }
    } catch {
      try? FileManager.default.removeItem(atPath: partial)
      throw error
    }
  }

  /// Writes several files into a folder, which is created where it is missing. Nothing is written if one of them is
  /// there already and must not be overwritten.
  public static func write(_ files: [ExportFormat.File], into folder: String, overwrites: Bool) throws {
    try RunDirectory.checkWritable(folder)
    for file in files { try checkFree("\(folder)/\(file.name)", overwrites: overwrites) }
    for file in files { try write(file.text, to: "\(folder)/\(file.name)", overwrites: overwrites) }
  }

  private static func checkFree(_ path: String, overwrites: Bool) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw ReportError(path: path, problem: "this is a folder", remedy: "Name a file in it.")
    }
    // A link that leads nowhere counts as there.
    guard !overwrites, (try? FileManager.default.attributesOfItem(atPath: path)) != nil else { return }
    throw ReportError(
      path: path,
      problem: "it is there already, and is not written over",
      remedy: "Choose another name, or write over it with --force."
    )
  }
}
