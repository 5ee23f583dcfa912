internal import BenchComparison
internal import BenchModel
internal import BenchReports
internal import Glibc
internal import ThreadingPrimitives

extension CommandContext {
  /// From here on Ctrl-C raises `interruption` and interrupts the child process that runs. A second one ends both
  /// processes at once.
  func interruptRunsOnSignals() throws {
    guard watchesSignals else { return }
    let (interruption, errors) = (interruption, errors)
    try SignalWatch(
      onFirst: {
        interruption.raise()
        RunningChild.send(SIGINT)
        errors.line("interrupted: ending the current run; once more ends at once")
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
