internal import BenchReports
internal import BenchScenario
internal import Glibc
internal import Synchronization

/// The destination of a command's text.
protocol TextOutput: Sendable {
  func write(_ text: String)
  /// Writes an error. Control characters of names and paths are made visible.
  func error(_ message: String)
  /// Writes an error or a warning of a file.
  func show(_ problem: Diagnostic)
  /// Whether a write would not block.
  var isReady: Bool { get }
  /// The reason why some text could not be written; nil if all was written, or if the reader closed its end.
  var failure: String? { get }
}

extension TextOutput {
  var isReady: Bool { true }
  var failure: String? { nil }

  func line(_ text: String) { write(text + "\n") }

  func error(_ message: String) { line("error: " + InertText.line(message)) }

  func show(_ problem: Diagnostic) { line(InertText.line(problem.description)) }
}

extension String {
  var withoutTrailingSpaces: String { String(reversed().drop { $0 == " " }.reversed()) }
}

/// A file descriptor, written without a buffer. Text is dropped once the reader has closed its end.
final class DescriptorOutput: TextOutput {
  private let descriptor: Int32
  /// The `errno` of the last failed write; 0 for none. EPIPE does not count.
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
          _ = waitUntilReady(timeoutMilliseconds: -1)
        } else if errno == EPIPE {
          return
        } else if errno != EINTR {
          return refusal.store(errno, ordering: .relaxed)
        }
      }
    }
  }

  var isReady: Bool { waitUntilReady(timeoutMilliseconds: 0) }

  private func waitUntilReady(timeoutMilliseconds: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&polled, 1, timeoutMilliseconds) == 1
  }
}

/// The output of a step of a night, which is kept in memory.
final class HeldOutput: TextOutput {
  private let text = Mutex("")
  private let next: (any TextOutput)?

  /// - Parameter next: An output that also receives the text.
  init(passingOnTo next: (any TextOutput)? = nil) { self.next = next }

  func write(_ text: String) {
    self.text.withLock { $0 += text }
    next?.write(text)
  }

  var firstLine: String? { text.withLock { $0.split(separator: "\n").first.map(String.init) } }

  /// The text after "error: " in the last line that begins with it; nil if there is none.
  var lastError: String? { last("error: ") }
  /// The path after "report: " in the last line that begins with it; nil if there is none.
  var report: String? { last("report: ") }

  private func last(_ mark: String) -> String? {
    let line = text.withLock { $0.split(separator: "\n").last { $0.hasPrefix(mark) } }
    return line.map { String($0.dropFirst(mark.count)) }
  }
}
