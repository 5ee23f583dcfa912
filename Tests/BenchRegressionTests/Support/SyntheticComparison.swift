import ComparisonFixtures
import Foundation
import HarnessPrimitives

@testable import BenchRegression
@testable import BenchResults

/// Simulated runs of a comparison on a machine with known noise.
struct SyntheticComparison {
  var scenarios = ["reads", "commits"]
  /// The factor of the head's instructions in each pair of runs that counts them; empty for no such runs.
  var countedFactors: [Double] = []
  var pairs = 20
  var confirmingPairs = 20
  var seed: UInt64 = 1
  /// The change of the head's p50, as a share, by scenario; negative ones are better.
  var slowdowns: [String: Double] = [:]
  /// Standard deviation of the noise of each run.
  var noise = 0.01
  /// The share by which a fixed piece of work takes longer before runs of the head.
  var machineSlowdown = 0.0
  var stages = [1, 2]

  var setting: ComparisonJudge.Setting {
    ComparisonJudge.Setting(
      base: Self.arm("base"),
      head: Self.arm("head"),
      machine: .madeUp(),
      design: ComparisonDesign(
        pairs: pairs,
        confirmingPairs: confirmingPairs,
        seed: seed,
        scenarios: scenarios,
        countedScenarios: countedFactors.isEmpty ? [] : ["reads"]
      )
    )
  }

  var judge: ComparisonJudge { ComparisonJudge(setting) }

  private static func arm(_ name: String) -> ComparedArm {
    ComparedArm(name: name, commit: nil, hasUncommittedChanges: false, sha256: name, settings: [])
  }

  func runs() -> [ComparedRun] {
    countedRuns()
      + stages.flatMap { stage in
        PairOrder(seed: seed).runs(of: scenarios, pairs: stage == 1 ? pairs : confirmingPairs, stage: stage).map(run)
      }
  }

  private func countedRuns() -> [ComparedRun] {
    PairOrder(seed: seed).runs(of: ["reads"], pairs: countedFactors.count, stage: 0).map { planned in
      var run = run(planned)
      // Each pair has another seed, and so other work on both sides.
      let work = 2_000 + 100 * Double(planned.pair)
      run.figures = [
        RunFigure(
          name: FigureName(workload: "reads/run/actor", metric: "instructions"),
          role: .instructions,
          unit: .number,
          value: planned.arm == .head ? work * countedFactors[planned.pair - 1] : work
        )
      ]
      return run
    }
  }

  private func run(_ planned: PlannedComparedRun) -> ComparedRun {
    var random = RandomStream(
      seed: seed,
      planned.scenario,
      "\(planned.stage)",
      "\(planned.pair)",
      planned.arm.rawValue
    )
    let slowdown = planned.arm == .head ? slowdowns[planned.scenario] ?? 0 : 0
    let time = 10_000 * (1 + slowdown) * exp(noise * random.normal())
    func name(_ metric: String) -> FigureName { FigureName(workload: "\(planned.scenario)/run/actor", metric: metric) }
    var run = ComparedRun(planned)
    run.startedAt = "2026-01-31T02:00:00Z"
    run.seconds = 1
    run.host.loadAverage = 1
    run.host.probeNanoseconds =
      1e7 * (1 + (planned.arm == .head ? machineSlowdown : 0)) * exp(0.02 * random.normal())
    run.figures = [
      RunFigure(name: name("throughput"), role: .primary, unit: .perSecond, better: .higher, value: 1e9 / time),
      RunFigure(name: name("p50"), role: .primary, unit: .nanoseconds, value: time, exceedances: 10_000),
      RunFigure(name: name("p99"), role: .primary, unit: .nanoseconds, value: 2 * time, exceedances: 200),
      RunFigure(name: name("p99.9"), role: .secondary, unit: .nanoseconds, value: 5 * time, exceedances: 20),
      RunFigure(name: name("syncs"), role: .count, unit: .number, value: 12),
    ]
    return run
  }
}

extension [ComparedRun] {
  /// The same runs with the arms exchanged.
  var exchanged: [ComparedRun] {
    map { run in
      var run = run
      run.arm = run.arm.other
      return run
    }
  }
}
