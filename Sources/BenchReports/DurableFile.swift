internal import Foundation
internal import Glibc

/// Files that are on the disk when the call returns.
enum DurableFile {
  /// Writes a new file. One that is there is an error.
  static func write(_ contents: Data, to path: String) throws {
    try write(to: path) { append in try contents.withUnsafeBytes(append) }
  }

  /// Writes a new file piece by piece.
  static func write(to path: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw ReportError(path, "could not be created", code: errno) }
    defer { close(descriptor) }
    try body { piece in
      let code = append(piece, to: descriptor)
      guard code == 0 else { throw ReportError(path, "could not be written", code: code) }
    }
    // Some file systems have nothing to synchronize, and say so.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw ReportError(path, "could not be written", code: errno)
    }
  }

  /// Writes a file that may exist. A reader sees the old contents or the new ones.
  static func replace(_ contents: Data, at path: String) throws {
    // Two processes may replace the same file at once.
    let partial = "\(path).partial-\(getpid())"
    // Of a process that was killed.
    if FileManager.default.fileExists(atPath: partial) {
      try attempt("could not be removed", at: partial) { try FileManager.default.removeItem(atPath: partial) }
    }
    do { try write(contents, to: partial) } catch var error as ReportError {
      try? FileManager.default.removeItem(atPath: partial)
      error.path = path
      throw error
    }
    guard rename(partial, path) == 0 else { throw ReportError(path, "could not be replaced", code: errno) }
  }

  /// - Returns: 0, or the error number.
  static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      if count < 0, errno != EINTR { return errno }
      written += max(0, count)
    }
    return 0
  }

  /// - Parameter path: of a file, or of a folder whose names are to last.
  static func synchronize(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    let opened = descriptor >= 0
    // Some file systems do not synchronize folders; there is nothing more to be done on them.
    let synchronized = opened && (fsync(descriptor) == 0 || errno == EINVAL)
    let code = errno
    if opened { close(descriptor) }
    guard synchronized else { throw ReportError(path, "could not be brought to the disk", code: code) }
  }
}

extension ReportError {
  static let checkFolder = "Check that the folder is yours to write and that its disk has room."

  /// - Parameter code: the system's error number.
  init(_ path: String, _ problem: String, code: Int32) {
    self.init(path: path, problem: "\(problem) (\(String(cString: strerror(code))))", remedy: Self.checkFolder)
  }
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
