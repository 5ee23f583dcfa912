package import BenchResults
import Foundation

extension ComparedMachine {
  package static func madeUp(cpu: String = "a processor") -> ComparedMachine {
    ComparedMachine(
      cpu: cpu,
      coreCount: 2,
      memoryBytes: 8 << 30,
      kernel: "6.1",
      fileSystem: "ext4",
      sqliteVersion: "3.40.1"
    )
  }
}

extension Night.Figure {
  /// A duration whose logarithm has changed by `effect`.
  package static func madeUp(
    _ name: FigureName,
    effect: Double,
    interval95Percent: PercentInterval? = nil
  ) -> Night.Figure {
    Night.Figure(
      name: name,
      role: .primary,
      unit: .nanoseconds,
      better: .lower,
      effect: effect,
      interval95Percent: interval95Percent,
      base: 1_000,
      head: 1_000 * exp(effect),
      verdict: .unchanged
    )
  }
}
