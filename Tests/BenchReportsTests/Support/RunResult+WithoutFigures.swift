import BenchModel

extension RunResult {
  /// The run as it would be if nothing had been measured.
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
