internal import BenchReports
internal import Glibc
internal import Synchronization

/// Where a command writes its text.
protocol TextOutput: Sendable {
  func write(_ text: String)
  /// Whether something could be written at once.
  var isReady: Bool { get }
  /// Why not all of it could be written; nil where it was, and where nobody wants to read it any more.
  var failure: String? { get }
}

extension TextOutput {
  var isReady: Bool { true }
  var failure: String? { nil }

  func line(_ text: String) { write(text + "\n") }

  /// Text from a scenario or a path may hold what controls a terminal.
  func error(_ message: String) { line("error: " + InertText.line(message)) }
}

/// A file descriptor, written to without a buffer. What nobody wants to read is dropped.
final class DescriptorOutput: TextOutput {
  private let descriptor: Int32
  /// The first error number that a write gave; 0 for none.
  private let refusal = Atomic<Int32>(0)

  init(descriptor: Int32) { self.descriptor = descriptor }

  var failure: String? {
    let code = refusal.load(ordering: .relaxed)
    return code == 0 ? nil : String(cString: strerror(code))
  }

  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
        if count > 0 {
          written += count
        } else if errno == EAGAIN {
          var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&wanted, 1, -1)
        } else if errno == EPIPE {
          return
        } else if errno != EINTR {
          return refusal.store(errno, ordering: .relaxed)
        }
      }
    }
  }

  var isReady: Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&wanted, 1, 0) == 1
  }
}
