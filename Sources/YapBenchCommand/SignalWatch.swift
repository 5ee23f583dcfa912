internal import BenchReports
internal import BenchResults
internal import Glibc
internal import HarnessPrimitives
internal import Synchronization
internal import ThreadingPrimitives

/// Waits for SIGINT (Ctrl-C), SIGTERM, SIGQUIT (Ctrl-\), and the SIGHUP of a terminal that is closed. A separate thread
/// waits, so that no code has to be safe in a signal handler and no system call of the run is interrupted. Child
/// processes start without blocked signals.
final class SignalWatch: Sendable {
  /// The time after the first signal in which further signals are ignored: some programs forward a signal to children
  /// that have received it already.
  static let echoNanoseconds: UInt64 = 200_000_000

  private let onFirst: @Sendable () -> Void
  private let onSecond: @Sendable () -> Void
  private let firstAt = Mutex<UInt64?>(nil)

  /// - Parameter onSecond: Called for a signal after `echoNanoseconds`, and for SIGQUIT at any time.
  init(onFirst: @escaping @Sendable () -> Void, onSecond: @escaping @Sendable () -> Void) {
    self.onFirst = onFirst
    self.onSecond = onSecond
  }

  /// Blocks the signals on this thread and on threads that it starts from now on, and starts a thread that waits for
  /// them until the process ends.
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

  /// Handles one signal. SIGQUIT ends the process immediately, as a second signal does.
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
    // From here on, another signal ends the process even if `onSecond` hangs.
    setMask(SIG_UNBLOCK, Self.signals)
    onSecond()
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in watched { sigaddset(&signals, signal) }
    return signals
  }

  /// The signals that are waited for. A blocked signal is received even if it is ignored. `nohup` ignores SIGHUP, and a
  /// shell ignores SIGQUIT for programs in the background, so these two are omitted if they are ignored.
  static var watched: [Int32] {
    [SIGINT, SIGTERM] + [SIGHUP, SIGQUIT].filter { !isIgnored($0) }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    // Functions cannot be compared, and SIG_IGN is a number and not a function.
    let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignored
  }
}

private func setMask(_ how: Int32, _ signals: sigset_t) {
  var signals = signals
  pthread_sigmask(how, &signals, nil)
}

extension CommandContext {
  /// Makes the first signal raise `interruption` and call `onFirst`, and a second one call `end`, which must end the
  /// process. SIGQUIT calls `end` at once. Has no effect if the context does not watch signals.
  func watchSignals(
    onFirst: @escaping @Sendable () -> Void,
    end: @escaping @Sendable () -> Void = discardOutputAndEnd
  ) throws {
    guard watchesSignals else { return }
    let interruption = interruption
    try SignalWatch(
      onFirst: {
        interruption.raise()
        onFirst()
      },
      onSecond: end
    ).start()
  }

  /// Makes Ctrl-C raise `interruption`, interrupt the running child process, if any, and show a message. A second
  /// Ctrl-C kills the child process and ends this one.
  func interruptRunsOnSignals(_ display: ProgressDisplay) throws {
    try watchSignals {
      ChildProcess.sendToRunning(SIGINT)
      display.showMessage("interrupted: ending the current run; interrupt again to end immediately")
    } end: {
      ChildProcess.sendToRunning(SIGKILL)
      Program.end(ExitStatus.interrupted.rawValue)
    }
  }

  /// Makes Ctrl-C remove unfinished output and end the process.
  func endOnSignals() throws {
    if watchesSignals { try SignalWatch(onFirst: Self.discardOutputAndEnd, onSecond: Self.discardOutputAndEnd).start() }
  }

  private static let discardOutputAndEnd: @Sendable () -> Void = {
    UnfinishedOutput.discardAll { Program.end(ExitStatus.interrupted.rawValue) }
  }
}
