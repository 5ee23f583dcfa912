import BenchResults
import Foundation
import HarnessPrimitives
import Testing

@testable import BenchRegression

@Suite("Error rates of a night") struct FamilyErrorTests {
  /// A night of 200 figures without a change, judged in two stages.
  @Test func `a night without changes rarely reports a regression`() {
    let nights = Proof.trials(1_000)
    var random = RandomStream(seed: 20_260_107, "nights")
    let stages = TwoStages()
    let margin = log(1.03)
    var suspectCount = 0
    var wrongNights = 0
    for _ in 0..<nights {
      let suspects = (0..<200).count { _ in stages.isSuspect(fresh(&random), margin: margin) }
      suspectCount += suspects
      let verdicts = stages.confirm((0..<suspects).map { _ in (fresh(&random), margin) }).map(\.verdict)
      if verdicts.contains(.regressed) { wrongNights += 1 }
    }
    Proof.check("nights of 200 figures with a wrong REGRESSED", wrongNights, of: nights, in: 0...0.015)
    // The first stage must have suspects, or the second stage is not tested.
    #expect(suspectCount > nights)
  }

  private func fresh(_ random: inout RandomStream) -> EffectEstimate {
    EffectEstimate(PairedDifferences(NoiseLaw.normal.differences(20, &random)))
  }
}
