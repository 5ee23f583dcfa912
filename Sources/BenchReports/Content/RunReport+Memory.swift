internal import BenchModel

extension RunReport {
  /// What the recorded phases took of the machine: memory, processors, allocations.
  var memory: ReportSection? {
    let phases = result.phases.filter(\.isRecorded)
    var table = ReportTable([
      ("phase", .left), ("resident, most", .right), ("allocated, first", .right), ("last", .right), ("most", .right),
      ("user", .right), ("system", .right), ("context switches", .right),
    ])
    for phase in phases {
      let samples = result.samples.filter { $0.phase == phase.name }
      guard let first = samples.first, let last = samples.last else { continue }
      func bytes(_ count: Int?) -> ReportText { .text(count.map(Quantity.bytes) ?? Quantity.missing) }
      func cores(_ time: KeyPath<EngineSample, UInt64>) -> ReportText {
        let elapsed = Double(last.elapsedNanoseconds) - Double(first.elapsedNanoseconds)
        let spent = Double(last[keyPath: time] - min(first[keyPath: time], last[keyPath: time]))
        return .text(elapsed > 0 ? Quantity.percent(spent, of: elapsed) : Quantity.missing)
      }
      let switches = last.contextSwitches - min(first.contextSwitches, last.contextSwitches)
      table.append([
        .code(phase.name), bytes(samples.map(\.residentBytes).max()), bytes(first.allocatedBytes),
        bytes(last.allocatedBytes), bytes(samples.compactMap(\.allocatedBytes).max()), cores(\.userCPUNanoseconds),
        cores(\.systemCPUNanoseconds), .text(Quantity.count(switches)),
      ])
    }
    guard !table.isEmpty else { return nil }
    let whose: ReportText =
      hasEngineProcess
      ? "Of the harness alone: the engine ran in a process of its own"
      : "Of the whole process, with the harness and what it keeps for its checks"
    let remark: ReportText = whose + "; processor time as a share of one core."
    return ReportSection(
      anchor: "memory",
      title: "Memory and processors",
      blocks: [.table(table), .paragraph([remark])] + allocations
    )
  }

  /// Whether an event ended the engine's process, which was not the harness's then.
  private var hasEngineProcess: Bool {
    result.phases.contains { $0.events.contains { ["kill", "reopen"].contains($0.word) } }
  }

  private var allocations: [ReportBlock] {
    var table = ReportTable([
      ("phase", .left), ("actor", .left), ("operations", .right), ("allocations an operation", .right),
    ])
    for phase in result.phases where phase.isRecorded {
      for actor in phase.actors {
        guard let mean = actor.allocationsPerOperation else { continue }
        table.append([
          .code(phase.name), .code(actor.name), .text(Quantity.count(actor.operationCount)),
          .text(Quantity.threeDigits(mean)),
        ])
      }
    }
    guard !table.isEmpty else { return [] }
    let remark: ReportText =
      "Allocations are those of the actor's own threads, counted by jemalloc: "
      + (hasEngineProcess ? "" : "the engine's there, and ")
      + "the harness's for drawing, checking and handing over values. What asynchronous calls do elsewhere is not "
      + "among them."
    return [.table(table), .paragraph([remark])]
  }
}
