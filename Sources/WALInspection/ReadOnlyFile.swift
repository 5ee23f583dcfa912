internal import Glibc

/// A file that is only looked at: no locks, no maps, no writing.
///
/// Closing any descriptor of a database file or its `-shm` gives up every lock that the process has on it. So none is
/// opened in a process that uses the database itself.
final class ReadOnlyFile {
  private let descriptor: Int32
  private let path: String

  /// - Returns: nil where there is no such file.
  /// - Throws: `InspectionError` when there is one that cannot be opened.
  init?(path: String) throws(InspectionError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    self.path = path
    if descriptor < 0, errno == ENOENT { return nil }
    if descriptor < 0 { throw InspectionError(path, cannot: "be opened", errno) }
  }

  deinit { close(descriptor) }

  struct Status {
    var bytes: Int
    /// As `/proc/locks` writes it: numbers of the device, in hexadecimal, and the number of the file.
    var lockName: String
    var isRegular: Bool
  }

  func status() throws(InspectionError) -> Status {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw InspectionError(path, cannot: "be looked at", errno) }
    let major = (status.st_dev >> 8) & 0xfff
    let minor = (status.st_dev & 0xff) | ((status.st_dev >> 12) & 0xfff00)
    return Status(
      bytes: Int(status.st_size),
      lockName: "\(hexadecimal(major)):\(hexadecimal(minor)):\(status.st_ino)",
      isRegular: status.st_mode & S_IFMT == S_IFREG
    )
  }

  /// Up to so many bytes from an offset: fewer where the file ends before.
  func read(at offset: Int, count: Int) throws(InspectionError) -> [UInt8] {
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
    if failure != 0 { throw InspectionError(path, cannot: "be read", failure) }
    return bytes
  }

  /// All of a file of `/proc`, whose size nobody knows before.
  func readToEnd() throws(InspectionError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let part = try read(at: bytes.count, count: 1 << 16)
      if part.isEmpty { return bytes }
      bytes += part
    }
  }

  private func hexadecimal(_ number: UInt) -> String {
    let digits = String(number, radix: 16)
    return digits.count < 2 ? "0" + digits : digits
  }
}
