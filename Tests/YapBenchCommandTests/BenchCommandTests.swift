import BenchResults
import Foundation
import TestSupport
import Testing

@testable import EngineBenchmarks
@testable import YapBenchCommand

struct BenchCommandTests {
  private let folder: TemporaryFolder
  private var trial = Trial()

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let claim = Claim(
    id: ClaimID(6, "raw"),
    what: "1 row: engine / raw",
    unit: .number,
    limit: .atMost(1.1),
    need: .nothing
  )

  private static func report(
    _ ratios: [Double],
    disturbance: String? = nil,
    isInterrupted: Bool = false
  ) -> BenchmarkReport {
    let record = TrialRecord(
      trial: "1 row",
      unit: .nanoseconds,
      figures: ["engine": ratios.map { $0 * 1_500 }, "raw": ratios.map { _ in 1_500 }],
      operations: [:],
      queuedShares: ratios.map { _ in 0 },
      probeNanoseconds: []
    )
    return BenchmarkReport(
      seed: 4,
      rounds: ratios.count,
      isInterrupted: isInterrupted,
      results: [
        ClaimResult(
          claim,
          of: record,
          rounds: record.rounds(of: .ratio(of: "engine", to: "raw")),
          disturbance: disturbance
        )
      ],
      trials: [record]
    )
  }

  private func run(_ report: BenchmarkReport, _ arguments: String...) -> Int32 {
    var trial = trial
    trial.benchmarker = { _, _, _ in report }
    return Program.run(["bench", "--data-dir", folder.path] + arguments, in: .captured(by: trial))
  }

  @Test func `Debug builds and builds with test points measure nothing`() {
    for build in [Trial.debug, Trial.testPoints] {
      var trial = Trial()
      trial.build = build
      #expect(trial.run("bench", "--data-dir", folder.path) == 64)
      #expect(trial.errors.text.contains("swift build -c release"))
    }
  }

  @Test(
    arguments: [
      ([1.0, 1.1, 1.2], nil, false, 0), ([1.2, 1.0, 1.3], nil, false, 99), ([1.0], "busy", false, 113),
      ([1.2], "busy", false, 113), ([1.0], nil, true, 130),
    ] as [([Double], String?, Bool, Int32)]
  )
  func `The exit code depends on the verdicts`(ratios: [Double], disturbance: String?, isInterrupted: Bool, code: Int32)
  {
    #expect(run(Self.report(ratios, disturbance: disturbance, isInterrupted: isInterrupted)) == code)
  }

  @Test func `The table has the median, the quartiles and the verdict`() {
    #expect(run(Self.report([1.0, 1.2, 1.4])) == 99)
    #expect(
      trial.output.lines == [
        "TARGET  FIGURE               LIMIT   MEDIAN  QUARTILES    VERDICT",
        "P6      1 row: engine / raw  ≤ 1.10  1.20    1.10 – 1.30  missed",
        "",
        "MEDIAN PER OPERATION  ",
        "1 row                 engine 1.80 µs, raw 1.50 µs",
        "",
        "1 missed; 3 rounds, seed 4",
      ]
    )
  }

  @Test func `Options reach the session, and its folder is removed`() throws {
    var trial = trial
    let seen = CapturedOutput()
    trial.benchmarker = { options, _, onProgress in
      onProgress(.family("P6"))
      onProgress(.trial("1 row"))
      seen.line("\(options.targets.sorted()) \(options.rounds) \(options.seed) \(options.scale.stuckWALBytes >> 20)")
      #expect(FileManager.default.fileExists(atPath: options.folder))
      return Self.report([1])
    }
    let arguments = [
      "bench", "--only", "P6,p1", "--only", "d1", "--rounds", "31", "--seed", "8", "--stuck-wal-mib", "1024",
      "--data-dir", folder.path,
    ]
    #expect(Program.run(arguments, in: .captured(by: trial)) == 0)
    #expect(seen.text == "[P1, P6, D1] 31 8 1024\n")
    #expect(trial.errors.text == "P6\n  1 row\n")
    try #expect(folder.names(in: "").isEmpty)
  }

  @Test func `JSON is written to a new file, and never overwrites one`() throws {
    let path = folder.path + "/bench.json"
    #expect(run(Self.report([1]), "--json", path) == 0)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains(#""claim" : "P6.raw""#))
    #expect(run(Self.report([1]), "--json", path) == 73)
    #expect(trial.errors.text.contains("\(path): the file exists already. Choose another name."))
  }

  @Test func `A wrong answer exits 111`() {
    var trial = trial
    trial.benchmarker = { _, _, _ in throw BenchmarkError(.wrongAnswer, "reads of raw: 7 was read") }
    #expect(Program.run(["bench", "--data-dir", folder.path], in: .captured(by: trial)) == 111)
    #expect(trial.errors.text == "error: reads of raw: 7 was read\n")
  }

  @Test(arguments: [
    ["--only", "P99"], ["--only", "D9"], ["--only", "6"], ["--only", "P1,"], ["--rounds", "0"],
    ["--stuck-wal-mib", "1"], ["--contestant", "unknown"], ["--instructions", "--rounds", "5"],
    ["--instructions", "--only", "P3"],
    ["--instructions", "--contestant", "engine"], ["--growth", "--out", "new", "--instructions"],
  ])
  func `Wrong usage exits 64`(arguments: [String]) {
    #expect(Program.run(["bench"] + arguments, in: .captured(by: trial)) == 64)
  }

  @Test func `An unknown contestant is refused with a list of the known ones`() {
    #expect(run(Self.report([1]), "--contestant", "unknown") == 64)
    #expect(trial.errors.text.contains("--contestant must be one of \"engine\", \"engine, WAL kept\", "))
    #expect(trial.errors.text.contains("; not \"unknown\""))
    #expect(run(Self.report([1]), "--contestant", "engine") == 0)
  }

  @Test func `The list has every target, and measures nothing`() {
    #expect(trial.run("bench", "--list", "--only", "P8,P14") == 0)
    let lines = trial.output.lines
    #expect(lines.first == "P8  readWrite of 100 and of 10,000 rows, per row")
    #expect(lines.count == 1 + 5 + 1 + 2)
    #expect(lines[5].hasSuffix("(--instructions)"))
    #expect(lines.last?.hasSuffix("≤ 50.0 ms") == true)
  }
}
