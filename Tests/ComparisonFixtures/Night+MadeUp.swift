package import BenchResults
import Foundation

extension ComparedMachine {
  package static func madeUp(cpu: String = "a processor") -> ComparedMachine {
    var environment = RunEnvironment()
    (environment.cpu, environment.coreCount, environment.memoryBytes) = (cpu, 2, 8 << 30)
    (environment.kernel, environment.fileSystem, environment.sqliteVersion) = ("6.1", "ext4", "3.40.1")
    return ComparedMachine(environment)
  }
}

extension Night.Figure {
  /// A duration whose logarithm has changed by `effect`.
  package static func madeUp(
    _ name: FigureName,
    effect: Double?,
    interval95Percent: PercentInterval? = nil
  ) -> Night.Figure {
    let figure = RunFigure(name: name, role: .primary, unit: .nanoseconds, value: 1_000)
    var result = FigureResult(of: figure, verdict: .unchanged)
    (result.base, result.head) = (1_000, 1_000 * exp(effect ?? 0))
    result.interval95Percent = interval95Percent
    return Night.Figure(result, effect: effect)
  }
}
