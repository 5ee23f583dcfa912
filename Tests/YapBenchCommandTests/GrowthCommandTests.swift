import BenchResults
import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import EngineBenchmarks
@testable import YapBenchCommand

struct GrowthCommandTests {
  private let folder: TemporaryFolder
  private var out: String { folder.path + "/curves" }

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let report: GrowthReport = {
    let points = [1_000, 100_000, 10_000_000].map { size in
      GrowthReport.Point(size: size, figures: ["engine": [Double(size), 3e3], "C over our table": [1e3, 1e3]])
    }
    let memory = [16, 1 << 20].map { GrowthReport.Point(size: $0, figures: ["engine": [Double(100 + $0)]]) }
    let table = ["engine", "C over our table"]
    return GrowthReport(
      seed: 4,
      rounds: 2,
      axes: [
        GrowthReport.Axis(
          axis: .rows,
          panels: [GrowthReport.Panel(title: "1 row", unit: .nanoseconds, contestants: table, points: points)]
        ),
        GrowthReport.Axis(
          axis: .values,
          panels: [GrowthReport.Panel(title: "memory", unit: .bytes, contestants: ["engine"], points: memory)]
        ),
      ]
    )
  }()

  private func run(_ arguments: String..., grower: CommandContext.Grower? = nil) -> (code: Int32, trial: Trial) {
    var trial = Trial()
    trial.grower = grower ?? { _, _, _ in Self.report }
    return (Program.run(["bench", "--data-dir", folder.path] + arguments, in: .captured(by: trial)), trial)
  }

  @Test func `the folder has a page, a picture for each axis and all figures`() throws {
    let (code, trial) = run("--growth", "--out", out)
    #expect(code == 0)
    #expect(trial.output.lines == [out + "/growth.md"])
    try #expect(folder.names(in: "curves").sorted() == ["growth.json", "growth.md", "rows.svg", "values.svg"])
    let page = try String(contentsOfFile: out + "/growth.md", encoding: .utf8).replacing(#/ +/#, with: " ")
    #expect(page.contains("](rows.svg)") && page.contains("](values.svg)"))
    // The median of 10 ms and 3 us beside 1 us, and a value of 1 MiB.
    #expect(page.contains("| 10,000,000 | 5.00 ms | 1.00 µs | 5,000 |"))
    #expect(page.contains("| 1.00 MiB | 1.00 MiB |"))
    for name in ["rows", "values"] {
      let picture = try Data(contentsOf: URL(fileURLWithPath: "\(out)/\(name).svg"))
      #expect(XMLParser(data: picture).parse(), "\(name)")
      #expect(!String(decoding: picture, as: UTF8.self).contains("nan"), "\(name)")
    }
    let figures = try Data(contentsOf: URL(fileURLWithPath: out + "/growth.json"))
    try #expect(JSONDecoder().decode(GrowthReport.self, from: figures).axes.map(\.axis) == [.rows, .values])
  }

  @Test func `an existing folder is refused before anything is measured`() {
    #expect(run("--growth", "--out", out).code == 0)
    let (code, trial) = run("--growth", "--out", out) { _, _, _ in
      Issue.record("measured")
      return Self.report
    }
    #expect(code == 73)
    #expect(trial.errors.text.contains("exists already"))
    #expect(run("--growth", "--out", folder.path + "/missing/curves").code == 73)
  }

  @Test func `options select axes and sizes`() throws {
    let seen = CapturedOutput()
    let grower: CommandContext.Grower = { options, _, onProgress in
      for (axis, sizes) in options.axes { seen.line("\(axis) \(sizes)") }
      seen.line("\(options.rounds) \(options.seed)")
      onProgress("rows 1000")
      return Self.report
    }
    let arguments = ["--growth", "--out", out, "--only", "rows,LAG", "--max-rows", "5000", "--quick", "--seed", "8"]
    var trial = Trial()
    trial.grower = grower
    #expect(Program.run(["bench", "--data-dir", folder.path] + arguments, in: .captured(by: trial)) == 0)
    #expect(seen.text == "rows [1000, 3000]\nlag [1, 10, 100, 1000]\n3 8\n")
    #expect(trial.errors.text == "rows 1000\n")
    try #expect(folder.names(in: "") == ["curves"])
  }

  @Test func `an interrupted measurement writes nothing`() throws {
    let (code, trial) = run("--growth", "--out", out) { _, _, _ in
      var report = Self.report
      report.isInterrupted = true
      return report
    }
    #expect(code == 130)
    #expect(trial.errors.text.contains("no curves were written"))
    try #expect(folder.names(in: "").isEmpty)
  }

  @Test func `a full disk is an error that names the remedy`() {
    let (code, trial) = run("--growth", "--out", out) { _, _, _ in
      throw BenchmarkError(.failed, "the axis wal needs 9 MiB of disk space, and 1 MiB are free: choose another one")
    }
    #expect(code != 0)
    #expect(trial.errors.text.contains("the axis wal needs 9 MiB"))
  }

  @Test(
    arguments: [
      (["--growth"], "--growth needs --out"), (["--growth", "--out", "x", "--only", "P1"], "takes axes: rows"),
      (["--growth", "--out", "x", "--max-rows", "10"], "at least 1000"),
      (["--growth", "--out", "x", "--json", "y"], "--json cannot be used with --growth"),
      (["--growth", "--out", "x", "--stuck-wal-mib", "64"], "--stuck-wal-mib cannot be used"),
      (["--quick"], "--quick needs --growth"), (["--max-rows", "5000"], "--max-rows needs --growth"),
      (["--out", "x"], "--out needs --growth"), (["--only", "rows"], "--only rows needs --growth"),
      (["--only", "P1,rows"], "P1,rows"),
    ] as [([String], String)]
  )
  func `wrong usage exits 64 and names the mistake`(_ arguments: [String], _ message: String) {
    let trial = Trial()
    #expect(Program.run(["bench"] + arguments, in: .captured(by: trial)) == 64)
    #expect(trial.errors.text.contains(message), "\(trial.errors.text)")
  }
}
