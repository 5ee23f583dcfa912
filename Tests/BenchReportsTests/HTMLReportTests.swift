import Foundation
import LatencyMetrics
import SeededRandom
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
    #expect(page.attributes("href", of: "a").allSatisfy { anchors.contains(String($0.dropFirst())) })
  }

  @Test func `Every cell of the Markdown tables is in the page`() throws {
    let report = RunReport(result: result, command: "")
    let cells = try parsed(report.page).texts(of: "td")
    var expected: [String] = []
    for section in report.sections {
      for block in section.blocks {
        switch block {
        case .table(let table), .details(_, let table): expected += table.rows.flatMap { $0.map(\.plain) }
        default: break
        }
      }
    }
    #expect(cells == expected)
    #expect(expected.contains("5,763 commits"))
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
    #expect(page.contains("<script nonce=\"\(nonce)\">\(PageScript.text)</script>"))
    #expect(!self.page(result).contains(nonce), "each page has another one")
    #expect(!page.contains(" style=\"") && page.firstMatch(of: /\son[a-z]+="/) == nil)
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
    for title in ["scroll in stall: throughput", "import in stall: response p99", "ui in stall: dropped/commit"] {
      #expect(texts.contains(title), "\(title)")
    }
    let curves = page.attributes("data-name", of: "path")
    #expect(curves.contains("containment") && curves.contains("share"))
    #expect(page.attributes("href", of: "a").contains("runs/1-share-1.html"))
    var one = RunReport(result: PolicyRuns.result.runs[0], command: "")
    one.tableFolder = "../"
    let back = try parsed(one.page)
    #expect(back.attributes("href", of: "a").first == "../report.html")
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
    let curve = try #require(LatencyCurvesFigure.series(histogram, named: "service", style: 0)).points
    for (place, percentile) in [(log10(2.0), 50.0), (1, 90), (2, 99)] {
      let nearest = try #require(curve.min { abs($0.x - place) < abs($1.x - place) })
      let expected = Double(histogram.value(atPercentile: percentile))
      #expect(abs(nearest.y - expected) <= expected * 0.03)
    }
    #expect(curve.last?.y == 1_000_000)
    #expect(curve.last?.x == 3)
  }
}
