internal import BenchModel
internal import LatencyMetrics

extension RunReport {
  /// How far the harness can be trusted: its own costs and faults.
  var trust: ReportSection {
    let harness = result.harness
    let cost: ReportText =
      "The harness costs \(Quantity.duration(nanoseconds: harness.nullOperationNanoseconds)) per operation (measured "
      + "with a driver that does nothing), \(Quantity.duration(nanoseconds: harness.clockNanoseconds)) per reading of "
      + "the clock and \(Quantity.duration(nanoseconds: harness.recordingNanoseconds)) per recording of a "
      + "transaction's times"
      + (harness.lookingShare.map { "; sampling took \(Quantity.percent($0)) of one core" } ?? "")
      + "; other guests of the host took \(Quantity.percent(harness.stealShare)) of the time (steal)."
    var blocks: [ReportBlock]
    if result.phases.isEmpty {
      blocks = [.paragraph(["No phase ran, so there are no figures to judge.", cost])]
    } else if harness.distrust.isEmpty {
      blocks = [.paragraph(["No sign of measurement error.", cost])]
    } else {
      blocks = [
        .paragraph(["\(strong: "Signs of measurement error:")"]),
        .list(harness.distrust.map(ReportText.text)), .paragraph([cost]),
      ]
    }
    if result.phases.contains(where: { !$0.actors.isEmpty }) {
      let remark: ReportText =
        "Late: the delay with which a free worker started an arrival, which is an error of the generator. Checks: the "
        + "share of the working time in which workers compared what they had read with the expected values. If "
        + "transactions are so short that this share would exceed a twelfth, some of them are not checked:"
      blocks += [.paragraph([remark]), .table(Self.generators(of: result.phases))]
    }
    return ReportSection(anchor: "trust", title: "How far to trust it", blocks: blocks)
  }

  private static func generators(of phases: [PhaseResult]) -> ReportTable {
    var table = ReportTable([
      ("phase", .left), ("actor", .left), ("due", .right), ("started", .right), ("% started", .right),
      ("dropped", .right), ("late p50", .right), ("late p99", .right), ("late max", .right),
      ("checks", .right),
    ])
    for phase in phases {
      for actor in phase.actors {
        let lateness = actor.lateness
        func late(_ value: UInt64) -> ReportText {
          .text(lateness.isEmpty ? Quantity.missing : Quantity.duration(nanoseconds: value))
        }
        let due = actor.load == .closed ? "closed" : actor.dueArrivals.map(Quantity.count) ?? Quantity.missing
        let share = actor.dueArrivals.map { Quantity.percent(Double(actor.begunArrivals), of: Double($0)) }
        table.append([
          .code(phase.name), .code(actor.name), .text(due), .text(Quantity.count(actor.begunArrivals)),
          .text(share ?? Quantity.missing), .text(actor.droppedArrivals.map(Quantity.count) ?? Quantity.missing),
          late(lateness.value(atPercentile: 50)), late(lateness.value(atPercentile: 99)), late(lateness.maximum),
          .text(actor.checkingShare.map(Quantity.percent) ?? Quantity.missing),
        ])
      }
    }
    return table
  }

  var environment: ReportSection {
    let environment = result.environment
    var table = ReportTable([("environment", .left), ("", .left)])
    func append(_ name: ReportText, _ value: ReportText) { table.append([name, value]) }
    append("processor", "\(environment.cpu), \(Quantity.count(environment.coreCount, of: "core"))")
    append("memory", .text(Quantity.bytes(environment.memoryBytes)))
    append("kernel", .text(environment.kernel))
    append("file system", .text(environment.fileSystem))
    append("load average at start", .text(Quantity.threeDigits(environment.loadAverage)))
    append("SQLite", "\(environment.sqliteVersion), pages of \(Quantity.bytes(result.pageSizeBytes))")
    append("Swift", "\(environment.swiftVersion), \(environment.buildMode) build")
    append("allocator", .text(environment.allocator))
    append(
      "commit",
      (environment.commit.map(ReportText.code) ?? "none (not in a checkout)")
        + (environment.hasUncommittedChanges ? ", \(strong: "with uncommitted changes")" : "")
    )
    return ReportSection(
      anchor: "environment",
      title: "Environment",
      blocks: [.table(table), .paragraph([walResetExposure])]
    )
  }

  /// The defect loses pages if the WAL restarts during a checkpoint, which our own engine prevents.
  private var walResetExposure: ReportText {
    let isOurs = result.driver == "yap"
    guard result.environment.sqliteHasWALResetDefect else {
      return "This SQLite is free of the WAL-reset defect"
        + (isOurs ? "; apart from that, the engine never lets the WAL restart during a checkpoint." : ".")
    }
    return "This SQLite has the WAL-reset defect, which can lose pages if a checkpoint runs during commits. "
      + (isOurs
        ? "The engine never lets the WAL restart during a checkpoint, so it is not exposed."
        : "Driver \(code: result.driver) does not prevent that.")
  }

  /// Conclusions that the run does not support.
  var limits: ReportSection {
    limits(
      spread: "A single run shows no spread: comparing commits takes repeated, interleaved runs."
    )
  }

  /// - Parameter spread: The sentence about the spread of the figures.
  func limits(spread: ReportText) -> ReportSection {
    var lines: [ReportText] = [
      spread,
      "The WAL, the pins and the memory are sampled every "
        + "\(Quantity.duration(nanoseconds: result.samplingNanoseconds)); peaks between two samples are not seen.",
      "Data in the operating system's cache is read without the disk.",
      "A loss of power was not tested, nor was any other machine or file system.",
    ]
    if result.phases.contains(where: { $0.actors.contains { $0.load == .closed } }) {
      lines.append("A closed load slows down with the engine, so a stall affects few of its samples.")
    }
    if result.environment.buildMode != "release" {
      lines.append("This was not a release build: its speed is meaningless.")
    }
    if result.environment.hasUncommittedChanges {
      lines.append("The checkout had uncommitted changes: the commit does not identify the code that ran.")
    }
    return ReportSection(anchor: "limits", title: "What this run does not show", blocks: [.list(lines)])
  }
}
