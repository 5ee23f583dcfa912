internal import Synchronization

@testable import YapBenchCommand

/// Keeps the written text, and calls an action when a certain text is written.
final class CapturedOutput: TextOutput {
  let isReady: Bool
  private let written = Mutex("")
  private let trigger: (text: String, action: @Sendable () -> Void)?

  init(isReady: Bool = true, when text: String? = nil, do action: @escaping @Sendable () -> Void = {}) {
    self.isReady = isReady
    trigger = text.map { ($0, action) }
  }

  var text: String { written.withLock { $0 } }
  var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast() }

  func clear() { written.withLock { $0 = "" } }

  func write(_ text: String) {
    written.withLock { $0 += text }
    if let trigger, text.contains(trigger.text) { trigger.action() }
  }
}
