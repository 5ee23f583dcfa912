import BenchRegression
import ComparisonFixtures
import Foundation
import Synchronization
import SystemFiles
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
    #expect(try file.prune(keep: 4) { left = $0 } == 5)
    #expect(left == (5..<9).map { night($0) })
    #expect(try file.prune(keep: 4) { _ in } == 0)
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
}
