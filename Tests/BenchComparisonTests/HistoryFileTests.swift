import BenchRegression
import ComparisonFixtures
import Foundation
import HarnessPrimitives
import SQLiteBinding
import Synchronization
import TestSupport
import Testing

@testable import BenchComparison
@testable import BenchResults

@Suite("The history") struct HistoryFileTests {
  private let folder: TemporaryFolder
  private let figure = FigureName(workload: "commits/run/it's \"write\"", metric: "p50")

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path + "/history.sqlite" }

  private func night(_ number: Int, effect: Double = 0) -> Night {
    Night(
      time: "2026-01-01T00:\(number / 10)\(number % 10):00Z",
      commit: "commit \(number)",
      reference: "pinned",
      machine: .madeUp(),
      figures: [.madeUp(figure, effect: effect, interval95Percent: PercentInterval(low: -1, high: 1))]
    )
  }

  private func add(_ night: Night, to file: HistoryFile) throws -> [TrendAlarm]? {
    try file.add(night, smallestChange: 0.02) { _ in }
  }

  @Test func `nights are kept unchanged, sorted by time`() throws {
    let file = try HistoryFile(at: path)
    for number in [3, 1, 2] { #expect(try add(night(number, effect: 0.1 / 3), to: file) == []) }
    let expected = [1, 2, 3].map { night($0, effect: 0.1 / 3) }
    #expect(try file.nights() == expected)
    #expect(try HistoryFile(at: path).nights() == expected)
  }

  @Test func `a night is not added twice`() throws {
    let file = try HistoryFile(at: path)
    #expect(try add(night(1), to: file) == [])
    #expect(try add(night(1), to: file) == nil)
    #expect(try file.nights().count == 1)
  }

  @Test func `an alarm is raised once and kept`() throws {
    let file = try HistoryFile(at: path)
    var raised: [Int: [TrendAlarm]] = [:]
    for number in 0..<40 {
      raised[number] = try add(night(number, effect: number < 20 ? 0 : 0.06), to: file)
    }
    let alarms = raised.values.flatMap { $0 }
    #expect(alarms.map(\.firstCommit) == ["commit 20"])
    #expect(try file.alarms() == alarms)
    // The change needs five nights after it, and one more night for its position.
    #expect(raised[24]?.isEmpty == true && raised[25]?.count == 1)
  }

  @Test func `two machines in turn raise an alarm each`() throws {
    let file = try HistoryFile(at: path)
    for number in 0..<59 {
      var night = night(number, effect: number < 30 ? 0 : 0.06)
      if number.isMultiple(of: 2) { night.machine = .madeUp(cpu: "another processor") }
      _ = try add(night, to: file)
    }
    #expect(try file.alarms().map(\.firstCommit) == ["commit 30", "commit 31"])
    #expect(try file.alarms().map(\.machine?.cpu) == ["another processor", "a processor"])
  }

  @Test func `an odd night between the change and the alarm delays it by that night`() throws {
    let file = try HistoryFile(at: path)
    var raisedAt: [Int] = []
    for number in 0..<40 {
      var night = night(number, effect: number < 20 ? 0 : 0.06)
      if number == 23 { night.reference = "a release" }
      if try add(night, to: file)?.isEmpty == false { raisedAt.append(number) }
    }
    #expect(raisedAt == [26])
    #expect(try file.alarms().map(\.firstCommit) == ["commit 20"])
  }

  @Test func `nights and alarms of earlier versions are read`() throws {
    _ = try HistoryFile(at: path)
    // As the first version wrote them: every figure had an effect, and alarms had no series.
    let machine = #"{"coreCount":2,"cpu":"c","fileSystem":"ext4","kernel":"6","memoryBytes":1,"sqliteVersion":"3"}"#
    let name = #"{"metric":"throughput","workload":"a/b"}"#
    let night = """
      {"commit":"c","figures":[{"base":1000,"better":"higher","effect":0.6931471805599453,"head":500,"name":\(name),\
      "role":"primary","unit":"1/s","verdict":"regressed"}],"machine":\(machine),"reference":"p","settings":[],\
      "time":"2026-01-01T00:00:00Z"}
      """
    let alarm = """
      {"figure":\(name),"firstCommit":"c","firstTime":"2026-01-01T00:00:00Z","lastCommit":"b",\
      "lastTime":"2025-12-31T00:00:00Z","magnitude":0.6931471805599453,"pValue":0.001}
      """
    let handle = try SQLiteHandle(path: path)
    try handle.execute(
      "INSERT INTO nights (time, head, reference, record) VALUES ('2026-01-01T00:00:00Z', 'c', 'p', '\(night)')"
    )
    try handle.execute("INSERT INTO alarms (record) VALUES ('\(alarm)')")
    let figure = try #require(try HistoryFile(at: path).nights().first?.figures.first)
    #expect(abs((figure.changePercent ?? 0) + 50) < 1e-9 && abs((figure.ratio ?? 0) - 0.5) < 1e-9)
    let known = try #require(try HistoryFile(at: path).alarms().first)
    #expect(known.better == nil && known.machine == nil && known.magnitude > 0.69)
  }

  @Test func `figures that are 0 on one side keep their verdict`() throws {
    func result(_ number: Int, _ base: Double, _ head: Double, _ verdict: EffectVerdict) -> FigureResult {
      let name = FigureName(workload: "s/run", metric: "count \(number)")
      let figure = RunFigure(name: name, role: .count, unit: .number, value: 0)
      var result = FigureResult(of: figure, verdict: verdict)
      (result.base, result.head, result.isExact) = (base, head, true)
      result.changePercent = base == 0 ? nil : 100 * (head / base - 1)
      return result
    }
    // The values of the last one gave no estimate.
    let figures = [
      result(1, 0, 12, .regressed), result(2, 4096, 0, .improved), result(3, 0, 0, .unchanged),
      result(4, 0, 0, .inconclusive),
    ]
    let file = try HistoryFile(at: path)
    _ = try add(Night(.madeUp(figures, base: "pinned", head: "c")), to: file)
    let kept = try #require(try file.nights().first?.figures).sorted { $0.name.metric < $1.name.metric }
    #expect(kept.map(\.verdict) == [.regressed, .improved, .unchanged, .inconclusive])
    #expect(kept.map(\.effect) == [nil, nil, 0, nil])
    #expect(kept.map(\.head) == [12, 0, 0, 0])
  }

  @Test func `two threads that add at the same time lose nothing`() throws {
    let count = 24
    let (path, nights) = (path, (0..<count).map { night($0) })
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: count) { number in
      do {
        _ = try HistoryFile(at: path).add(nights[number]) { _ in }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try HistoryFile(at: path).nights() == nights)
  }

  @Test func `a change is rolled back if its table cannot be written`() throws {
    struct FullDisk: Error {}
    let file = try HistoryFile(at: path)
    _ = try add(night(1), to: file)
    #expect(throws: FullDisk.self) { _ = try file.add(night(2)) { _ in throw FullDisk() } }
    #expect(throws: FullDisk.self) { _ = try file.prune(keep: 1) { _ in throw FullDisk() } }
    #expect(try file.nights().count == 1)
    #expect(try add(night(2), to: file) == [])
  }

  @Test func `the oldest nights are pruned`() throws {
    let file = try HistoryFile(at: path)
    for number in 0..<9 { _ = try add(night(number), to: file) }
    var left: [Night] = []
    #expect(try file.prune(keep: 4) { left = $0 }.compared == 5)
    #expect(left == (5..<9).map { night($0) })
    #expect(try file.prune(keep: 4) { _ in }.compared == 0)
  }

  private func suiteRun(_ night: Int, _ scenario: String, value: Double = 1) throws -> SuiteRun {
    var run = RunResult()
    (run.scenario, run.startedAt) = (scenario, "2026-01-0\(night)T00:00:00Z")
    let figure = SuiteRun.Figure(name: figure, unit: .nanoseconds, value: value)
    let result = ScenarioResult(scenarioYAML: "", variants: [], repetitions: 1, runs: [run])
    return SuiteRun(result, night: run.startedAt, figures: [figure])
  }

  @Test func `runs of the suite are kept, one of each scenario in a night`() throws {
    let file = try HistoryFile(at: path)
    for (night, scenario) in [(2, "b"), (1, "it's"), (2, "a"), (3, "a")] {
      try file.add(suiteRun(night, scenario, value: 0.1 / 3))
    }
    try file.add(suiteRun(2, "a", value: 5))
    let all = try [(1, "it's", 0.1 / 3), (2, "a", 5), (2, "b", 0.1 / 3), (3, "a", 0.1 / 3)].map(suiteRun)
    #expect(try HistoryFile(at: path).suiteRuns() == all)
    #expect(try file.prune(keep: 2) { _ in }.suites == 1)
    #expect(try file.suiteRuns() == Array(all.dropFirst()))
    let end = try ChildProcess.run(
      "sqlite3",
      [path, "SELECT night, metric, value, unit FROM suite_figures ORDER BY value DESC LIMIT 1"]
    )
    if end.exitCode != 127 { #expect(end.output == "2026-01-02T00:00:00Z|p50|5|ns\n", "\(end.output)") }
  }

  @Test func `other programs read the ratios as rows`() throws {
    _ = try add(night(1, effect: 0.25), to: HistoryFile(at: path))
    let end = try ChildProcess.run("sqlite3", [path, "SELECT metric, effect, verdict FROM ratios"])
    // The command line of SQLite is not a requirement of this project.
    if end.exitCode != 127 { #expect(end.output == "p50|0.25|unchanged\n") }
  }

  @Test func `a file that is not a history is rejected with its path`() throws {
    let text = try folder.write(String(repeating: "no database\n", count: 100), to: "notes")
    let error = #expect(throws: ComparisonError.self) { _ = try HistoryFile(at: text) }
    #expect(error?.description.contains(text) == true)
    #expect(try String(contentsOfFile: text, encoding: .utf8).hasPrefix("no database"))
  }

  // MARK: Acknowledgements

  @Test func `acknowledgements are added and cover only their alarm`() throws {
    let file = AcknowledgementFile(at: folder.path + "/acknowledged.json")
    #expect(try file.acknowledgements() == [])
    var alarm = TrendAlarm(
      figure: figure,
      lastTime: "t1",
      lastCommit: "a",
      firstTime: "t2",
      firstCommit: "b",
      magnitude: 0.05,
      pValue: 0.001
    )
    try file.add([Acknowledgement(alarm, note: "known")])
    alarm.figure.metric = "p99"
    try file.add([Acknowledgement(alarm, note: "also known")])
    let all = try file.acknowledgements()
    #expect(all.map(\.note) == ["known", "also known"])
    #expect(all.map { $0.covers(alarm) } == [false, true])
    alarm.firstCommit = "c"
    #expect(!all[1].covers(alarm))
  }

  @Test func `a link to the acknowledgements stays`() throws {
    let (link, kept) = (folder.path + "/acknowledged.json", try folder.write("[]", to: "kept.json"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: kept)
    try AcknowledgementFile(at: link).add([])
    #expect(try String(contentsOfFile: kept, encoding: .utf8) != "[]")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == kept)
  }
}
