internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives

/// The runs of a scenario, as text.
enum PlannedRuns {
  /// Returns text such as `2 phases, at most 12 s` or `3 variants × 3 repetitions, 2 phases each, at most 108 s`.
  static func text(of loaded: LoadedScenario) -> String {
    let phases = Quantity.count(loaded.scenario.phases.count, of: "phase")
    let time = "at most \(PlannedTime.text(of: loaded))"
    guard loaded.runCount > 1 else { return "\(phases), \(time)" }
    let variants = loaded.variants.count > 1 ? Quantity.count(loaded.variants.count, of: "variant") : nil
    let repetitions = loaded.repetitions > 1 ? Quantity.count(loaded.repetitions, of: "repetition") : nil
    return "\([variants, repetitions].compactMap { $0 }.joined(separator: " × ")), \(phases) each, \(time)"
  }

  /// The numbers of variants and repetitions, such as `3 × 3`; `1` for a single run.
  static func count(of loaded: LoadedScenario) -> String {
    loaded.runCount == 1 ? "1" : "\(loaded.variants.count) × \(loaded.repetitions)"
  }

  /// Returns text such as `run 4/9: variant 2/3 share, repetition 2/3`. Must be called for one of several runs.
  static func text(of run: PlannedRun) -> String {
    let variant = run.label.isEmpty ? nil : "variant \(run.variant + 1)/\(run.variantCount) \(run.label)"
    let planned = run.repetition > run.repetitions ? " (\(run.repetitions) planned)" : "/\(run.repetitions)"
    let repetition = run.isRepeated ? "repetition \(run.repetition)\(planned)" : nil
    return "run \(run.number)/\(run.runCount): " + [variant, repetition].compactMap { $0 }.joined(separator: ", ")
  }
}

/// Times as a scenario's author writes them, such as "55 s" or "2 min 5 s", instead of three significant digits.
enum PlannedTime {
  static func text(nanoseconds: UInt64) -> String {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest != 0, seconds < 120 { return Quantity.duration(nanoseconds: nanoseconds) }
    if seconds < 120 { return "\(seconds) s" }
    let (minutes, restSeconds) = seconds.quotientAndRemainder(dividingBy: 60)
    if minutes < 120 { return restSeconds == 0 ? "\(minutes) min" : "\(minutes) min \(restSeconds) s" }
    let (hours, restMinutes) = minutes.quotientAndRemainder(dividingBy: 60)
    return restMinutes == 0 ? "\(hours) h" : "\(hours) h \(restMinutes) min"
  }

  /// Returns the text of a time that is rounded to whole seconds.
  static func text(seconds: Double) -> String {
    let whole = UInt64(saturating: seconds.rounded())
    return text(nanoseconds: whole.saturatedProduct(with: 1_000_000_000))
  }

  /// Returns the text of a growing time: with one decimal below 120 s, and then in whole seconds.
  static func elapsed(nanoseconds: UInt64) -> String {
    let seconds = Double(nanoseconds) / 1e9
    if seconds < 120 { return String(format: "%.1f s", seconds) }
    return text(nanoseconds: nanoseconds / 1_000_000_000 * 1_000_000_000)
  }

  /// Returns the longest time that the phases of all runs can take. For phases that only counts end, whose time is
  /// unknown, it contains the counts.
  static func text(of loaded: LoadedScenario) -> String {
    let scenarios = loaded.variants.map(\.scenario)
    let phases = scenarios.flatMap(\.phases)
    let counted = phases.filter { $0.end.plannedNanoseconds == nil }
    let repetitions = UInt64(loaded.repetitions)
    let counts = counted.flatMap(\.countedEnds).reduce(into: [(count: Int, noun: String)]()) { counts, end in
      let all = Int(clamping: UInt64(end.count).saturatedProduct(with: repetitions))
      if let index = counts.firstIndex(where: { $0.noun == end.noun }) {
        counts[index].count = [counts[index].count, all].saturatingSum()
      } else {
        counts.append((all, end.noun))
      }
    }
    let duration = scenarios.map(\.plannedDurationNanoseconds).saturatingSum()
    let time = text(nanoseconds: duration.saturatedProduct(with: repetitions))
    let texts = counts.map { Quantity.count($0.count, of: $0.noun) }
    return ((counted.count < phases.count ? [time] : []) + texts).joined(separator: " and ")
  }
}

extension UInt64 {
  fileprivate func saturatedProduct(with factor: UInt64) -> UInt64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}

/// The memory that a scenario needs, as text.
enum MemoryText {
  /// Returns text such as `about 61.2 MiB of memory`.
  static func text(of estimate: MemoryEstimate) -> String { "about \(Quantity.bytes(estimate.bytes)) of memory" }

  /// Returns the reason why the scenario has too little memory; nil if it has enough, or if the available memory is not
  /// known.
  static func refusal(_ estimate: MemoryEstimate, _ available: AvailableMemory?) -> String? {
    guard let available, estimate.bytes > available.bytes else { return nil }
    let limit =
      switch available.source {
      case .machine: "this machine has \(Quantity.bytes(available.bytes)) available"
      case .controlGroup(let limit):
        "the control group's limit of \(Quantity.bytes(limit)) leaves \(Quantity.bytes(available.bytes))"
      }
    let needed = estimate.parts.filter { $0.bytes > 0 }
    let parts = needed.map { "\($0.name) \(Quantity.bytes($0.bytes))" }.joined(separator: ", ")
    let remedy = needed.lazy.compactMap(\.remedy).first.map { "; \($0)" } ?? ""
    return "the scenario needs about \(Quantity.bytes(estimate.bytes)) of memory in addition to the dataset's files "
      + "(\(parts)), but \(limit)\(remedy)"
  }
}
