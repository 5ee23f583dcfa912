import Foundation
import HarnessPrimitives
import LatencyMetrics
import Testing

@testable import BenchReports
@testable import BenchResults

struct HTMLReportTests {
  private let result = StalledReaderRun.result

  private func page(_ result: RunResult) -> String {
    RunReport(result: result, command: "./run-bench.sh --seed 42 scenario.yaml").page
  }

  private func parsed(_ page: String) throws -> XMLPage { try XMLPage(html: page) }

  @Test func `The page has the sections of the Markdown report, in its order, each with its anchor`() throws {
    let markdown = RunReport(result: result, command: "").text
    let headings = markdown.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
    let page = try parsed(page(result))
    #expect(page.texts(of: "h2") == headings)
    #expect(page.texts(of: "h1") == ["PASSED: 3 of 3 expectations, no invariant violated"])
    let anchors = page.attributes("id", of: "section")
    for anchor in ["verdict", "expectations", "timeline", "latency", "blame", "checkpoints", "environment", "repeat"] {
      #expect(anchors.contains(anchor))
    }
    let all = page.ids
    #expect(Set(all).count == all.count, "An anchor that stands twice leads nowhere.")
    let contents = page.attributes("href", of: "a").filter { $0.hasPrefix("#") }
    #expect(contents.allSatisfy { anchors.contains(String($0.dropFirst())) })
    #expect(contents.count == headings.count)
  }

  @Test func `Every cell of the Markdown tables is in the page`() throws {
    let report = RunReport(result: result, command: "")
    let cells = try parsed(report.page).texts(of: "td")
    var expected: [String] = []
    for section in report.sections {
      for block in section.blocks {
        switch block {
        case .table(let table), .details(_, let table): expected += texts(of: table)
        default: break
        }
      }
    }
    #expect(cells == expected)
    #expect(expected.contains("5,763 commits"))
  }

  /// Returns the texts of a table's cells. The operation of a transaction has a box that shows the rows of its parts.
  private func texts(of table: ReportTable) -> [String] {
    table.rows.enumerated().flatMap { index, row -> [String] in
      var cells = row.map(\.plain)
      let parts = table.rows.indices.dropFirst(index + 1).prefix { table.parts.contains($0) }.count
      if parts > 0, !table.parts.contains(index) { cells[3] += " operations" }
      return cells
    }
  }

  @Test func `The rows of operations are parts of their transactions, and are folded without a script`() throws {
    let page = try parsed(page(result))
    let rows = page.elements.filter { $0.name == "tr" && $0.attributes["class"] == "part" }
    #expect(rows.map(\.text).contains { $0.contains("multiGet") })
    #expect(!rows.map(\.text).contains { $0.contains("transaction") })
    // Each group has a box, and its rows have a table body of their own.
    let boxes = page.elements.filter { $0.name == "input" && $0.attributes["type"] == "checkbox" }
    #expect(boxes.count == 3)
    let groups = page.elements.filter { $0.name == "tbody" && $0.text.contains(" operations") }
    #expect(groups.count == boxes.count)
  }

  @Test func `The figures of the expectation's actor are tiles, with the peak of the WAL and its holder`() throws {
    let page = try parsed(page(result))
    let names = page.texts(of: "dt")
    #expect(
      names == [
        "Throughput, transactions", "Response time, p50", "Response time, p99", "Arrivals served", "WAL peak",
      ]
    )
    let values = page.elements.filter { $0.name == "dd" }
    #expect(values.count == 2 * names.count)
    #expect(values.filter { $0.text.contains("import in phase stall") }.count == 4)
    #expect(
      values.contains { $0.text == "5,701 of 5,704 offered, 0 dropped, 3 waiting at the end, of import in phase stall" }
    )
    #expect(values.contains { $0.text == "held by ui, in phase stall" })
  }

  @Test func `The tiles show the actor of a failed expectation, or the busiest of the longest phase`() throws {
    var result = result
    result.expectations.append(
      .init(
        source: "[share] drain/scroll response.p99 < 1ns",
        phase: "drain",
        actor: "scroll",
        comparison: .less,
        measured: MeasuredValue(1_000, text: "1us"),
        limit: MeasuredValue(1, text: "1ns")
      )
    )
    let failed = try #require(FiguresSection.shownActor(in: result))
    #expect(failed.phase.name == "drain" && failed.actor.name == "scroll")
    result.expectations = []
    let busiest = try #require(FiguresSection.shownActor(in: result))
    #expect(busiest.phase.name == "stall" && busiest.actor.name == "scroll")
    result.phases = []
    #expect(FiguresSection.shownActor(in: result) == nil)
  }

  @Test func `Dropped arrivals mark the tile of arrivals`() throws {
    var result = result
    result["stall"]["import"].droppedArrivals = 570
    result["stall"]["import"].begunArrivals = 5_134
    let tile = try #require(
      try parsed(page(result)).elements.first { $0.name == "div" && $0.text.hasPrefix("Arrivals served") }
    )
    #expect(tile.attributes["class"] == "doubtful")
    #expect(tile.text.contains("90.0 %5,134 of 5,704 offered, 570 dropped"))
  }

  @Test func `Sections in which nothing is wrong are folded, and are open if something is`() throws {
    func folded(_ result: RunResult) throws -> [String] {
      let page = try parsed(page(result))
      return page.elements.filter { $0.name == "details" && $0.attributes["class"] == "section" }.map { section in
        String(section.text.prefix { $0 != "\n" })
      }
    }
    var result = result
    let all = try folded(result)
    for title in ["WAL area by cause", "Checkpoints", "Memory and processors", "Invariants", "Measurement quality"] {
      #expect(all.contains { $0.hasPrefix(title) }, "\(title) in \(all)")
    }
    #expect(all.contains("Measurement quality no sign of measurement error"))
    result.harness.distrust = ["the clock stepped back"]
    result.invariants[0].violations = ["wrong"]
    result.checkpoints[0].outcome = .failed
    result.environment.hasUncommittedChanges = true
    result.blame.walByteSeconds *= 2
    let some = try folded(result)
    for title in ["WAL area", "Checkpoints", "Invariants", "Measurement quality", "Environment"] {
      #expect(!some.contains { $0.hasPrefix(title) }, "\(title)")
    }
  }

  @Test func `A measured value is drawn as a share of its limit`() throws {
    var result = result
    result.expectations[0] = .init(
      source: "stall/import throughput.mean > 100/s",
      phase: "stall",
      actor: "import",
      comparison: .greater,
      measured: MeasuredValue(190, text: "190/s"),
      limit: MeasuredValue(100, text: "100/s")
    )
    result.expectations[1] = .init(
      source: "stall wal.bytes.max < 0B",
      phase: "stall",
      actor: nil,
      comparison: .less,
      measured: MeasuredValue(1, text: "1B"),
      limit: MeasuredValue(0, text: "0B")
    )
    let page = try parsed(page(result))
    let bars = page.elements.filter { $0.attributes["class"] == "fill" }.compactMap { $0.attributes["width"] }
    // The limit is at 60 of 90, and a bar ends at the edge. A limit of 0 has no share.
    #expect(bars == ["90", "13.2"])
    #expect(page.elements.filter { $0.attributes["class"] == "gauge good" }.count == 2)
    let cells = page.texts(of: "td")
    #expect(cells.contains("90.0 % above") && cells.contains("78.0 % below"))
  }

  @Test func `The charts show WAL, pins, checkpoints, latencies, blame and percentiles`() throws {
    let page = try parsed(page(result))
    let names = page.attributes("data-name", of: "path")
    for name in ["WAL file", "not yet checkpointed", "scroll p99", "import max", "only ui", "response", "service"] {
      #expect(names.contains(name), "\(name)")
    }
    let texts = page.texts(of: "text")
    let complete = result.checkpoints.filter { $0.outcome == .complete }.count
    for text in ["complete × \(complete)", "pinned by ui", "warm (not recorded)", "stall", "p99.9", "10 ms"] {
      #expect(texts.contains { $0.hasPrefix(text) }, "\(text) in \(texts)")
    }
  }

  @Test func `A point's values are the measured ones, and there is one for each point`() throws {
    let page = try parsed(page(result))
    let line = try #require(page.elements.first { $0.attributes["data-name"] == "not yet checkpointed" })
    let values = try #require(line.attributes["data-y"]).split(separator: " ").compactMap { Double($0) }
    let places = try #require(line.attributes["d"]).matches(of: /(-?[\d.]+),(-?[\d.]+)/)
    #expect(values.count == result.samples.count && places.count == values.count)
    for (value, sample) in zip(values, result.samples) {
      let bytes = Double((sample.wal?.backlogFrames ?? 0) * result.frameBytes)
      #expect(abs(value - bytes) <= bytes * 0.005)
    }
    // The largest value has the highest point.
    let heights = places.compactMap { Double($0.2) }
    let top = try #require(
      zip(result.samples, heights).max { $0.0.wal?.backlogFrames ?? 0 < $1.0.wal?.backlogFrames ?? 0 }
    )
    #expect(top.1 == heights.min())
  }

  @Test func `The page loads nothing, and runs only its own script`() throws {
    let page = page(result)
    #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("//cdn"))
    let policy = try #require(try parsed(page).elements.first { $0.attributes["http-equiv"] != nil })
    let content = try #require(policy.attributes["content"])
    #expect(content.hasPrefix("default-src 'none'; "))
    #expect(!content.contains("unsafe"))
    let nonce = try #require(content.firstMatch(of: /script-src 'nonce-([-0-9A-F]{36})'/)?.1)
    #expect(page.contains("<script nonce=\"\(nonce)\">\(PageScript.text)\(ComparisonStyle.script)</script>"))
    #expect(!self.page(result).contains(nonce), "each page has another one")
    #expect(!page.contains(" style=\"") && page.firstMatch(of: /\son[a-z]+="/) == nil)
  }

  @Test(arguments: FigureUnit.allCases)
  func `The page's script can show a value of each unit`(unit: FigureUnit) {
    #expect(PageScript.text.contains("'\(unit.rawValue)': "))
  }

  @Test func `Hostile names are inert in the page`() throws {
    let hostile =
      "</script><script>x</script>\"'><img src=x onerror=y> & \u{1B}[31m \n# big \u{202E}\u{2066}\u{7} --> ]]> &lt;"
    var hostiles = result
    hostiles.scenario = hostile
    hostiles.summary = hostile
    hostiles.notes = [hostile]
    hostiles.verdict.headline = hostile
    hostiles.expectations[0].source = hostile
    hostiles.blame.connections[0].name = hostile
    hostiles.checkpoints[0].pinnedBy = hostile
    hostiles.checkpoints[1].cause = hostile
    hostiles.harness.distrust = [hostile]
    for index in hostiles.phases.indices { hostiles.phases[index].name += hostile }
    hostiles.changeActors { $0.name += hostile }
    for index in hostiles.samples.indices {
      hostiles.samples[index].wal?.pinnedBy = hostile
      hostiles.samples[index].connections[0].name = hostile
    }
    let text = page(hostiles)
    let page = try parsed(text)
    // The page has the same elements as one with harmless names.
    let tame = try parsed(self.page(result))
    #expect(Set(page.elements.map(\.name)) == Set(tame.elements.map(\.name)))
    #expect(text.components(separatedBy: "<script").count == 2)
    #expect(!text.unicodeScalars.contains { ["\u{202E}", "\u{2066}", "\u{7}", "\u{1B}"].contains($0) })
    #expect(text.contains("U+202E") && text.contains("U+001B"))
    #expect(page.texts(of: "h1").first?.contains("</script><script>x</script>") == true)
  }

  @Test func `An empty run has a page`() throws {
    let result = result.withoutFigures
    let page = try parsed(page(result))
    #expect(page.texts(of: "figcaption").isEmpty)
    #expect(page.elements.contains { $0.name == "section" && $0.attributes["id"] == "limits" })
  }

  @Test func `Recoveries are drawn over the size of the WAL`() throws {
    var result = result
    result["stall"].events = [100, 400].map { frames in
      EventResult(
        word: "kill",
        arguments: "",
        dueNanoseconds: 0,
        begunNanoseconds: 1_000,
        endedNanoseconds: 9_000,
        outcome: .done,
        recovery: .init(durationNanoseconds: UInt64(frames) * 1_000_000, frames: frames)
      )
    }
    let page = try parsed(page(result))
    let cloud = try #require(page.elements.first { $0.attributes["data-name"] == "recovery" })
    #expect(cloud.attributes["data-y"] == "1e8 4e8")
  }

  @Test func `The page of 10 minutes with 16 actors and samples every 100 ms is smaller than 2 MiB`() throws {
    let text = page(LongRun.result)
    #expect(text.utf8.count < 2 << 20, "\(text.utf8.count) bytes")
    #expect(text.utf8.count > 200_000)
  }

  @Test
  func `The page of several runs has the variants as small multiples, and each run has a page with a link back`() throws
  {
    let report = ScenarioReport(result: PolicyRuns.result, command: "again")
    let page = try parsed(report.page)
    let texts = page.texts(of: "text")
    for title in ["scroll in stall: throughput", "stall/import response p99", "ui in stall: dropped/commit"] {
      #expect(texts.contains(title), "\(title)")
    }
    // Without the class of charts, texts would have no style.
    #expect(page.attributes("class", of: "svg").contains("chart drawing small"))
    let curves = page.attributes("data-name", of: "path")
    #expect(curves.contains("containment") && curves.contains("share"))
    #expect(page.attributes("href", of: "a").contains("runs/1-share-1.html"))
    var one = RunReport(result: PolicyRuns.result.runs[0], command: "")
    one.files = RunFiles(
      folder: "../",
      earlier: EarlierRuns(previous: "20260101-000000-a-nocommit"),
      hasLatencyLog: true
    )
    one.isOneOfSeveral = true
    let back = try parsed(one.page)
    let links = back.attributes("href", of: "a")
    #expect(
      links.prefix(3) == ["../report.html", "../../index.html", "../../20260101-000000-a-nocommit/report.html"]
    )
    #expect(links.contains("../run.json") && links.contains("../latency.hlog") && links.contains("../scenario.yaml"))
    #expect(back.texts(of: "h2").contains("Caches"))
    #expect(back.texts(of: "text").contains { $0.hasPrefix("ui in stall: changes") })
  }

  @Test func `A long table is folded`() throws {
    var result = result
    result.notes = []
    result.phases = [result["stall"]]
    result.phases[0].actors = Array(repeating: result["stall"]["scroll"], count: 30)
    #expect(try parsed(page(result)).texts(of: "summary").contains("30 rows"))
  }

  @Test func `Thinning keeps every peak and the order of time`() {
    var random = RandomStream(seed: 7)
    var points = (0..<50_000).map { ChartSeries.Point(x: Double($0) / 50, y: random.unit()) }
    points[4_321].y = 9
    points[8_765].y = -9
    let thinned = ChartSeries(name: "one", style: 0, points: points).thinned(columns: 500, range: 0...1_000).points
    #expect(thinned.count <= 1_002)
    #expect(thinned.map(\.x) == thinned.map(\.x).sorted())
    #expect(thinned.contains(points[4_321]) && thinned.contains(points[8_765]))
  }

  @Test func `A percentile curve passes through the histogram's percentiles`() throws {
    var histogram = LatencyHistogram()
    for value in 1...1_000 { histogram.record(UInt64(value) * 1_000) }
    let curve = try #require(LatencyCurvesChart.series(histogram, named: "service", style: 0)).points
    for (place, percentile) in [(log10(2.0), 50.0), (1, 90), (2, 99)] {
      let nearest = try #require(curve.min { abs($0.x - place) < abs($1.x - place) })
      let expected = Double(histogram.value(atPercentile: percentile))
      #expect(abs(nearest.y - expected) <= expected * 0.03)
    }
    #expect(curve.last?.y == 1_000_000)
    #expect(curve.last?.x == 3)
  }
}
