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
        let elapsed = Double(last.elapsedNanoseconds - first.elapsedNanoseconds)
        let spent = Double(last[keyPath: time] - min(first[keyPath: time], last[keyPath: time]))
        return .text(elapsed > 0 ? Quantity.percent(spent, of: elapsed) : Quantity.missing)
      }
      let switches = last.contextSwitches.flatMap { last in first.contextSwitches.map { max(last - $0, 0) } }
      table.append([
        .code(phase.name), bytes(samples.map(\.residentBytes).max()), bytes(first.allocatedBytes),
        bytes(last.allocatedBytes), bytes(samples.compactMap(\.allocatedBytes).max()), cores(\.userCPUNanoseconds),
        cores(\.systemCPUNanoseconds), .text(switches.map(Quantity.count) ?? Quantity.missing),
      ])
    }
    guard !table.isEmpty else { return nil }
    let remark: ReportText =
      "Of the whole process, with the harness and what it keeps for its checks; processor time as a share of one core."
    return ReportSection(
      anchor: "memory",
      title: "Memory and processors",
      blocks: [.table(table), .paragraph([remark])] + allocations
    )
  }

  private var allocations: [ReportBlock] {
    let recorded = Set(result.phases.filter(\.isRecorded).map(\.name))
    let counted = (result.allocations ?? []).filter { recorded.contains($0.phase) && $0.operations > 0 }
    guard !counted.isEmpty else { return [] }
    var table = ReportTable([
      ("phase", .left), ("actor", .left), ("operations", .right), ("allocations an operation", .right),
    ])
    for allocation in counted {
      let mean = allocation.perOperation.map(Quantity.threeDigits) ?? Quantity.missing
      table.append([
        .code(allocation.phase), .code(allocation.actor), .text(Quantity.count(allocation.operations)), .text(mean),
      ])
    }
    let remark: ReportText =
      "Allocations are those of the actor's own threads, counted by jemalloc: the engine's there, and the harness's "
      + "for drawing, checking and handing over values. What asynchronous calls do elsewhere is not among them."
    return [.table(table), .paragraph([remark])]
  }
}
