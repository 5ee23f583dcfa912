internal import BenchModel
internal import LatencyMetrics

extension RunReport {
  /// How far the harness can be trusted: its own costs and faults.
  var trust: ReportSection {
    let harness = result.harness
    let cost: ReportText =
      "Its own cost is \(Quantity.duration(nanoseconds: harness.nullOperationNanoseconds)) an operation (measured with "
      + "a driver that does nothing), \(Quantity.duration(nanoseconds: harness.clockNanoseconds)) a reading of the "
      + "clock"
      + " and \(Quantity.duration(nanoseconds: harness.recordingNanoseconds)) the recording of a transaction's times"
      + (harness.lookingShare.map { "; taking samples and times took \(Quantity.percent($0)) of one core" } ?? "")
      + "; the host gave \(Quantity.percent(harness.stealShare)) of the time to others (steal)."
    var blocks: [ReportBlock]
    if result.phases.isEmpty {
      blocks = [.paragraph(["No phase ran, so the harness has no figures to speak for.", cost])]
    } else if harness.distrust.isEmpty {
      blocks = [.paragraph(["The harness found nothing that speaks against its figures.", cost])]
    } else {
      blocks = [
        .paragraph(["\(strong: "The harness distrusts these figures:")"]),
        .list(harness.distrust.map(ReportText.text)), .paragraph([cost]),
      ]
    }
    if result.phases.contains(where: { !$0.actors.isEmpty }) {
      let remark: ReportText =
        "Late is how long a free worker began after its time, which is the generator's own fault; checks is the part "
        + "of its working time in which it held what it had read against what it must be. Of transactions that are so "
        + "quick that this would be more than a twelfth, some are not checked:"
      blocks += [.paragraph([remark]), .table(Self.generators(of: result.phases))]
    }
    return ReportSection(anchor: "trust", title: "How far to trust it", blocks: blocks)
  }

  private static func generators(of phases: [PhaseResult]) -> ReportTable {
    var table = ReportTable([
      ("phase", .left), ("actor", .left), ("due", .right), ("begun", .right), ("of due", .right),
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
    append("load when it began", .text(Quantity.threeDigits(environment.loadAverage)))
    append("SQLite", "\(environment.sqliteVersion), pages of \(Quantity.bytes(result.pageSizeBytes))")
    append("Swift", "\(environment.swiftVersion), \(environment.buildMode) build")
    append("allocator", .text(environment.allocator))
    append(
      "commit",
      (environment.commit.map(ReportText.code) ?? "none: outside of a checkout")
        + (environment.hasUncommittedChanges ? ", \(strong: "with uncommitted changes")" : "")
    )
    return ReportSection(
      anchor: "environment",
      title: "Environment",
      blocks: [.table(table), .paragraph([walResetExposure])]
    )
  }

  /// The defect loses pages where the WAL begins anew beside a checkpoint, which our own engine rules out.
  private var walResetExposure: ReportText {
    let isOurs = result.driver == "yap"
    guard result.environment.sqliteHasWALResetDefect else {
      return "This SQLite is free of the WAL-reset defect"
        + (isOurs ? "; the engine never lets the WAL begin anew beside a checkpoint either way." : ".")
    }
    return "This SQLite has the WAL-reset defect, which can lose pages when a checkpoint runs beside commits. "
      + (isOurs
        ? "The engine never lets the WAL begin anew beside a checkpoint, so it is not exposed."
        : "Driver \(code: result.driver) does not rule that out by itself.")
  }

  /// What the reader must not conclude.
  var limits: ReportSection {
    limits(
      spread: "One run has no spread: whether another commit is slower or faster takes repeated, interleaved runs."
    )
  }

  /// - Parameter spread: what the figures' spread does not show.
  func limits(spread: ReportText) -> ReportSection {
    var lines: [ReportText] = [
      spread,
      "The WAL, the pins and the memory are seen every \(Quantity.duration(nanoseconds: result.samplingNanoseconds)); "
        + "what rises and falls between two samples is not seen.",
      "Data that the operating system keeps in its cache is read without the disk.",
      "Nothing lost power here: what survives that is not shown, nor is any other machine or file system.",
    ]
    if result.phases.contains(where: { $0.actors.contains { $0.load == .closed } }) {
      lines.append("A closed load slows down with the engine, so a stall costs it few samples.")
    }
    if result.environment.buildMode != "release" {
      lines.append("This was not a release build: its speed says nothing.")
    }
    if result.environment.hasUncommittedChanges {
      lines.append("The checkout had uncommitted changes: the commit alone does not tell what ran.")
    }
    return ReportSection(anchor: "limits", title: "What this run does not show", blocks: [.list(lines)])
  }
}
