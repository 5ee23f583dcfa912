internal import Glibc

/// A regular file that is open for reading.
///
/// Goal: a path that a user names is opened or refused immediately. Opening a named pipe waits for a writer, reading a
/// terminal waits for input, and reading /dev/zero never ends. Therefore everything except a regular file is refused
/// before the first byte is read.
public final class RegularFile: Sendable {
  public let path: String
  /// Valid as long as this instance lives.
  public let descriptor: Int32

  /// Opens the file at `path`, and follows symbolic links.
  ///
  /// - Throws: `FileProblem` if nothing is there, if it is not a regular file, and if it cannot be opened.
  public init(path: String) throws(FileProblem) {
    // Checked before opening, because opening a device may have effects.
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileProblem(path, notBeing: "opened", code: errno) }
    try Self.checkIsRegular(status, path)
    // A named pipe may have replaced the file since. O_NONBLOCK prevents it from blocking.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileProblem(path, notBeing: "opened", code: errno) }
    self.path = path
    self.descriptor = descriptor
    guard fstat(descriptor, &status) == 0 else { throw FileProblem(path, notBeing: "examined", code: errno) }
    try Self.checkIsRegular(status, path)
  }

  deinit { close(descriptor) }

  /// Returns the bytes from the start of the file.
  ///
  /// - Parameter most: The largest number of bytes that is returned; the rest of a longer file is not read.
  /// - Throws: `FileProblem` if the file cannot be read.
  public func contents(upTo most: Int) throws(FileProblem) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < most {
      let part = try read(at: bytes.count, count: min(1 << 20, most - bytes.count))
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }

  /// Reads `count` bytes from an offset; fewer if the file ends before.
  ///
  /// - Throws: `FileProblem` if the file cannot be read.
  public func read(at offset: Int, count: Int) throws(FileProblem) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { return }
        filled += got
      }
    }
    if failure != 0 { throw FileProblem(path, notBeing: "read", code: failure) }
    return bytes
  }

  static func checkIsRegular(_ status: stat, _ path: String) throws(FileProblem) {
    let kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: nil as String?
      case S_IFDIR: "a folder"
      case S_IFIFO: "a named pipe"
      case S_IFSOCK: "a socket"
      case S_IFCHR, S_IFBLK: "a device"
      default: "a special file"
      }
    if let kind { throw FileProblem(path, .notRegular(kind: kind)) }
  }
}

/// Distinguishes a file from another one that has replaced it at the same path.
public struct FileIdentity: Sendable, Equatable {
  private let device: UInt
  private let number: UInt

  /// - Returns: nil if there is no file at `path`, or if the system does not report its status.
  public init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
  }
}
