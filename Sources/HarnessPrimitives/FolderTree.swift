internal import Glibc

/// Finds files in a folder and in all folders below it.
public enum FolderTree {
  public enum Entry: Sendable, Equatable {
    /// A file of any kind. The path is relative to the searched folder.
    case file(path: String)
    /// A folder that could not be searched or a file that could not be named, with the reason.
    case problem(path: String, explanation: String)

    public var path: String {
      switch self {
      case .file(let path), .problem(let path, _): path
      }
    }
  }

  /// Lists the files below `folder` whose names end with one of the suffixes. Files and folders whose names begin with
  /// a full stop are skipped, and symbolic links to folders are not followed.
  ///
  /// - Parameter suffixes: The permitted endings of a file's name.
  /// - Returns: The entries sorted by path; nil if `folder` is not a folder.
  public static func entries(below folder: String, suffixes: [String]) -> [Entry]? {
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    var entries: [Entry] = []
    collect(&entries, in: folder, prefix: "", suffixes)
    return entries.sorted { $0.path < $1.path }
  }

  private static func collect(_ entries: inout [Entry], in folder: String, prefix: String, _ suffixes: [String]) {
    guard let stream = opendir(folder) else {
      let reason = String(cString: strerror(errno))
      let path = prefix.isEmpty ? "." : String(prefix.dropLast())
      return entries.append(.problem(path: path, explanation: "the folder cannot be read: \(reason)"))
    }
    var folders: [String] = []
    while let item = readdir(stream) {
      let name = withUnsafePointer(to: &item.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { Name($0) }
      }
      guard !name.shown.hasPrefix(".") else { continue }
      let isFolder = Self.isFolder(name, type: item.pointee.d_type, in: folder)
      guard isFolder || suffixes.contains(where: name.shown.hasSuffix) else { continue }
      guard let text = name.text else {
        let what = isFolder ? "folder" : "file"
        let explanation = "the name of this \(what) is not UTF-8; rename it"
        entries.append(.problem(path: prefix + name.shown, explanation: explanation))
        continue
      }
      if isFolder { folders.append(text) } else { entries.append(.file(path: prefix + text)) }
    }
    closedir(stream)
    // Subfolders are searched after closing the folder, so the number of open folders does not grow with the depth.
    for name in folders { collect(&entries, in: folder + "/" + name, prefix: prefix + name + "/", suffixes) }
  }

  private static func isFolder(_ name: Name, type: UInt8, in folder: String) -> Bool {
    // Some file systems do not report the type.
    guard Int(type) == Int(DT_UNKNOWN), let text = name.text else { return Int(type) == Int(DT_DIR) }
    var status = stat()
    return lstat(folder + "/" + text, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The name of a file, whose bytes need not be UTF-8.
  private struct Name {
    /// nil if the bytes are not UTF-8.
    let text: String?
    /// The name as messages show it: if it is not UTF-8, each byte that is not ASCII is written in the form `\xFF`.
    let shown: String

    init(_ pointer: UnsafePointer<CChar>) {
      text = String(validatingCString: pointer)
      shown = text ?? EscapedBytes.text(pointer)
    }
  }
}

/// Text for bytes that are not UTF-8.
public enum EscapedBytes {
  /// Returns ASCII unchanged, and every other byte in the form `\xFF`.
  public static func text(_ pointer: UnsafePointer<CChar>) -> String {
    UnsafeBufferPointer(start: pointer, count: strlen(pointer)).reduce(into: "") { text, character in
      let byte = UInt8(bitPattern: character)
      if byte < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "\\x" + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
