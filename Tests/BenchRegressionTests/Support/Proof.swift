import Foundation
import Testing

/// The size of the comparator's proof. `Scripts/prove-comparator` runs all trials, with optimisation, and prints the
/// figures as a table; the test suite runs a tenth of the trials.
enum Proof {
  private static let isWhole = ProcessInfo.processInfo.environment["YAP_PROOF"] == "whole"

  static func trials(_ count: Int) -> Int { isWhole ? count : max(1, count / 10) }

  /// Prints a rate and compares it with its bound. With a tenth of the trials, the rate may miss the bound by three
  /// standard errors.
  static func check(
    _ what: String,
    _ count: Int,
    of trials: Int,
    in bar: ClosedRange<Double>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let rate = Double(count) / Double(trials)
    let low = bar.lowerBound > 0 ? String(format: "%.3f to ", bar.lowerBound) : "at most "
    let text =
      bar.upperBound < 1
      ? low + String(format: "%.3f", bar.upperBound) : String(format: "at least %.3f", bar.lowerBound)
    print("figure: \(what) | \(String(format: "%.3f", rate)) | \(text)")
    func slack(_ bound: Double) -> Double {
      isWhole ? 0 : 3 * (max(bound * (1 - bound), 0.01) / Double(trials)).squareRoot()
    }
    #expect(rate >= bar.lowerBound - slack(bar.lowerBound), "\(what)", sourceLocation: sourceLocation)
    #expect(rate <= bar.upperBound + slack(bar.upperBound), "\(what)", sourceLocation: sourceLocation)
  }
}
