internal import Foundation

/// Files that are on the disk when the call returns.
enum DurableFile {
  static func write(_ contents: Data, to path: String) throws {
    try attempt("could not be written", at: path) {
      try contents.write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    }
    try synchronize(path)
  }

  /// Writes a file that may be there from an attempt before.
  static func replace(_ contents: Data, at path: String) throws {
    if FileManager.default.fileExists(atPath: path) {
      try attempt("could not be removed", at: path) { try FileManager.default.removeItem(atPath: path) }
    }
    try write(contents, to: path)
  }

  /// - Parameter path: of a file, or of a folder whose names are to last.
  static func synchronize(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    let opened = descriptor >= 0
    // Some file systems do not synchronize folders; there is nothing more to be done on them.
    let synchronized = opened && (fsync(descriptor) == 0 || errno == EINVAL)
    let code = errno
    if opened { close(descriptor) }
    guard synchronized else {
      throw ReportError(
        path: path,
        problem: "could not be brought to the disk (\(String(cString: strerror(code))))",
        remedy: ReportError.checkFolder
      )
    }
  }
}

extension ReportError {
  static let checkFolder = "Check that the folder is yours to write and that its disk has room."
}

/// Runs `body` and tells its failure as one of the file at `path`.
func attempt<Value>(_ problem: String, at path: String, _ body: () throws -> Value) throws -> Value {
  do {
    return try body()
  } catch let error as ReportError {
    throw error
  } catch {
    throw ReportError(
      path: path,
      problem: "\(problem) (\(error.localizedDescription))",
      remedy: ReportError.checkFolder
    )
  }
}
