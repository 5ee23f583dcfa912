internal import BenchResults

/// The use of memory and processors in the recorded phases.
enum MemorySection {
  static func section(of result: RunResult) -> ReportSection? {
    let phases = result.phases.filter(\.isRecorded)
    var table = ReportTable(
      names: ["phase"],
      numbers: ["resident peak", "allocated at start", "at end", "peak", "user", "system", "context switches"]
    )
    for phase in phases {
      let samples = result.samples.filter { $0.phase == phase.name }
      guard let first = samples.first, let last = samples.last else { continue }
      func cores(_ time: KeyPath<EngineSample, UInt64>) -> ReportText {
        let elapsed = Double(last.elapsedNanoseconds) - Double(first.elapsedNanoseconds)
        let spent = Double(last[keyPath: time] - min(first[keyPath: time], last[keyPath: time]))
        return .text(elapsed > 0 ? Quantity.percent(spent, of: elapsed) : Quantity.missing)
      }
      let switches = last.contextSwitches - min(first.contextSwitches, last.contextSwitches)
      table.append([
        .code(phase.name), .bytes(samples.map(\.residentBytes).max()), .bytes(first.allocatedBytes),
        .bytes(last.allocatedBytes), .bytes(samples.compactMap(\.allocatedBytes).max()), cores(\.userCPUNanoseconds),
        cores(\.systemCPUNanoseconds), .count(switches),
      ])
    }
    guard !table.isEmpty else { return nil }
    let recorded = Set(phases.map(\.name))
    let peak = result.samples.filter { recorded.contains($0.phase) }.map(\.residentBytes).max()
    let whose: ReportText =
      result.hasEngineProcess
      ? "Of the harness only: the engine ran in a separate process"
      : "Of the whole process, including the harness and the data that its checks need"
    let remark: ReportText = whose + "; processor time as a share of one core."
    return ReportSection(
      anchor: "memory",
      title: "Memory and processors",
      blocks: [.table(table), .explanation([remark])] + allocations(of: result),
      folded: peak.map { "resident peak \(Quantity.bytes($0))" } ?? ""
    )
  }

  private static func allocations(of result: RunResult) -> [ReportBlock] {
    var table = ReportTable(names: ["phase", "actor"], numbers: ["operations", "allocations per operation"])
    for phase in result.phases where phase.isRecorded {
      for actor in phase.actors {
        guard let mean = actor.allocationsPerOperation else { continue }
        table.append([
          .code(phase.name), .code(actor.name), .count(actor.operationCount), .text(Quantity.threeDigits(mean)),
        ])
      }
    }
    guard !table.isEmpty else { return [] }
    let remark: ReportText =
      "Allocations of the actor's own threads, counted by jemalloc: "
      + (result.hasEngineProcess ? "" : "those of the engine, and ")
      + "those of the harness for drawing, checking and passing values. Asynchronous work on other threads is not "
      + "included."
    return [.table(table), .explanation([remark])]
  }
}

enum EnvironmentSection {
  /// A section for each machine.
  static func sections(of result: ScenarioResult) -> [ReportSection] {
    result.sectionsByMachine(titled: " of ") { machine, _ in section(of: machine) }
  }

  static func section(of result: RunResult) -> ReportSection { section(of: [[result]], hasSettings: true) }

  /// - Parameter result: A result of one machine. The settings of compared engines have a section of their own.
  private static func section(of result: ScenarioResult) -> ReportSection {
    let drivers = result.runs.map(\.driver).withoutDuplicates.sorted()
    return section(
      of: drivers.map { driver in result.runs.filter { $0.driver == driver } },
      hasSettings: result.engines == nil
    )
  }

  /// - Parameters:
  ///   - drivers: The runs of each driver; none is empty.
  ///   - hasSettings: Whether the settings of the drivers are listed.
  private static func section(of drivers: [[RunResult]], hasSettings: Bool) -> ReportSection {
    let environment = drivers[0][0].environment
    var table = ReportTable(names: ["environment", ""])
    func append(_ name: ReportText, _ value: ReportText) { table.append([name, value]) }
    if let machine = environment.machine { append("machine", .text(machine)) }
    append("processor", "\(environment.cpu), \(Quantity.count(environment.coreCount, of: "core"))")
    if let limits = environment.processorLimits { append("processor limits", "\(strong: .text(limits.text))") }
    append("memory", .bytes(environment.memoryBytes))
    append("kernel", .text(environment.kernel))
    append("file system", .text(environment.fileSystem))
    append("load average at start", .text(Quantity.threeDigits(environment.loadAverage)))
    for cost in MachineCosts.Kind.allCases {
      let measured = drivers.joined().compactMap { $0.environment.costs?[cost] }
      guard let least = measured.min(), let greatest = measured.max() else { continue }
      let range = [least, greatest].map { Quantity.duration(nanoseconds: $0) }.withoutDuplicates
      append("\(code: "machine.\(cost.rawValue)")", "\(range.joined(separator: " to ")), \(cost.meaning)")
    }
    for runs in drivers {
      let (driver, engine) = (runs[0].driver, runs[0].engine)
      let sizes = runs.map(\.pageSizeBytes).withoutDuplicates
      let pages = sizes.count == 1 && sizes[0] > 0 ? ", pages of \(Quantity.bytes(sizes[0]))" : ""
      append("driver", "\(code: driver): \(engine.library)\(pages)")
      // Variants may differ in settings, which their names have.
      let common = engine.options.filter { option in runs.allSatisfy { $0.engine.options.contains(option) } }
      for option in hasSettings ? common : [] { append("\(code: driver): \(option.name)", .text(option.value)) }
    }
    append("Swift", "\(environment.swiftVersion), \(environment.buildMode) build")
    append("allocator", .text(environment.allocator))
    append(
      "commit",
      (environment.commit.map(ReportText.code) ?? "not known (\(environment.commitProblem ?? "not in a checkout"))")
        + (environment.hasUncommittedChanges ? ", \(strong: "with uncommitted changes")" : "")
    )
    let libraries = drivers.map(\.[0].engine.library).withoutDuplicates
    let processor = [Quantity.count(environment.coreCount, of: "core"), environment.processorLimits?.text]
    let summary = (processor.compactMap { $0 } + libraries).joined(separator: ", ")
    return ReportSection(
      anchor: "environment",
      title: "Environment",
      blocks: [.table(table)] + (walResetExposure(of: drivers).map { [.paragraph([$0])] } ?? []),
      folded: environment.buildMode == "release" && !environment.hasUncommittedChanges ? .text(summary) : nil
    )
  }

  /// The exposure to a defect that loses pages if the WAL restarts during a checkpoint, which every driver prevents;
  /// nil without a driver of SQLite's WAL.
  private static func walResetExposure(of drivers: [[RunResult]]) -> ReportText? {
    let exposed = drivers.filter { $0.contains { $0.samples.contains { $0.wal != nil } } }.map { $0[0] }
    guard let first = exposed.first else { return nil }
    guard first.environment.sqliteHasWALResetDefect else {
      return "This SQLite is free of the WAL-reset defect"
        + (exposed.contains { $0.driver == "yap" }
          ? "; apart from that, the engine never lets the WAL restart during a checkpoint." : ".")
    }
    var text: ReportText =
      "This SQLite has the WAL-reset defect, which can lose pages if a checkpoint runs during commits."
    for run in exposed {
      text +=
        run.driver == "yap"
        ? " The engine never lets the WAL restart during a checkpoint, so it is not exposed."
        : " Driver \(code: run.driver) makes no checkpoint during its commits, so it is not exposed."
    }
    return text
  }
}

extension RunResult {
  /// Whether a phase that ran has one of the events for which the engine runs in a separate process.
  fileprivate var hasEngineProcess: Bool {
    phases.contains { $0.events.contains { ["kill", "reopen"].contains($0.word) } }
  }
}
