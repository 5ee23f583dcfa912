import BenchResults

extension RunResult {
  /// The run without measured figures.
  var withoutFigures: RunResult {
    var result = self
    result.phases = []
    result.samples = []
    result.checkpoints = []
    result.expectations = []
    result.invariants = []
    result.blame = BlameResult()
    return result
  }
}
