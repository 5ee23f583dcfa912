import TestSupport
import Testing

@testable import YapEngine

/// Random jumps of mappings.
@Suite struct JumpTests {
  @Test func `a jump over many commits leads where jumps over each of them lead, over random edits`() {
    let seed = Seed.announce(for: "YapEngineTests.JumpTests")
    let found = Discrepancy.first {
      var trial = JumpTrial(seed: seed)
      for _ in 0..<TestScale.count(100_000 / JumpTrial.jumpsPerRun) { try trial.run() }
    }
    #expect(found == nil, "with seed \(seed)")
  }

  @Test func `jumps on a database lead where jumps over each commit lead`() throws {
    let seed = Seed.announce(for: "YapEngineTests.JumpTests")
    try NumberView.with { view in
      let found = Discrepancy.first {
        var trial = JumpDatabaseTrial(view, seed: seed)
        for _ in 0..<TestScale.count(60) { try trial.run() }
      }
      #expect(found == nil, "with seed \(seed)")
    }
  }

  @Test(arguments: JumpTrial.Mistake.allCases)
  func `the random jumps find a planted mistake`(_ mistake: JumpTrial.Mistake) {
    let seed = Seed.announce(for: "YapEngineTests.JumpTests")
    let found = Discrepancy.first(from: seed) { seed in
      Discrepancy.first {
        var trial = JumpTrial(seed: seed, mistake: mistake)
        for _ in 0..<100 { try trial.run() }
      }
    }
    #expect(found != nil, "with seed \(seed)")
  }
}
