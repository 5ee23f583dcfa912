internal import BenchResults
internal import HarnessPrimitives

extension VerdictResult {
  var word: String { exitCode.word }

  /// The reasons other than the headline.
  var furtherReasons: [String] { reasons.filter { $0 != headline } }

  /// Returns the first section of a report, with the restrictions on the use of the figures.
  /// - Parameters:
  ///   - runs: Not empty.
  ///   - partial: The missing part, as a clause; nil if nothing is missing.
  ///   - isOfSeveral: Whether the report is about several runs.
  func section(of runs: [RunResult], partial: String?, isOfSeveral: Bool) -> ReportSection {
    var remarks: [ReportText] = []
    if runs[0].isSmoke {
      remarks.append("\(strong: "A smoke run: it shows that everything works; its figures are not measurements.")")
    }
    if let partial { remarks.append("\(strong: .text("Partial: \(partial)."))") }
    if let short = ShortPhase(in: runs) { remarks.append("\(strong: .text(short.headline)).") }
    if let dropped = DroppedArrivals(in: runs) { remarks.append("\(strong: .text(dropped.headline)).") }
    let excesses = runs.compactMap(\.walExcess)
    if let largest = excesses.max(by: { $0.peakBytes < $1.peakBytes }) {
      let count = "\(excesses.count) of \(runs.count) runs"
      let others: ReportText = isOfSeveral ? " (the largest; \(count) had a WAL far above the limit)" : ""
      remarks.append("\(strong: .text(largest.headline))\(others).")
    }
    let disturbed = DisturbedPercentiles(in: runs)
    if exitCode != .measurementInvalid, let disturbed { remarks.append("Disturbance: \(disturbed.headline).") }
    let isSound =
      !runs[0].isSmoke && exitCode != .measurementInvalid && disturbed == nil
      && runs.allSatisfy { $0.harness.distrust.isEmpty && !$0.phases.isEmpty }
    let code: ReportText =
      "Exit code \(strong: .text(String(exitCode.rawValue))): \(exitCode.meaning)."
      + (isSound ? " No sign of measurement error." : "")
    return ReportSection(
      anchor: "verdict",
      title: "\(word): \(headline)",
      tone: exitCode.tone,
      blocks: [.paragraph([code] + remarks)]
        + (furtherReasons.isEmpty ? [] : [.list(furtherReasons.map(ReportText.text))]),
      isLead: true
    )
  }
}

extension RunResult {
  func state(of expectation: ExpectationResult) -> ExpectationState {
    if expectation.holds, expectation.doubt == nil { return .passed }
    if expectation.doubt != nil || isSmoke { return .undecided }
    return isPartial && expectation.isOpen ? .open : .failed
  }
}

/// The state of an expectation of one run, or of one that compares variants.
typealias ExpectationState = VariantExpectationResult.Outcome

extension ExpectationState {
  var word: String {
    switch self {
    case .passed: "ok"
    case .failed: "FAILED"
    case .undecided: "cannot tell"
    case .open: "open"
    }
  }

  /// The state of an expectation in several runs is the first of these that one of the runs has.
  static let mostSevereFirst: [Self] = [.failed, .undecided, .open, .passed]

  var text: ReportText {
    .toned(self == .failed ? "\(strong: .text(word))" : .text(word), tone)
  }

  var tone: ReportSection.Tone {
    switch self {
    case .passed: .good
    case .failed: .bad
    case .undecided, .open: .doubtful
    }
  }
}

extension ExpectationResult {
  /// The distance of the measured value from the limit, such as `12.0 % below`.
  var marginText: String { distanceFromLimit.map(Self.marginText) ?? Quantity.missing }

  static func marginText(_ distance: Double) -> String {
    distance == 0 ? "0 %" : "\(Quantity.percent(abs(distance), of: 1)) \(distance < 0 ? "below" : "above")"
  }
}

extension VariantExpectationResult {
  /// The ratio and its interval, such as `0.831 (0.802 to 0.860)`.
  var ratioText: String {
    guard let ratio else { return Quantity.missing }
    guard let lowerRatio, let upperRatio else { return Quantity.threeDigits(ratio) }
    return
      "\(Quantity.threeDigits(ratio)) (\(Quantity.threeDigits(lowerRatio)) to \(Quantity.threeDigits(upperRatio)))"
  }
}

extension WALExcessResult {
  /// The excess in one line. A note of the run explains the excess.
  var headline: String {
    let time = Quantity.duration(nanoseconds: totalNanoseconds)
    return "WAL above \(Self.limitFactor) x its limit of \(Quantity.bytes(limitBytes)) for \(time), peak "
      + "\(Quantity.bytes(peakBytes)): \(cause)"
  }

  private var cause: String {
    let name = connection.map { "\"\($0)\"" }
    return switch reason {
    case .pinned: "pinned by \(name ?? "a connection")"
    case .neverUnread: "checkpointed, but never without a reader" + (name.map { ", mostly \($0)" } ?? "")
    case .writersAhead: "commits outran the checkpoints"
    }
  }
}

/// The shortest recorded phase that has done its number of operations in less than a second.
struct ShortPhase {
  private static let shortestNanoseconds: UInt64 = 1_000_000_000
  /// The least time for which the suggested number of operations lasts, at the same rate.
  private static let suggestedSeconds = 3.0

  /// One line with the phase's length and the option that makes it longer.
  let headline: String

  /// nil without such a phase, for smoke runs, and for the repetitions of a scenario, whose spread shows how much its
  /// figures mean. A workload of YCSB is not exempt, because YCSB's own files have only 1,000 operations.
  init?(in runs: [RunResult]) {
    let areRepeated = runs.contains { $0.repetition > 1 }
    let found = runs.filter { !$0.isSmoke }.flatMap { run in
      run.phases.filter(Self.isShort).map { (phase: $0, isYCSB: run.tags.contains("ycsb")) }
    }.filter { $0.isYCSB || !areRepeated }
    guard let (phase, isYCSB) = found.min(by: { $0.phase.durationNanoseconds < $1.phase.durationNanoseconds }) else {
      return nil
    }
    let length = Quantity.duration(nanoseconds: phase.durationNanoseconds)
    let operations = Self.suggestion(for: phase)
    let option =
      isYCSB
      ? "-p operationcount=\(operations) of yapbench ycsb" : "--set phases.\(phase.name).operations=\(operations)"
    headline =
      "phase \"\(phase.name)\" took \(length), which is too short for meaningful figures; make it longer with \(option)"
  }

  private static func isShort(_ phase: PhaseResult) -> Bool {
    phase.isRecorded && phase.countsOperations && phase.end == .reached
      && phase.durationNanoseconds < shortestNanoseconds
  }

  /// Returns the smallest power of ten that lasts long enough.
  private static func suggestion(for phase: PhaseResult) -> Int {
    let perSecond = phase.ratePerSecond(of: phase.actors.map(\.operationCount).saturatingSum(), by: nil) ?? 0
    var operations = 10
    while Double(operations) < perSecond * suggestedSeconds, operations < 1_000_000_000 { operations *= 10 }
    return operations
  }
}

/// The arrivals that were dropped after their deadline, if they are more than 1 % of an actor's arrivals in a phase.
struct DroppedArrivals {
  /// Up to this share, only tables show them.
  static let greatestSilentShare = 0.01

  /// One line about the greatest share.
  let headline: String

  /// nil if no share is above 1 %.
  init?(in runs: [RunResult]) {
    let found = runs.flatMap(\.phases).flatMap { phase in
      phase.actors.filter { $0.droppedShare > Self.greatestSilentShare }.map { (phase: phase.name, actor: $0) }
    }
    guard let (phase, actor) = found.max(by: { $0.actor.droppedShare < $1.actor.droppedShare }) else { return nil }
    let dropped = Quantity.count(actor.droppedArrivals ?? 0)
    let others = found.count > 1 ? "; the largest of \(found.count) such shares" : ""
    headline =
      "\(Quantity.percent(actor.droppedShare)) of the arrivals of \"\(actor.name)\" in phase \"\(phase)\" were dropped "
      + "after their deadline (\(dropped) of \(Quantity.count(actor.scheduledArrivals))\(others))"
  }
}

extension ActorResult {
  /// The number of arrivals of an open load that were due.
  var scheduledArrivals: Int { dueArrivals ?? begunArrivals + (droppedArrivals ?? 0) }

  /// The number of dropped arrivals and their share; `missing` without a deadline.
  var droppedText: String {
    droppedArrivals.map { Quantity.count($0) + ($0 > 0 ? " (\(Quantity.percent(droppedShare)))" : "") }
      ?? Quantity.missing
  }

  /// 0 to 1; 0 for a closed load.
  var droppedShare: Double { Double(droppedArrivals ?? 0) / Double(max(scheduledArrivals, 1)) }
}
