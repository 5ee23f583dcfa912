import BenchModel
import Foundation
import Testing

@testable import BenchReports

struct RunPictureTests {
  private let result = StalledReaderRun.result
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func report(in path: String) throws -> String {
    try String(contentsOfFile: path + "/report.md", encoding: .utf8)
  }

  @Test(.enabled(if: Gnuplot.found() != nil, "gnuplot is not installed"))
  func `The picture is drawn where gnuplot is, and names phases and actors`() throws {
    let path = try RunDirectory.write(result, into: folder.path)
    let svg = try String(contentsOfFile: "\(path)/\(RunPicture.fileName)", encoding: .utf8)
    for name in ["stalled-reader", "warm", "stall", "drain", "scroll p99", "import p50", "held by ui", "peak 205 MiB"] {
      #expect(svg.contains(name))
    }
    #expect(try report(in: path).contains("](\(RunPicture.fileName))"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test(.enabled(if: Gnuplot.found() != nil, "gnuplot is not installed"))
  func `Hostile names neither run anything nor become markup`() throws {
    var result = result
    let hostile = "'; system 'touch owned' `touch owned` </text><script>x</script> \\"
    result.scenario = hostile
    result.phases[1].name = hostile
    for index in result.intervals.indices { result.intervals[index].actor = hostile }
    for index in result.samples.indices { result.samples[index].wal?.pinnedBy = hostile }
    for index in result.checkpoints.indices { result.checkpoints[index].outcome = hostile }
    let picture = try #require(RunPicture(result))
    let plotter = try #require(Gnuplot.found())
    #expect(try plotter.draw(picture, in: folder.path) == .drawn)
    #expect(try folder.names() == [RunPicture.fileName])
    let svg = try String(contentsOfFile: "\(folder.path)/\(RunPicture.fileName)", encoding: .utf8)
    #expect(!svg.contains("<script"))
  }

  @Test func `Without gnuplot the report tells why there is no picture`() throws {
    #expect(Gnuplot.found(in: folder.path) == nil)
    let path = try RunDirectory.write(result, into: folder.path, plotter: nil)
    #expect(try report(in: path).contains("There is no picture: gnuplot is not installed."))
    #expect(!FileManager.default.fileExists(atPath: "\(path)/\(RunPicture.fileName)"))
  }

  @Test(arguments: [
    ("echo broken >&2; exit 3", "gnuplot failed with status 3 (broken)"), ("exit 0", "gnuplot wrote no whole picture"),
    ("echo '<svg>' > wal-and-latency.svg", "gnuplot wrote no whole picture"),
    ("exec tail -f /dev/null", "gnuplot did not end within 300 ms and was stopped"),
  ])
  func `A plotter that fails costs the picture and leaves nothing behind`(body: String, reason: String) throws {
    let tools = try TemporaryFolder()
    let executable = tools.path + "/gnuplot"
    try Data("#!/bin/sh\n\(body)\n".utf8).write(to: URL(fileURLWithPath: executable))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: executable)
    let timeout = body.hasPrefix("exec tail") ? 0.3 : 30
    let picture = try #require(RunPicture(result))
    let outcome = try Gnuplot(executable: executable, timeoutSeconds: timeout).draw(picture, in: folder.path)
    #expect(outcome == .missing(reason: reason))
    #expect(try folder.names().isEmpty)
  }

  @Test func `Long series keep their peaks`() {
    var points = (0..<50_000).map { PlotSeries.Point(x: Double($0), y: 5) }
    points[12_345].y = 99
    points[31_000].y = 0.1
    let series = PlotSeries(points: points).downsampled()
    #expect(series.points.count <= PlotSeries.maximumPoints)
    #expect(series.points.map(\.y).max() == 99)
    #expect(series.points.map(\.y).min() == 0.1)
    #expect(zip(series.points, series.points.dropFirst()).allSatisfy { $0.x < $1.x })
  }

  @Test func `A line is broken where nothing was measured`() {
    let points = [1.0, 2, 9].map { PlotSeries.Point(x: $0, y: 3) }
    #expect(PlotSeries(points: points, breaksAfterSeconds: 2.5).data == "1 3\n2 3\n\n9 3\n")
    #expect(PlotSeries(points: points).data == "1 3\n2 3\n9 3\n")
  }

  @Test func `A run with neither WAL nor latencies has no picture`() {
    var result = result
    result.samples = []
    result.intervals = []
    #expect(RunPicture(result) == nil)
  }

  @Test func `A closed load is drawn by its service time`() throws {
    var result = result
    for index in result.intervals.indices { result.intervals[index].kind = .service }
    #expect(try #require(RunPicture(result)).script.contains("'service time'"))
    #expect(try #require(RunPicture(self.result)).script.contains("'response time'"))
  }
}
