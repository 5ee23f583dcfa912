internal import Glibc

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
