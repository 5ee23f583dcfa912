import Foundation
import TestSupport
import Testing

@testable import BenchReports
@testable import BenchResults

struct RunPictureTests {
  private let result = StalledReaderRun.result
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func picture(_ result: RunResult) throws -> String {
    try #require(TimelineChart.drawings(result)?.file).text
  }

  @Test func `The picture is beside the report, and names phases and actors`() throws {
    let path = try RunDirectory.write(result, into: folder.path)
    let svg = try String(contentsOfFile: "\(path)/wal-and-latency.svg", encoding: .utf8)
    let texts = try XMLPage(svg).texts(of: "text")
    for name in [
      "stalled-reader", "warm", "stall", "drain", "scroll p99", "import p50", "pinned by ui", "peak 207 MiB",
    ] {
      #expect(texts.contains { $0.hasPrefix(name) }, "\(name) in \(texts)")
    }
    let report = try String(contentsOfFile: path + "/report.md", encoding: .utf8)
    #expect(report.contains("](wal-and-latency.svg)"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func `The picture has the curves of the page`() throws {
    let page = try XMLPage(html: RunReport(result: result, command: "").page)
    let svg = try XMLPage(picture(result))
    func curves(_ page: XMLPage) -> [[String?]] {
      page.elements.filter { $0.attributes["data-name"] != nil }.map {
        [$0.attributes["data-name"], $0.attributes["d"]]
      }
    }
    #expect(curves(svg).count == 8)
    #expect(curves(svg) == Array(curves(page).prefix(8)))
  }

  @Test func `The picture is self-contained, and is dark in a dark viewer`() throws {
    let svg = try picture(result)
    let style = try #require(try XMLPage(svg).texts(of: "style").first)
    #expect(style.contains("@media (prefers-color-scheme:dark){") && !style.contains("var("))
    // Each colour of the light part has a counterpart in the dark part.
    let parts = style.components(separatedBy: "@media").map { $0.matches(of: /#[0-9a-f]{3,6}/).map { String($0.0) } }
    #expect(parts.count == 2 && parts[0].count == parts[1].count)
    #expect(Set(parts[0]).isDisjoint(with: parts[1]))
    #expect(svg.components(separatedBy: "http").count == 2, "Only the name space is an address.")
    #expect(!svg.contains("<image") && !svg.contains("@import") && !svg.contains("src="))
    let names = Set(try XMLPage(svg).ids)
    for reference in svg.matches(of: /(?:href="|url\()#([a-z0-9]+)/) { #expect(names.contains(String(reference.1))) }
  }

  @Test func `Hostile names are neither executed nor markup`() throws {
    var result = result
    let hostile = "'; system 'touch owned' `touch owned` </text><script>x</script> \\ ]]> \u{1B}\u{202E}"
    result.scenario = hostile
    result.phases[1].name = hostile
    result.changeActors { $0.name = hostile }
    for index in result.samples.indices { result.samples[index].wal?.pinnedBy = hostile }
    let svg = try picture(result)
    #expect(!svg.contains("<script") && !svg.contains("\u{1B}") && !svg.unicodeScalars.contains("\u{202E}"))
    #expect(svg.firstMatch(of: /\son[a-z]+="/) == nil)
    // The picture has the same elements as one with harmless names.
    #expect(Set(try XMLPage(svg).elements.map(\.name)) == Set(try XMLPage(picture(self.result)).elements.map(\.name)))
    #expect(try XMLPage(svg).texts(of: "text").contains { $0.hasPrefix("'; system 'touch") })
  }

  @Test func `The picture of half an hour of samples is smaller than 512 KiB`() throws {
    let long = LongRun.result
    var result = long
    let spanNanoseconds = long.endNanoseconds
    result.phases[0].endNanoseconds = 3 * spanNanoseconds
    for part in 1..<3 {
      let later = UInt64(part) * spanNanoseconds
      result.samples += long.samples.map { sample in
        var sample = sample
        sample.elapsedNanoseconds += later
        return sample
      }
      result.checkpoints += long.checkpoints.map { checkpoint in
        var checkpoint = checkpoint
        checkpoint.elapsedNanoseconds += later
        return checkpoint
      }
      for (index, actor) in long.phases[0].actors.enumerated() {
        for (kind, seconds) in actor.intervals {
          for var second in seconds {
            second.startNanoseconds += later
            second.endNanoseconds += later
            result.phases[0].actors[index].intervals[kind]?.append(second)
          }
        }
      }
    }
    let svg = try picture(result)
    #expect(svg.utf8.count < 512 << 10, "\(svg.utf8.count) bytes")
    #expect(try XMLPage(svg).texts(of: "text").contains("complete × 15,000"))
  }

  @Test func `A line has gaps where nothing was measured`() throws {
    func lineCount(breaksAfter: Double?) throws -> Int {
      let points = [1.0, 2, 9].map { ChartSeries.Point(x: $0, y: 3) }
      let series = ChartSeries(name: "one", style: 0, points: points, breaksAfter: breaksAfter)
      let panel = Chart.Panel(title: "", content: .series([series], .linear(to: 4, .number)))
      let chart = Chart(description: "", scale: .linear(to: 9, .seconds), axis: "", panels: [panel])
      let svg = try XMLPage(ChartDrawing.drawing(chart).pageElement)
      let line = try #require(svg.elements.first { $0.attributes["data-name"] == "one" })
      return try #require(line.attributes["d"]).filter { $0 == "M" }.count
    }
    #expect(try lineCount(breaksAfter: 2.5) == 2)
    #expect(try lineCount(breaksAfter: nil) == 1)
  }

  @Test func `Bars and ticks that overlap are drawn as one`() throws {
    var spans = (0..<90_000).map { (index: Int) -> (start: Double, end: Double) in
      let start = Double(index) / 10
      return (start, start + 0.05)
    }
    spans.append((9_500, 9_600))
    let row = Chart.Row(name: "one", spans: spans, style: 0, isFaint: false, hasTicks: true)
    let panel = Chart.Panel(title: "", content: .rows([row]))
    let chart = Chart(description: "", scale: .linear(to: 10_000, .seconds, room: 1), axis: "", panels: [panel])
    let svg = try XMLPage(ChartDrawing.drawing(chart).pageElement)
    func partCount(_ kind: String) throws -> Int {
      let path = try #require(svg.elements.first { $0.attributes["class"]?.hasPrefix(kind) == true })
      return try #require(path.attributes["d"]).filter { $0 == "M" }.count
    }
    #expect(try partCount("bar") == 2)
    #expect(try (2_000...2_700).contains(partCount("mark")))
  }

  @Test func `A run in which nothing was recorded has no picture`() {
    var result = result
    result.samples = []
    result.changeActors { $0.intervals = [:] }
    result.checkpoints = []
    #expect(TimelineChart.drawings(result) == nil)
  }

  @Test func `A closed load is drawn by its service time`() throws {
    var result = result
    result.changeActors { $0.intervals = [.service: $0.intervals[.response] ?? IntervalSeries()] }
    #expect(try XMLPage(picture(result)).texts(of: "text").contains("Service time"))
    #expect(try XMLPage(picture(self.result)).texts(of: "text").contains("Response time"))
  }
}
