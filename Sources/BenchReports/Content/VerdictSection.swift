internal import BenchResults

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
    if let dropped = DroppedArrivals(in: runs) { remarks.append("\(strong: .text(dropped.headline)).") }
    let excesses = runs.compactMap(\.walExcess)
    if let largest = excesses.max(by: { $0.peakBytes < $1.peakBytes }) {
      let count = "\(excesses.count) of \(runs.count) runs"
      let others: ReportText = isOfSeveral ? " (the largest; \(count) had a WAL far above the limit)" : ""
      remarks.append("\(strong: .text(largest.headline))\(others).")
    }
    if exitCode != .measurementInvalid, let disturbed = DisturbedPercentiles(in: runs) {
      remarks.append("Disturbance: \(disturbed.headline).")
    }
    let code: ReportText = "Exit code \(strong: .text(String(exitCode.rawValue))): \(exitCode.meaning)."
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
    if expectation.doubt != nil { return .undecided }
    if expectation.holds { return .passed }
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
    distance == 0 ? "0 %" : "\(Quantity.percent(abs(distance))) \(distance < 0 ? "below" : "above")"
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
