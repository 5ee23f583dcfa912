internal import Glibc

/// Tells a file from another one that takes its place.
public struct FileIdentity: Sendable, Equatable {
  private let device: UInt
  private let number: UInt

  /// - Returns: nil where nothing is at `path`, or where the system does not say.
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
