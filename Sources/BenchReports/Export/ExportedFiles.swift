internal import Foundation
internal import Glibc
internal import HarnessPrimitives

/// Exported files. All of them are complete before the first gets its name.
package enum ExportedFiles {
  /// Writes one file.
  /// - Parameters:
  ///   - text: Its contents.
  ///   - path: Its path, in a folder that exists.
  ///   - overwrites: Whether an existing file may be replaced.
  /// - Throws: `ReportError`. Then nothing has changed.
  package static func write(_ text: String, to path: String, overwrites: Bool) throws {
    let parts = PathParts(path)
    try write([(parts.name, text)], to: { _ in path }, in: parts.folder, overwrites: overwrites)
  }

  /// Writes several files into a folder, which is created if missing. No file is written if one of them already exists
  /// and must not be replaced.
  package static func write(_ files: [ExportFormat.File], into folder: String, overwrites: Bool) throws {
    try RunDirectory.createIfMissing(folder)
    try write(files.map { ($0.name, $0.text) }, to: { "\(folder)/\($0)" }, in: folder, overwrites: overwrites)
  }

  /// - Parameters:
  ///   - target: Returns the final path of the file with the given name.
  ///   - folder: The folder for unfinished files, on the same disk.
  private static func write(
    _ files: [(name: String, text: String)],
    to target: (String) -> String,
    in folder: String,
    overwrites: Bool
  ) throws {
    for file in files { try checkFree(target(file.name), overwrites: overwrites) }
    let partial = "\(folder)/.partial-export-\(UUID().uuidString)"
    try UnfinishedOutput.writing(partial, for: folder) {
      for file in files { try OutputFile.write(Data(file.text.utf8), to: "\(partial)/\(file.name)") }
      try UnfinishedOutput.publish {
        for file in files { try move("\(partial)/\(file.name)", to: target(file.name), overwrites: overwrites) }
      }
    }
  }

  /// Gives a complete file its name. A reader finds the old file or the new one, and never a part.
  private static func move(_ partial: String, to path: String, overwrites: Bool) throws {
    if !overwrites {
      // Unlike a rename, a link never replaces a file that another process has just written.
      if link(partial, path) == 0 { return }
      guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else {
        throw ReportError(path, "could not be written", code: errno)
      }
    }
    guard rename(partial, path) == 0 else { throw ReportError(path, "could not be written", code: errno) }
  }

  private static func checkFree(_ path: String, overwrites: Bool) throws {
    // A broken link counts as existing.
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    let type = attributes[.type] as? FileAttributeType
    guard type != .typeDirectory else {
      throw ReportError(path, "this is a folder", remedy: "Name a file in it.")
    }
    let isFile =
      (try? URL(fileURLWithPath: path).resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey]))?
      .isRegularFile
    guard isFile ?? (type == .typeRegular || type == .typeSymbolicLink) else {
      throw ReportError(
        path,
        "this is neither a file nor a folder",
        remedy: "Name a file; without --out one file goes to standard output."
      )
    }
    guard overwrites else {
      throw ReportError(
        path,
        "the file exists and is not overwritten",
        remedy: "Choose another name, or overwrite it with --force."
      )
    }
  }
}
