internal import BenchModel
internal import BenchReports
internal import ThreadingPrimitives

extension CommandContext {
  /// From here on Ctrl-C raises `interruption`, which ends the comparison after the current run; a second one ends the
  /// process at once. The process of the run receives the same signals.
  func interruptRunsOnSignals() throws {
    guard watchesSignals else { return }
    let (interruption, errors) = (interruption, errors)
    try SignalWatch(
      onFirst: {
        interruption.raise()
        errors.line("interrupted: ending the current run; once more ends at once")
      },
      onSecond: { Program.end(ExitStatus.interrupted.rawValue) }
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
