internal import Glibc
internal import ThreadingPrimitives

/// The process that has started this one and has the other end of its standard input.
public enum ParentProcess {
  /// Ends this process as soon as standard input ends, which happens when the parent ends.
  /// - Throws: `ThreadError`.
  public static func endWithIt() throws {
    try WorkerThread(name: "parent") { waitForEnd() }.detach()
  }

  private static func waitForEnd() {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { _exit(1) }
    }
  }
}
