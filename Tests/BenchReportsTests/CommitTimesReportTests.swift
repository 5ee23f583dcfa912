import LatencyMetrics
import Testing

@testable import BenchReports
@testable import BenchResults

struct CommitTimesReportTests {
  private func run(_ change: (inout RunResult) -> Void) -> RunResult {
    var result = StalledReaderRun.result
    change(&result)
    return result
  }

  private func lines(_ run: RunResult) -> [String] {
    MarkdownReport.text(of: [CommitsSection.section(of: run)].compactMap { $0 }).split(separator: "\n").map(String.init)
  }

  private func cells(_ line: String) -> [String] {
    line.split(separator: "|").map { $0.trimmingPrefix { $0 == " " } }.map { cell in
      String(cell.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The rows of the tables of parts, with their headers.
  private func rows(_ lines: [String]) -> [[String]] {
    lines.filter { $0.hasPrefix("|") }.prefix { !$0.hasPrefix("| wait") }.filter { !$0.hasPrefix("| ---") }.map(cells)
  }

  @Test func `Each part has its mean and its share, and they add up to the service time`() throws {
    let lines = lines(run { $0["stall"]["import"].commitTimes = StalledReaderRun.commitTimes })
    #expect(lines.first == "# Parts of a commit")
    // There were no waits for connections or for joint commits, so these have no row.
    #expect(
      rows(lines) == [
        ["", "`stall/import`"], ["write lane wait", "300 µs (30.0 %)"],
        ["\u{2003}waiting for checkpoints", "120 µs (12.0 %)"],
        ["begin", "10.0 µs (1.00 %)"], ["block", "200 µs (20.0 %)"], ["\u{2003}storage calls", "150 µs (15.0 %)"],
        ["commit", "400 µs (40.0 %)"], ["engine bookkeeping", "50.0 µs (5.00 %)"], ["harness", "40.0 µs (4.00 %)"],
        ["**service**", "1.00 ms"], ["commits", "1,000"],
      ]
    )
  }

  @Test func `Waits for a connection and for a joint commit have rows if there are any`() throws {
    var times = StalledReaderRun.commitTimes
    times.add(CommitTimes(laneWait: 1_000_000, jointWait: 5_000_000), service: 0, count: 0)
    let lines = lines(run { $0["stall"]["import"].commitTimes = times })
    let titles = rows(lines).map { $0[0] }
    #expect(titles.contains("lane wait") && titles.contains("\u{2003}waiting for the joint commit"))
    #expect(lines.contains { $0.hasPrefix("Transactions that share a COMMIT") })
  }

  @Test(arguments: [
    (name: "import", columns: [5, 4]), (name: String(repeating: "i", count: 30), columns: [2, 2, 2, 2, 1]),
  ])
  func `No table is wider than a page, however many actors commit`(name: String, columns: [Int]) throws {
    let actors = (1...9).map { number in
      var times = StalledReaderRun.commitTimes
      times.add(CommitTimes(jointWait: number == 9 ? 1_000 : 0), service: 0, count: 0)
      var actor = ActorResult(name: "\(name)\(number)", load: .open)
      actor.commitTimes = times
      return actor
    }
    let rows = rows(lines(run { $0["stall"].actors = actors }))
    let headers = rows.filter { $0[0].isEmpty }
    #expect(headers.map { $0.count - 1 } == columns)
    #expect(headers.flatMap { $0.dropFirst() } == (1...9).map { "`stall/\(name)\($0)`" })
    // A row that one actor has is in all tables.
    #expect(rows.count == columns.count * 12)
    #expect(rows.filter { $0[0] == "\u{2003}waiting for the joint commit" }.map { $0.count - 1 } == columns)
  }

  @Test func `Waits are shown with their times, and transactions without waits are not`() throws {
    let lines = lines(
      run { run in
        StalledReaderRun.addWaits(to: &run)
        run["stall"]["import"].writeLaneWait?.histogram.reset()
        run["stall"]["import"].writeLaneWait?.histogram.record(1)
      }
    )
    let rows = lines.filter { $0.contains("`stall`") }.map(cells)
    #expect(rows.map { $0[0] } == ["`lane.wait`", "`notification.lag`"])
    #expect(rows[0][2] == "`scroll`" && rows[0][3] == "3" && rows[0].last == "700 µs")
    #expect(rows[0][5] == "0 s")
    #expect(rows[1].last == "2.00 ms")
  }

  @Test func `The times from commits to the rows in a reader's hands have a table of their own`() throws {
    let lines = lines(
      run { run in
        StalledReaderRun.addWaits(to: &run)
        run["stall"]["scroll"].notificationToRead = run["stall"].notificationLag
      }
    )
    let rows = lines.filter { $0.contains("`stall`") }.map(cells)
    #expect(rows.map { $0[0] } == ["`notification.toRead`", "`lane.wait`", "`writeLane.wait`", "`notification.lag`"])
    #expect(rows[0][1...3] == ["`stall`", "`scroll`", "2"] && rows[0].last == "2.00 ms")
    #expect(lines.contains { $0.hasPrefix("**From a commit to the row in the reader's hands**: ") })
  }

  @Test func `The table of times has waits by second, without a name if they belong to no actor`() {
    func wait(_ nanoseconds: UInt64) -> WaitResult {
      var histogram = LatencyHistogram()
      histogram.record(nanoseconds)
      let second = IntervalResult(startNanoseconds: 2_000_000_000, endNanoseconds: 3_000_000_000, histogram)
      return WaitResult(histogram: histogram, intervals: IntervalSeries([second]))
    }
    func rows(_ result: RunResult) -> [[String]] {
      CSVReader.rows(TimeSeriesTable(of: [result]).table.contents).map { Array($0.dropFirst(2)) }
    }
    var result = StalledReaderRun.result
    let before = rows(result)
    result["stall"]["scroll"].laneWait = wait(500)
    result["stall"]["scroll"].notificationToRead = wait(2_000)
    result["stall"].notificationLag = wait(1_000)
    let expected =
      ["p50", "p99", "max"].map { ["3", "stall", "scroll", "lane.wait.\($0)", "0.0000005"] }
      + ["p50", "p99", "max"].map { ["3", "stall", "scroll", "notification.toRead.\($0)", "0.000002"] }
      + ["p50", "p99", "max"].map { ["3", "stall", "", "notification.lag.\($0)", "0.000001"] }
    func sorted(_ rows: [[String]]) -> [[String]] { rows.sorted { $0.lexicographicallyPrecedes($1) } }
    #expect(sorted(rows(result)) == sorted(before + expected))
  }

  @Test func `Phases and times that were not recorded are not shown`() {
    let warmUp = run { $0["warm"]["import"].commitTimes = StalledReaderRun.commitTimes }
    #expect(CommitsSection.section(of: warmUp) == nil)
    #expect(CommitsSection.section(of: run { _ in }) == nil)
  }

  @Test func `The checkpoint ledger has concurrent commits and stalled writers`() throws {
    func ledger(_ change: (inout CheckpointResult) -> Void) -> String {
      MarkdownReport.text(of: [CheckpointsSection.section(of: run { change(&$0.checkpoints[0]) })])
    }
    let known = ledger {
      $0.overlappingCommits = 4_321
      $0.stalledWriters = 8_765
    }
    #expect(known.contains(" 4,321 ") && known.contains(" 8,765 "))
  }

  @Test func `The table of checkpoints has stalled writers too, and is blank if syncs are not counted`() throws {
    var result = StalledReaderRun.result
    result.checkpoints[1].laneNanoseconds = 5
    result.checkpoints[1].overlappingCommits = 6
    result.checkpoints[1].stalledWriters = 7
    result.checkpoints[1].syncs = 2
    let rows = CSVReader.rows(CheckpointsTable.table(of: [result]).contents)
    #expect(rows[0].suffix(4) == ["lane_ns", "overlapping_commits", "stalled_writers", "syncs"])
    #expect(rows[1].suffix(4) == ["0", "0", "0", ""])
    #expect(rows[2].suffix(4) == ["5", "6", "7", "2"])
  }
}
