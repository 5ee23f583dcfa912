internal import Foundation
internal import Glibc
internal import HarnessPrimitives

/// Output files, written by system calls, because Foundation's errors do not contain the system's reason.
enum OutputFile {
  /// Writes a new file. Throws if the path exists.
  static func write(_ contents: Data, to path: String) throws {
    try write(to: path) { append in try contents.withUnsafeBytes(append) }
  }

  /// Writes a new file. `body` passes the pieces of its contents to a function.
  static func write(to path: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
    let descriptor = try create(path)
    defer { close(descriptor) }
    try body { piece in
      let code = append(piece, to: descriptor)
      guard code == 0 else { throw ReportError(path, "could not be written", code: code) }
    }
  }

  /// Writes a file, and replaces an existing one, whose permissions stay. A reader sees either the old contents or the
  /// new contents. Of a symbolic link, the file that it names is replaced.
  static func replace(_ contents: Data, at path: String) throws {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let parts = PathParts(target)
    let partial = "\(parts.folder)/\(UnfinishedOutput.prefix)\(UUID().uuidString)"
    do {
      try UnfinishedOutput.writing(partial, for: path) {
        let file = "\(partial)/\(parts.name)"
        try write(contents, to: file)
        var old = stat()
        if stat(target, &old) == 0 { chmod(file, old.st_mode & 0o777) }
        try UnfinishedOutput.publish {
          guard rename(file, target) == 0 else {
            throw ReportError(path, "could not be replaced", code: errno)
          }
        }
      }
    } catch var error as ReportError {
      error.path = path
      throw error
    }
  }

  /// Creates a file, and returns its descriptor for writing. Throws if the path exists.
  static func create(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw ReportError(path, "could not be created", code: errno) }
    return descriptor
  }

  /// - Returns: 0 if all bytes were written; otherwise the error number.
  static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      if count < 0, errno != EINTR { return errno }
      written += max(0, count)
    }
    return 0
  }
}

extension ReportError {
  static let checkFolder = "Check that you may write to the folder and that its disk has free space."

  /// - Parameter code: The system's error number.
  init(_ path: String, _ problem: String, code: Int32) {
    self.init(path, "\(problem) (\(String(cString: strerror(code))))", remedy: Self.checkFolder)
  }
}

/// Runs `body`. Rethrows a `ReportError` unchanged, and throws a `ReportError` for `path` in place of any other error.
func attempt<Value>(_ problem: String, at path: String, _ body: () throws -> Value) throws -> Value {
  do {
    return try body()
  } catch let error as ReportError {
    throw error
  } catch {
    throw ReportError(path, "\(problem) (\(error.localizedDescription))", remedy: ReportError.checkFolder)
  }
}
