internal import BenchResults
internal import LatencyMetrics

/// A figure by which engines are compared.
struct EngineFigure {
  /// The phase with the actor and the operation, as an expectation writes them: `run/read.get`.
  var scope: String
  var title: String
  var unit: FigureUnit
  /// nil for a run without the figure.
  var value: (RunResult) -> Double?
}

extension EngineFigure {
  /// The figures of the recorded phases that any run has.
  static func all(in runs: [RunResult]) -> [EngineFigure] {
    let phases = runs.flatMap { $0.phases.filter(\.isRecorded).map(\.name) }.withoutDuplicates
    let all = phases.flatMap { phase in
      runs.flatMap { $0.actors(in: phase) }.withoutDuplicates.flatMap { actor in
        figures(of: actor, in: phase, runs) + figures(ofOperationsOf: actor, in: phase, runs)
      } + figures(of: phase)
    }
    return all.filter { figure in runs.contains { figure.value($0).map { $0 > 0 } ?? false } }
  }

  private static func figures(of actor: String, in phase: String, _ runs: [RunResult]) -> [EngineFigure] {
    let isOpen = runs.contains { $0.actor(actor, in: phase)?.load != .closed }
    let kind = isOpen ? TimeKind.response : .service
    let scope = "\(phase)/\(actor)"
    let throughput = EngineFigure(scope: scope, title: "throughput", unit: .perSecond) { run in
      run.throughput(of: actor, in: phase)
    }
    return [throughput] + percentiles(kind, in: scope) { $0.transactions(actor, kind, in: phase) }
  }

  /// The figures of the operations inside an actor's transactions, if there are several.
  private static func figures(ofOperationsOf actor: String, in phase: String, _ runs: [RunResult]) -> [EngineFigure] {
    let operations = runs.compactMap { $0.actor(actor, in: phase) }.flatMap(\.operations)
    let names = operations.filter { $0.isInsideTransactions && $0.times[.service] != nil }.map(\.name).withoutDuplicates
    guard names.count > 1 else { return [] }
    return names.flatMap { name in
      percentiles(.service, in: "\(phase)/\(actor).\(name)") {
        $0.actor(actor, in: phase)?.operation(name)?.times[.service]
      }
    }
  }

  private static func percentiles(
    _ kind: TimeKind,
    in scope: String,
    _ histogram: @escaping (RunResult) -> LatencyHistogram?
  ) -> [EngineFigure] {
    Percentile.compared.map { percentile in
      EngineFigure(scope: scope, title: "\(kind.rawValue) \(percentile.name)", unit: .nanoseconds) { run in
        histogram(run)?.value(at: percentile).map { Double($0) }
      }
    }
  }

  /// A phase in which no actor writes has the storage of the phase before, which is left out.
  private static func figures(of phase: String) -> [EngineFigure] {
    [
      EngineFigure(scope: phase, title: "storage peak", unit: .bytes) { run in
        let own = run.samples.filter { $0.phase == phase }
        guard own.contains(where: { $0.logicalBytes.values.contains { $0 > 0 } }) else { return nil }
        return own.compactMap(\.storageBytes).max().map(Double.init)
      },
      EngineFigure(scope: phase, title: "max lag, commits", unit: .count) { run in
        run.samples.filter { $0.phase == phase }.flatMap(\.connections).map(\.ageCommits).max().map(Double.init)
      },
    ]
  }
}
