public import BenchModel
public import ThreadingPrimitives

/// One run of one scenario: from its dataset to its verdict.
public struct BenchmarkRun: Sendable {
  let loaded: LoadedScenario
  let options: RunOptions
  let interruption: StopFlag
  let onProgress: @Sendable (RunProgress) -> Void

  /// - Parameters:
  ///   - loaded: the scenario, with a seed.
  ///   - interruption: raised to end the run early; what was measured until then is returned.
  ///   - onProgress: is told how the run goes, on the thread that runs it.
  public init(
    _ loaded: LoadedScenario, options: RunOptions, interruption: StopFlag = StopFlag(),
    onProgress: @escaping @Sendable (RunProgress) -> Void = { _ in }
  ) {
    self.loaded = loaded
    self.options = options
    self.interruption = interruption
    self.onProgress = onProgress
  }
}
