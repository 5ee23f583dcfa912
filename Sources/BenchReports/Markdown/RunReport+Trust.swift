internal import BenchModel
internal import LatencyMetrics

extension RunReport {
  /// How far the harness can be trusted: its own costs and faults.
  var trust: [String] {
    let harness = result.harness
    var lines = ["## How far to trust it", ""]
    if result.phases.isEmpty {
      lines.append("No phase ran, so the harness has no figures to speak for.")
    } else if harness.distrust.isEmpty {
      lines.append("The harness found nothing that speaks against its figures.")
    } else {
      lines += ["**The harness distrusts these figures:**", ""]
      lines += harness.distrust.map { "- " + InertText.markdown($0) }
      lines.append("")
    }
    lines.append(
      "Its own cost is \(Quantity.duration(nanoseconds: harness.nullOperationNanoseconds)) an operation (measured with "
        + "a driver that does nothing) and \(Quantity.duration(nanoseconds: harness.clockNanoseconds)) a reading of "
        + "the clock; the host gave \(Quantity.percent(harness.stealShare)) of the time to others (steal)."
    )
    guard !harness.generators.isEmpty else { return lines }
    var table = MarkdownTable([
      ("phase", .left), ("actor", .left), ("due", .right), ("begun", .right), ("of due", .right),
      ("dropped", .right), ("late p50", .right), ("late p99", .right), ("late max", .right),
      ("checks", .right),
    ])
    for generator in harness.generators {
      let lateness = generator.lateness
      func late(_ value: UInt64) -> String {
        lateness.isEmpty ? Quantity.missing : Quantity.duration(nanoseconds: value)
      }
      table.append([
        InertText.code(generator.phase), InertText.code(generator.actor),
        generator.isClosed ? "closed" : generator.dueArrivals.map(Quantity.count) ?? Quantity.missing,
        Quantity.count(generator.begunArrivals),
        generator.dueArrivals.map { Quantity.percent(Double(generator.begunArrivals), of: Double($0)) }
          ?? Quantity.missing,
        generator.droppedArrivals.map(Quantity.count) ?? Quantity.missing, late(lateness.value(atPercentile: 50)),
        late(lateness.value(atPercentile: 99)), late(lateness.maximum),
        generator.checkingShare.map(Quantity.percent) ?? Quantity.missing,
      ])
    }
    let remark =
      "Late is how long a free worker began after its time, which is the generator's own fault; checks is the part of "
      + "its working time in which it held what it had read against what it must be. Of transactions that are so quick "
      + "that this would be more than a twelfth, some are not checked:"
    return lines + ["", remark, ""] + table.lines
  }

  var environment: [String] {
    let environment = result.environment
    var table = MarkdownTable([("environment", .left), ("", .left)])
    func append(_ name: String, _ value: String) { table.append([name, value]) }
    let commit = environment.commit.map { InertText.code($0) } ?? "none: outside of a checkout"
    append("processor", "\(InertText.markdown(environment.cpu)), \(Quantity.count(environment.coreCount, of: "core"))")
    append("memory", Quantity.bytes(environment.memoryBytes))
    append("kernel", InertText.markdown(environment.kernel))
    append("file system", InertText.markdown(environment.fileSystem))
    append("load when it began", Quantity.threeDigits(environment.loadAverage))
    append(
      "SQLite",
      InertText.markdown(environment.sqliteVersion) + ", pages of \(Quantity.bytes(result.pageSizeBytes))"
    )
    append(
      "Swift",
      "\(InertText.markdown(environment.swiftVersion)), \(InertText.markdown(environment.buildMode)) build"
    )
    append("allocator", InertText.markdown(environment.allocator))
    append("commit", commit + (environment.hasUncommittedChanges ? ", **with uncommitted changes**" : ""))
    return ["## Environment", ""] + table.lines + ["", walResetExposure]
  }

  /// The defect loses pages where the WAL begins anew beside a checkpoint, which our own engine rules out.
  private var walResetExposure: String {
    let isOurs = result.driver == "yap"
    guard result.environment.sqliteHasWALResetDefect else {
      return "This SQLite is free of the WAL-reset defect"
        + (isOurs ? "; the engine never lets the WAL begin anew beside a checkpoint either way." : ".")
    }
    return "This SQLite has the WAL-reset defect, which can lose pages when a checkpoint runs beside commits. "
      + (isOurs
        ? "The engine never lets the WAL begin anew beside a checkpoint, so it is not exposed."
        : "Driver \(InertText.code(result.driver)) does not rule that out by itself.")
  }

  /// What the reader must not conclude.
  var limits: [String] {
    limits(
      spread: "One run has no spread: whether another commit is slower or faster takes repeated, interleaved runs."
    )
  }

  /// - Parameter spread: what the figures' spread does not show.
  func limits(spread: String) -> [String] {
    var lines = [
      spread,
      "The WAL, the pins and the memory are seen every \(Quantity.duration(nanoseconds: result.samplingNanoseconds)); "
        + "what rises and falls between two samples is not seen.",
      "Data that the operating system keeps in its cache is read without the disk.",
      "Nothing lost power here: what survives that is not shown, nor is any other machine or file system.",
    ]
    if !result.harness.generators.isEmpty, result.harness.generators.contains(where: \.isClosed) {
      lines.append("A closed load slows down with the engine, so a stall costs it few samples.")
    }
    if result.environment.buildMode != "release" {
      lines.append("This was not a release build: its speed says nothing.")
    }
    if result.environment.hasUncommittedChanges {
      lines.append("The checkout had uncommitted changes: the commit alone does not tell what ran.")
    }
    return ["## What this run does not show", ""] + lines.map { "- " + $0 }
  }
}
