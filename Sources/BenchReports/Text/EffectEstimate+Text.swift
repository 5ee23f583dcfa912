internal import BenchResults

extension EffectEstimate {
  /// The smallest quotient of the ends of a wide interval.
  private static let wideFactor = 10

  /// The ratio with its interval, such as `×0.84 (0.801…0.882)`: bold if the values differ, else grey with a question
  /// mark; without an interval, the ratio in grey.
  var ratioText: ReportText {
    let ratio = ReportText.text("×\(Quantity.threeDigits(self.ratio))")
    guard let interval = ratioInterval else { return .line(.faint(ratio)) }
    let isWide = interval.upperBound > Double(Self.wideFactor) * interval.lowerBound
    let text: ReportText = "\(ratio) (\(isWide ? "wide: " : "")\(Quantity.interval(interval)))"
    return .line(differs == true ? .strong(text) : .faint(text + " ?"))
  }

  /// The explanation of the ratios below a table.
  static func explanation(to first: ReportText, repetitions: Int) -> ReportText {
    let ratio: ReportText =
      " × is the ratio to \(first): the Hodges–Lehmann estimate over pairs of repetitions, which ran in the same round "
      + "unless one of them was a retry"
    if let doubt = doubt(about: repetitions) { return ratio + ". \(doubt)." }
    return ratio
      + ", and in brackets its 95 % interval by the exact signed-rank test. A ratio whose interval excludes 1 is bold, "
      + "unless the sign test contradicts it. Any other is grey, with a question mark, and shows no difference. An "
      + "interval is called wide if its ends differ by a factor of more than \(String(wideFactor)): more repetitions "
      + "narrow it."
  }

  /// - Returns: nil if the repetitions suffice to distinguish a difference from the spread.
  static func doubt(about repetitions: Int) -> String? {
    guard repetitions < fewestPairs else { return nil }
    return "\(Quantity.count(repetitions, of: "repetition")) cannot tell a difference from the spread: that needs "
      + String(fewestPairs)
  }
}
