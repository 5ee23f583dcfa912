internal import BenchComparison
internal import BenchModel
internal import BenchReports
internal import Glibc
internal import ThreadingPrimitives

extension CommandContext {
  /// From here on Ctrl-C raises `interruption`, interrupts the child process that runs, and is confirmed on the
  /// display. A second one ends both processes at once.
  func interruptRunsOnSignals(_ display: ProgressDisplay) throws {
    guard watchesSignals else { return }
    let interruption = interruption
    try SignalWatch(
      onFirst: {
        interruption.raise()
        RunningChild.send(SIGINT)
        display.say("interrupted: ending the current run; once more ends at once")
      },
      onSecond: {
        RunningChild.send(SIGKILL)
        Program.end(ExitStatus.interrupted.rawValue)
      }
    ).start()
  }

  /// From here on Ctrl-C takes away what is unfinished and ends the process.
  func endOnSignals() throws {
    guard watchesSignals else { return }
    let end: @Sendable () -> Void = {
      UnfinishedOutput.discardAll { Program.end(ExitStatus.interrupted.rawValue) }
    }
    try SignalWatch(onFirst: end, onSecond: end).start()
  }
}
