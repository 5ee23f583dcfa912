internal import BenchComparison
internal import BenchReports
internal import BenchResults
internal import Glibc
internal import Synchronization
internal import ThreadingPrimitives

/// Waits for SIGINT (Ctrl-C), SIGTERM, SIGQUIT (Ctrl-\), and the SIGHUP of a terminal that is closed. A separate thread
/// waits, so that no code has to be safe in a signal handler and no system call of the run is interrupted. Child
/// processes inherit the blocked signals; a child that neither unblocks them nor waits for them ends only by SIGKILL.
final class SignalWatch: Sendable {
  /// Some programs forward a signal to children that have received it already. A signal within this time of the first
  /// is taken for the same one.
  static let echoNanoseconds: UInt64 = 200_000_000

  private let onFirst: @Sendable () -> Void
  private let onSecond: @Sendable () -> Void
  private let firstAt = Mutex<UInt64?>(nil)

  /// - Parameter onSecond: Is also called for every later signal.
  init(onFirst: @escaping @Sendable () -> Void, onSecond: @escaping @Sendable () -> Void) {
    self.onFirst = onFirst
    self.onSecond = onSecond
  }

  /// Blocks the signals on this thread and on threads that it starts from now on, and waits for signals until the
  /// process ends.
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

  /// Handles one signal. SIGQUIT ends the process immediately, like the second of any other signal.
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
  /// shell ignores SIGQUIT for programs in the background, so signals that were ignored are omitted.
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
  /// Makes the first signal raise `interruption` and call `onFirst`, and a second one call `end`, which ends the
  /// process. Does nothing if the context does not watch signals.
  func watchSignals(onFirst: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) throws {
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

  /// Makes Ctrl-C raise `interruption`, interrupt the running child process, and show a message. A second Ctrl-C ends
  /// both processes immediately.
  func interruptRunsOnSignals(_ display: ProgressDisplay) throws {
    try watchSignals {
      RunningChild.send(SIGINT)
      display.showMessage("interrupted: ending the current run; interrupt again to end immediately")
    } end: {
      RunningChild.send(SIGKILL)
      Program.end(ExitStatus.interrupted.rawValue)
    }
  }

  /// Makes Ctrl-C remove unfinished output and end the process.
  func endOnSignals() throws {
    guard watchesSignals else { return }
    let end: @Sendable () -> Void = {
      UnfinishedOutput.discardAll { Program.end(ExitStatus.interrupted.rawValue) }
    }
    try SignalWatch(onFirst: end, onSecond: end).start()
  }
}
