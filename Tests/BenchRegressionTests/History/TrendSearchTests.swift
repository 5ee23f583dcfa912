import ComparisonFixtures
import Foundation
import HarnessPrimitives
import Testing

@testable import BenchRegression
@testable import BenchResults

@Suite("Alarms of a history") struct TrendSearchTests {
  private let figure = FigureName(workload: "commits/run/write", metric: "p50")
  private let search = TrendSearch(minimumMagnitude: 0.02)

  private func nights(_ effects: [Double]) -> [Night] {
    effects.enumerated().map { index, effect in
      Night(
        time: "night \(index)",
        commit: "commit \(index)",
        reference: "pinned",
        machine: .madeUp(),
        figures: [.madeUp(figure, effect: effect)]
      )
    }
  }

  private func stepped(_ count: Int, at step: Int, by change: Double) -> [Double] {
    var random = RandomStream(seed: 20_260_115)
    return (0..<count).map { (($0 < step) ? 0 : change) + 0.008 * random.normal() }
  }

  @Test func `an alarm names the commits on both sides of the change`() {
    let alarms = search.newAlarms(of: figure, in: nights(stepped(40, at: 25, by: 0.06)), known: [])
    #expect(alarms.map(\.lastCommit) == ["commit 24"])
    #expect(alarms.map(\.firstCommit) == ["commit 25"])
    #expect(abs((alarms.first?.magnitude ?? 0) - 0.06) < 0.01)
  }

  @Test func `an alarm needs six nights since the change`() {
    for since in 1...8 {
      let alarms = search.newAlarms(of: figure, in: nights(stepped(25 + since, at: 25, by: 0.06)), known: [])
      #expect(alarms.map(\.firstCommit) == (since < 6 ? [] : ["commit 25"]), "\(since) nights")
    }
  }

  @Test func `an alarm that was raised is not raised again when nights are added`() {
    let all = nights(stepped(45, at: 25, by: 0.06))
    var known: [TrendAlarm] = []
    for count in 25...all.count {
      known += search.newAlarms(of: figure, in: Array(all[..<count]), known: known)
    }
    #expect(known.map(\.firstCommit) == ["commit 25"])
  }

  @Test func `an alarm of another series does not hide a new one`() {
    let all = nights(stepped(40, at: 25, by: 0.06))
    var other = TrendAlarm(figure, last: all[24], first: all[25], magnitude: 0.06, pValue: 0.001)
    other.firstCommit = "a night of another machine at the same time"
    #expect(search.newAlarms(of: figure, in: all, known: [other]).map(\.firstCommit) == ["commit 25"])
  }

  @Test func `an alarm has the series of its first night, and the figure's direction`() {
    let alarm = search.newAlarms(of: figure, in: nights(stepped(40, at: 25, by: 0.06)), known: []).first
    #expect(alarm?.reference == "pinned" && alarm?.machine == .madeUp() && alarm?.settings == [])
    #expect(alarm?.better == .lower)
  }

  @Test func `nights without the figure are passed over`() {
    var all = nights(stepped(41, at: 20, by: 0.06))
    all[10].figures = []
    all[30].figures[0].effect = nil
    #expect(search.newAlarms(of: figure, in: all, known: []).map(\.firstCommit) == ["commit 20"])
    #expect(search.newAlarms(of: figure, in: [], known: []).isEmpty)
  }
}
