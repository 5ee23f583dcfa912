internal import Glibc
internal import HarnessPrimitives

/// A regular file, opened for reading. It is neither locked nor mapped.
///
/// Closing any descriptor of a database file or its `-shm` releases every lock that the process has on that file.
/// Therefore this type must not be used for a database that the process itself has open.
final class ReadOnlyFile {
  private let file: RegularFile

  /// - Returns: nil if the file does not exist.
  /// - Throws: `InspectionError` if the path leads to something other than a regular file, or cannot be opened.
  init?(path: String) throws(InspectionError) {
    do { file = try RegularFile(path: path) } catch {
      if error.reason == .missing { return nil }
      throw InspectionError(error)
    }
  }

  struct Status {
    var bytes: Int
    /// The file's name in `/proc/locks`: the numbers of the device, in hexadecimal, and the number of the file.
    var lockName: String
  }

  func status() throws(InspectionError) -> Status {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else {
      let reason = "cannot be examined: \(String(cString: strerror(errno)))"
      throw InspectionError(path: file.path, kind: .unreadable, problem: reason, remedy: "Check its disk.")
    }
    let major = (status.st_dev >> 8) & 0xfff
    let minor = (status.st_dev & 0xff) | ((status.st_dev >> 12) & 0xfff00)
    return Status(bytes: Int(status.st_size), lockName: "\(hexadecimal(major)):\(hexadecimal(minor)):\(status.st_ino)")
  }

  /// Reads `count` bytes from an offset; fewer if the file ends before.
  func read(at offset: Int, count: Int) throws(InspectionError) -> [UInt8] {
    do { return try file.read(at: offset, count: count) } catch { throw InspectionError(error) }
  }

  /// Reads a complete file of `/proc`, whose size is not known in advance.
  func readToEnd() throws(InspectionError) -> [UInt8] {
    do { return try file.contents(upTo: .max) } catch { throw InspectionError(error) }
  }

  private func hexadecimal(_ number: UInt) -> String {
    let digits = String(number, radix: 16)
    return digits.count < 2 ? "0" + digits : digits
  }
}
