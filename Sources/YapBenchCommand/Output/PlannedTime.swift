internal import BenchModel
internal import BenchReports
internal import Foundation
internal import NumericConversion

/// Times as a scenario's author wrote them, such as "55 s" or "2 min 5 s", rather than to three digits.
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

  /// Whole seconds.
  static func text(seconds: Double) -> String {
    let whole = UInt64(saturating: seconds.rounded())
    return text(nanoseconds: whole.saturatedProduct(with: 1_000_000_000))
  }

  /// A time that grows while one watches: its width and its decimals do not jump.
  static func elapsed(nanoseconds: UInt64) -> String {
    let seconds = Double(nanoseconds) / 1e9
    if seconds < 120 { return String(format: "%.1f s", seconds) }
    return text(nanoseconds: nanoseconds / 1_000_000_000 * 1_000_000_000)
  }

  /// What the phases of all runs take at most; a phase that ends after so many operations has no time.
  static func text(of loaded: LoadedScenario) -> String {
    let scenarios = loaded.variants.map(\.scenario)
    var operations = 0
    var hasTimes = false
    for phase in scenarios.flatMap(\.phases) {
      if case .operations(let count) = phase.end {
        let (sum, overflow) = operations.addingReportingOverflow(count)
        operations = overflow ? .max : sum
      } else {
        hasTimes = true
      }
    }
    let durations = scenarios.map(\.plannedDurationNanoseconds)
    let time = text(nanoseconds: sum(durations).saturatedProduct(with: UInt64(loaded.repetitions)))
    if operations == 0 { return time }
    let all = UInt64(operations).saturatedProduct(with: UInt64(loaded.repetitions))
    let count = Quantity.count(Int(clamping: all), of: "operation")
    return hasTimes ? "\(time) and \(count)" : count
  }

  private static func sum(_ times: [UInt64]) -> UInt64 {
    times.reduce(0) { sum, time in
      let (result, overflow) = sum.addingReportingOverflow(time)
      return overflow ? .max : result
    }
  }
}

extension UInt64 {
  fileprivate func saturatedProduct(with factor: UInt64) -> UInt64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
