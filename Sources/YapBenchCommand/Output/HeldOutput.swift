internal import Synchronization

/// Keeps the output of a step.
final class HeldOutput: TextOutput {
  private let text = Mutex("")
  private let next: (any TextOutput)?

  init(passingOnTo next: (any TextOutput)? = nil) { self.next = next }

  func write(_ text: String) {
    self.text.withLock { $0 += text }
    next?.write(text)
  }

  var firstLine: String? { text.withLock { $0.split(separator: "\n").first.map(String.init) } }

  /// Without the word "error".
  var lastError: String? {
    let mark = "error: "
    let line = text.withLock { $0.split(separator: "\n").last { $0.hasPrefix(mark) } }
    return line.map { String($0.dropFirst(mark.count)) }
  }
}
