internal import Glibc
internal import Synchronization
internal import ThreadingPrimitives

/// Waits for Ctrl-C, SIGTERM, the SIGQUIT of Ctrl-\, and the SIGHUP of a terminal that goes away. It does so on its own
/// thread, so that nothing has to be safe inside of a signal handler and no system call of the run is interrupted.
/// Child processes inherit the blocked signals: only SIGKILL ends them.
final class SignalWatch: Sendable {
  /// Some programs pass a signal on to children that have had it already; this near to the first it is the same one.
  static let echoNanoseconds: UInt64 = 200_000_000

  private let onFirst: @Sendable () -> Void
  private let onSecond: @Sendable () -> Void
  private let firstAt = Mutex<UInt64?>(nil)

  /// - Parameter onSecond: is also called for every later one.
  init(onFirst: @escaping @Sendable () -> Void, onSecond: @escaping @Sendable () -> Void) {
    self.onFirst = onFirst
    self.onSecond = onSecond
  }

  /// Blocks the signals on this thread and those that it starts from now on, and listens until the process ends.
  func start() throws(ThreadError) {
    let signals = Self.signals
    setMask(SIG_BLOCK, signals)
    try WorkerThread(name: "signals") {
      while true {
        var signal: Int32 = 0
        var awaited = signals
        if sigwait(&awaited, &signal) == 0 { self.received(signal, at: MonotonicClock.now) }
      }
    }.detach()
  }

  /// Handles one signal. SIGQUIT ends the process at once, like the second of any other.
  func received(_ signal: Int32, at now: UInt64) {
    if signal == SIGQUIT { return end() }
    let first = firstAt.withLock { first in
      defer { first = first ?? now }
      return first
    }
    guard let first else { return onFirst() }
    guard now >= first + Self.echoNanoseconds else { return }
    end()
  }

  private func end() {
    // From here on a further one ends the process even if its end hangs.
    setMask(SIG_UNBLOCK, Self.signals)
    onSecond()
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in watched { sigaddset(&signals, signal) }
    return signals
  }

  /// A signal that is blocked arrives even where it is ignored. `nohup` ignores SIGHUP, and a shell ignores SIGQUIT
  /// for programs in the background, so they are left out there.
  static var watched: [Int32] {
    [SIGINT, SIGTERM] + [SIGHUP, SIGQUIT].filter { !isIgnored($0) }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    // Functions cannot be compared; and the handler that ignores is none, but a number.
    let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignored
  }
}

private func setMask(_ how: Int32, _ signals: sigset_t) {
  var signals = signals
  pthread_sigmask(how, &signals, nil)
}
