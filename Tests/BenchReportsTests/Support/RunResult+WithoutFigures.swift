import BenchModel

extension RunResult {
  /// The run as it would be if nothing had been measured.
  var withoutFigures: RunResult {
    var result = self
    result.phases = []
    result.latencies = []
    result.intervals = []
    result.samples = []
    result.checkpoints = []
    result.expectations = []
    result.invariants = []
    result.blame = .init(
      connections: [],
      togetherByteSeconds: 0,
      notCopiedByteSeconds: 0,
      freeByteSeconds: 0,
      walByteSeconds: 0
    )
    result.harness.generators = []
    return result
  }
}
