public import BenchModel

/// What the command prints when a run has ended: the report in a few lines.
///
/// Where the report stands is the caller's to print.
public enum ConsoleSummary {
  public static func lines(_ result: RunResult) -> [String] {
    var lines = ["\(result.verdict.word): \(InertText.line(result.verdict.headline)) (exit \(result.verdict.exitCode))"]
    lines += result.verdict.furtherReasons.map { "  - " + InertText.line($0) }
    if result.isSmoke { lines.append("smoke run: its figures measure nothing") }
    if result.isPartial { lines.append("partial: the run was broken off") }
    lines += expectations(result)
    lines += wal(result)
    lines.append(invariants(result))
    // What has made the verdict stands among its reasons already.
    let told = Set(result.verdict.reasons)
    lines += result.harness.distrust.filter { !told.contains($0) }.map { "distrust: " + InertText.line($0) }
    return lines
  }

  private static func expectations(_ result: RunResult) -> [String] {
    let sources = result.expectations.map { InertText.line($0.source) }
    let width = sources.map(\.count).max() ?? 0
    return zip(result.expectations, sources).map { expectation, source in
      let state = result.state(of: expectation).padded(to: 8)
      return "\(state)\(source.padded(to: width))  measured \(InertText.line(expectation.measured))"
    }
  }

  private static func wal(_ result: RunResult) -> [String] {
    guard let highest = result.sampledWALMaximumBytes else { return [] }
    let grown = "WAL grew to \(Quantity.bytes(highest))"
    let blame = result.blame
    // Who held it is known of recorded phases only.
    guard blame.walByteSeconds > 0 else { return [grown + ", outside of the recorded phases"] }
    let worst = blame.connections.max { $0.aloneByteSeconds < $1.aloneByteSeconds }
    guard let worst, worst.aloneByteSeconds > 0 else { return [grown + "; no connection alone held any of it"] }
    return [
      "\(grown); \"\(InertText.line(worst.name))\" alone held \(Quantity.byteSeconds(worst.aloneByteSeconds)) of it "
        + "(\(Quantity.percent(worst.aloneByteSeconds, of: blame.walByteSeconds))), longest pin "
        + "\(Quantity.duration(nanoseconds: worst.longestPinNanoseconds)), "
        + "\(Quantity.count(worst.maximumAgeCommits, of: "commit")) behind"
    ]
  }

  private static func invariants(_ result: RunResult) -> String {
    guard !result.invariants.isEmpty else { return "invariants: none asked for" }
    guard result.invariants.contains(where: { $0.checks > 0 || !$0.violations.isEmpty }) else {
      return "invariants: none was checked"
    }
    let states = result.invariants.map { invariant in
      let name = InertText.line(invariant.name)
      if !invariant.violations.isEmpty { return "\(name) VIOLATED" }
      return invariant.checks == 0 ? "\(name) never checked" : "\(name) ok (\(Quantity.count(invariant.checks)))"
    }
    return "invariants: " + states.joined(separator: ", ")
  }
}

extension String {
  /// With spaces behind it, up to so many characters.
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
}
