import ComparisonFixtures
import Foundation
import SeededRandom
import Testing

@testable import BenchRegression
@testable import BenchResults

@Suite("Alarms of a history") struct TrendSearchTests {
  private let figure = FigureName(workload: "commits/run/write", metric: "p50")
  private let search = TrendSearch(minimumMagnitude: 0.02)

  private func nights(_ effects: [Double], machine: (Int) -> String = { _ in "one" }) -> [Night] {
    effects.enumerated().map { index, effect in
      Night(
        time: "night \(index)",
        commit: "commit \(index)",
        reference: "pinned",
        machine: .madeUp(cpu: machine(index)),
        figures: [.madeUp(figure, effect: effect)]
      )
    }
  }

  private func stepped(_ count: Int, at step: Int, by change: Double) -> [Double] {
    var random = RandomStream(seed: 20_260_115)
    return (0..<count).map { (($0 < step) ? 0 : change) + 0.008 * random.normal() }
  }

  @Test func `an alarm names the commits on both sides of the change`() {
    let alarms = search.alarms(of: figure, in: nights(stepped(40, at: 25, by: 0.06)), known: [])
    #expect(alarms.map(\.lastCommit) == ["commit 24"])
    #expect(alarms.map(\.firstCommit) == ["commit 25"])
    #expect(abs((alarms.first?.magnitude ?? 0) - 0.06) < 0.01)
  }

  @Test func `an alarm that was raised stays as it is when nights are added`() {
    let all = nights(stepped(80, at: 25, by: 0.06))
    var known: [TrendAlarm] = []
    for count in 1...all.count {
      let alarms = search.alarms(of: figure, in: Array(all[..<count]), known: known)
      #expect(Array(alarms.prefix(known.count)) == known)
      known = alarms
    }
    #expect(known.count == 1)
  }

  @Test func `another machine or another pinned build begins another series`() {
    let effects = stepped(40, at: 20, by: 0.06)
    #expect(search.alarms(of: figure, in: nights(effects) { $0 < 20 ? "one" : "other" }, known: []).isEmpty)
  }

  @Test func `nights without the figure are passed over`() {
    var all = nights(stepped(41, at: 20, by: 0.06))
    all[10].figures = []
    #expect(search.alarms(of: figure, in: all, known: []).map(\.firstCommit) == ["commit 20"])
    #expect(search.alarms(of: figure, in: [], known: []).isEmpty)
  }
}
