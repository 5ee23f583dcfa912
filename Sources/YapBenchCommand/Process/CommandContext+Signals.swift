internal import BenchModel
internal import BenchReports

extension CommandContext {
  /// From here on Ctrl-C takes away what is unfinished and ends the process.
  func endOnSignals() throws {
    guard watchesSignals else { return }
    let end: @Sendable () -> Void = {
      UnfinishedOutput.discardAll { Program.end(ExitStatus.interrupted.rawValue) }
    }
    try SignalWatch(onFirst: end, onSecond: end).start()
  }
}
