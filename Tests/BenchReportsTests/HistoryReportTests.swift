import ComparisonFixtures
import Foundation
import Testing

@testable import BenchReports
@testable import BenchResults

@Suite("The report of a history") struct HistoryReportTests {
  private let figure = FigureName(workload: "commits/run/write", metric: "p50")

  private func nights(_ effects: [Double]) -> [Night] {
    effects.enumerated().map { index, effect in
      Night(
        time: "2026-01-\(10 + index)T02:00:00Z",
        commit: "commit\(index)",
        reference: "pinned",
        machine: .madeUp(),
        figures: [.madeUp(figure, effect: effect)]
      )
    }
  }

  private func alarm(_ magnitude: Double) -> TrendAlarm {
    TrendAlarm(
      figure: figure,
      lastTime: "2026-01-11T02:00:00Z",
      lastCommit: "commit1",
      firstTime: "2026-01-12T02:00:00Z",
      firstCommit: "commit2",
      magnitude: magnitude,
      pValue: 0.001
    )
  }

  @Test func `an alarm is open until it is acknowledged`() {
    let nights = nights([0, 0] + [Double](repeating: 0.06, count: 10))
    let open = HistoryReport(nights: nights, alarms: [alarm(0.06)], acknowledgements: [])
    #expect(open.headline == "1 OPEN ALARM in 12 nights: commits/run/write p50 +6.18 % between commit1 and commit2")
    let acknowledgement = Acknowledgement(alarm(0.06), note: "checks every row")
    let known = HistoryReport(nights: nights, alarms: [alarm(0.06)], acknowledgements: [acknowledgement])
    #expect(known.headline == "NO OPEN ALARM in 12 nights")
    #expect(known.text.contains("acknowledged: checks every row"))
  }

  @Test func `two nights with another pinned build close the alarms before them, and one does not`() {
    var nights = nights([Double](repeating: 0, count: 14))
    func report() -> HistoryReport { HistoryReport(nights: nights, alarms: [alarm(0.06)], acknowledgements: []) }
    nights[13].reference = "pinned later"
    #expect(report().openAlarms.count == 1)
    #expect(report().headline.hasPrefix("1 OPEN ALARM in 13 of 14 nights (1 not searched: another pinned build): "))
    nights[12].reference = "a release"
    #expect(report().openAlarms.count == 1)
    nights[12].reference = "pinned later"
    #expect(report().openAlarms.isEmpty)
    #expect(report().headline == "NO OPEN ALARM in 12 of 14 nights (2 not searched: another pinned build)")
    #expect(report().text.contains("| of an earlier pinned build |"))
    // Nights of another machine in between change nothing.
    nights.insert(nights[0], at: 13)
    nights[13].machine = .madeUp(cpu: "other")
    #expect(report().openAlarms.isEmpty)
    // Nor does a single comparison with a release open them again.
    for reference in ["a release", "pinned"] {
      nights.append(nights[14])
      nights[nights.count - 1].reference = reference
      #expect(report().openAlarms.isEmpty)
    }
  }

  @Test(arguments: Oddity.all) func `an odd night neither closes an alarm nor shortens the series`(oddity: Oddity) {
    for odd in [1, 5, 13, 19] {
      var nights = nights([Double](repeating: 0, count: 20))
      oddity.change(&nights[odd])
      let report = HistoryReport(nights: nights, alarms: [alarm(0.06)], acknowledgements: [])
      #expect(report.openAlarms.count == 1)
      #expect(report.searchedNights == "19 of 20 nights (1 not searched: \(oddity.reason))", "night \(odd)")
      #expect(report.text.contains("## Series"))
    }
  }

  @Test func `two machines in turn have a series each, and their alarms are both open`() {
    var nights = nights([Double](repeating: 0, count: 40))
    for index in stride(from: 1, to: 40, by: 2) { nights[index].machine = .madeUp(cpu: "other") }
    var other = alarm(0.03)
    (other.firstTime, other.firstCommit) = (nights[21].time, nights[21].commit)
    let report = HistoryReport(nights: nights, alarms: [alarm(0.06), other], acknowledgements: [])
    #expect(report.headline.hasPrefix("2 OPEN ALARMs in 40 nights: "))
    #expect(report.lines.map { $0.contains("  series 1") } == [false, true, false])
    #expect(report.lines[2].contains("  series 2"))
    #expect(report.series.map(\.nights.count) == [20, 20])
  }

  @Test func `a young history states that nothing was searched`() {
    let report = HistoryReport(nights: nights([0, 0, 0]), alarms: [], acknowledgements: [])
    #expect(report.headline == "NO OPEN ALARM in 0 of 3 nights (3 not searched: fewer than 11 comparable nights)")
  }

  @Test func `an alarm whose nights were removed stays open until another build is pinned`() {
    let first = nights([0])[0]
    var later = nights([Double](repeating: 0, count: 14)).suffix(3).map { $0 }
    var alarm = TrendAlarm(figure, last: first, first: first, magnitude: 0.06, pValue: 0.001)
    func open() -> Int { HistoryReport(nights: later, alarms: [alarm], acknowledgements: []).openAlarms.count }
    #expect(open() == 1)
    for index in later.indices { later[index].reference = "pinned later" }
    #expect(open() == 0)
    // An alarm of an earlier version does not have its series.
    (alarm.reference, alarm.machine, alarm.settings, alarm.better) = (nil, nil, nil, nil)
    #expect(open() == 1)
  }

  @Test func `an open alarm states since when the level has returned`() {
    let nights = nights([Double](repeating: 0, count: 18))
    var back = alarm(-0.05)
    (back.firstTime, back.firstCommit) = (nights[8].time, nights[8].commit)
    func lines(_ alarms: [TrendAlarm]) -> [String] {
      HistoryReport(nights: nights, alarms: alarms, acknowledgements: []).lines
    }
    #expect(lines([alarm(0.06), back])[1].hasSuffix("  returned since \(nights[8].time)"))
    var again = alarm(0.05)
    (again.firstTime, again.firstCommit) = (nights[13].time, nights[13].commit)
    #expect(!lines([alarm(0.06), back, again]).contains { $0.contains("returned") })
    back.magnitude = -0.02
    #expect(!lines([alarm(0.06), back]).contains { $0.contains("returned") })
    let text = HistoryReport(nights: nights, alarms: [alarm(0.06), again, back], acknowledgements: []).text
    #expect(!text.contains("the level has returned"))
  }

  @Test func `a throughput's change has the sign of the figure, and its ratio is that of the figure`() {
    let name = FigureName(workload: "commits/run/write", metric: "throughput")
    var nights = nights([Double](repeating: 0, count: 12))
    for index in nights.indices {
      nights[index].figures = [.madeUp(name, effect: index < 2 ? log(0.5) : log(2))]
      nights[index].figures[0].better = .higher
    }
    var alarm = alarm(log(2))
    alarm.figure = name
    let report = HistoryReport(nights: nights, alarms: [alarm], acknowledgements: [])
    #expect(report.headline.contains("throughput -50.0 % between"))
    #expect(report.text.contains("-50.0 % | -50.0 % |  +100 % |"))
    #expect(nights.map(\.figures[0].changeText).suffix(11).first == "+100 %")
    let rows = HistoryTable.text(of: nights).split(separator: "\n").map { $0.split(separator: ",").last ?? "" }
    #expect(rows[1].hasPrefix("2") && rows[12].hasPrefix("0.5"))
  }

  @Test func `changes from and to 0 have words instead of a percentage`() {
    var nights = nights([0, 0])
    nights[0].figures = [.madeUp(figure, effect: nil)]
    (nights[0].figures[0].base, nights[0].figures[0].head) = (0, 12)
    nights[1].figures = [.madeUp(figure, effect: nil)]
    (nights[1].figures[0].base, nights[1].figures[0].head) = (12, 0)
    #expect(nights.map(\.figures[0].changeText) == ["from 0", "to 0"])
    let rows = HistoryTable.text(of: nights).split(separator: "\n")
    #expect(rows[1].hasSuffix(",from 0") && rows[2].hasSuffix(",to 0"))
    #expect(HistoryReport(nights: nights, alarms: [], acknowledgements: []).text.contains(" to 0 |"))
    nights[1].figures[0].base = 0
    #expect(nights[1].figures[0].changeText == "–")
  }

  @Test func `an improvement is listed and is not an alarm`() {
    let report = HistoryReport(nights: nights([0, 0, -0.06]), alarms: [alarm(-0.06)], acknowledgements: [])
    #expect(report.openAlarms.isEmpty)
    #expect(report.text.contains("improvement"))
  }

  @Test func `the page draws every figure`() throws {
    let report = HistoryReport(nights: nights([0, 0.01, 0.06]), alarms: [alarm(0.06)], acknowledgements: [])
    _ = try XMLPage(html: report.page)
    #expect(report.page.contains("The change of commits/run/write p50 against the pinned build, night by night"))
  }

  @Test func `an empty history has a report`() {
    let report = HistoryReport(nights: [], alarms: [], acknowledgements: [])
    #expect(report.headline == "NO OPEN ALARM in 0 nights")
    #expect(report.text.contains("No night has been added yet."))
  }

  @Test func `the table has a column for each figure and a blank where a night lacks one`() {
    var nights = nights([0, log(1.25)])
    nights[0].figures = []
    let lines = HistoryTable.text(of: nights).split(separator: "\n")
    #expect(lines[0] == "time,commit,reference,commits/run/write p50")
    #expect(lines[1] == "2026-01-10T02:00:00Z,commit0,pinned,")
    #expect(lines[2].hasPrefix("2026-01-11T02:00:00Z,commit1,pinned,1.25"))
  }
}

/// A way in which a night is not comparable with the others.
struct Oddity: CustomTestStringConvertible, Sendable {
  static let all = [
    Oddity("another processor") { $0.machine.cpu = "other" },
    Oddity("another number of cores") { $0.machine.coreCount = 64 },
    Oddity("other limits of the processors") {
      $0.machine.processorLimits = ProcessorLimits(
        quota: ProcessorLimits.Quota(quotaNanoseconds: 15_000_000, periodNanoseconds: 100_000_000),
        affinity: nil
      )
    },
    Oddity("another file system") { $0.machine.fileSystem = "overlay" },
    Oddity("another amount of memory") { $0.machine.memoryBytes *= 2 },
    Oddity("another pinned build") { $0.reference = "v1.0" },
    Oddity("other settings") { $0.settings = ["engine.synchronous=off"] },
  ]

  let reason: String
  let change: @Sendable (inout Night) -> Void

  var testDescription: String { reason }

  init(_ reason: String, _ change: @escaping @Sendable (inout Night) -> Void) {
    (self.reason, self.change) = (reason, change)
  }
}
