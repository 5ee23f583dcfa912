internal import BenchModel

extension RunReport {
  /// The use of memory, processors and allocations in the recorded phases.
  var memory: ReportSection? {
    let phases = result.phases.filter(\.isRecorded)
    var table = ReportTable([
      ("phase", .left), ("resident peak", .right), ("allocated at start", .right), ("at end", .right),
      ("peak", .right), ("user", .right), ("system", .right), ("context switches", .right),
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
      ? "Of the harness only: the engine ran in a separate process"
      : "Of the whole process, including the harness and the data that its checks need"
    let remark: ReportText = whose + "; processor time as a share of one core."
    return ReportSection(
      anchor: "memory",
      title: "Memory and processors",
      blocks: [.table(table), .paragraph([remark])] + allocations
    )
  }

  /// Whether an event ended the engine's process, which implies that it was not the harness's.
  private var hasEngineProcess: Bool {
    result.phases.contains { $0.events.contains { ["kill", "reopen"].contains($0.word) } }
  }

  private var allocations: [ReportBlock] {
    var table = ReportTable([
      ("phase", .left), ("actor", .left), ("operations", .right), ("allocations per operation", .right),
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
      "Allocations of the actor's own threads, counted by jemalloc: "
      + (hasEngineProcess ? "" : "those of the engine, and ")
      + "those of the harness for drawing, checking and passing values. Asynchronous work on other threads is not "
      + "included."
    return [.table(table), .paragraph([remark])]
  }
}
