import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("Figures that the report is to show")
struct ShownFiguresTests {
  private func scenario(showing figures: [String]) -> String {
    smallScenario + "\nshow:\n" + figures.map { "  - \"\($0)\"\n" }.joined()
  }

  @Test func `Figures are named as in expectations, with a share in per cent`() throws {
    let texts = [
      "run/write response.p99", "run wal.bytes.max", "run/write operations", "run/read cache.object.hits.sum %",
    ]
    let loaded = try ScenarioLoader.load(text: scenario(showing: texts))
    #expect(loaded.shownFigures.map(\.description) == texts)
    #expect(loaded.shownFigures.last?.unit == .share)
    let written = try loaded.scenario.text()
    #expect(try ScenarioLoader.load(text: written).scenario == loaded.scenario)
  }

  @Test(arguments: [
    ("run/write", "expected a figure: PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE]"),
    ("run/write response", "needs an aggregate"),
    ("run/write response.p99 < 5ms", "expected a figure"),
    ("run/writer response.p99", "unreachable figure: no actor \"writer\" acts in the phase \"run\""),
    ("later wal.bytes.max", "unreachable figure: there is no phase \"later\""),
    ("run/write.set operations", "one operation has a \"throughput\""),
    ("run/write response.p99 %", "has no share in per cent"),
  ])
  func `A figure that cannot be measured is a mistake`(text: String, message: String) {
    let found = problems(in: scenario(showing: [text]))
    #expect(found.count == 1 && found[0].contains(message), "\(found)")
  }

  @Test func `A figure is listed once, and in a list`() {
    let twice = problems(in: scenario(showing: ["run wal.bytes.max", "run wal.bytes.max"]))
    #expect(twice == ["s.yaml:33:5: error: \"run wal.bytes.max\" is listed twice"])
    let none = problems(in: smallScenario + "\nshow: run wal.bytes.max\n")
    #expect(none.count == 1 && none[0].contains("expected a list of figures such as \"stall/import response.p99\""))
  }

  @Test func `Comparable runs have the same text, whatever their seed, words and expectations`() throws {
    func text(_ change: (String) -> String) throws -> String {
      try ScenarioLoader.load(text: change(smallScenario)).comparableText
    }
    let usual = try text { $0 }
    #expect(try text { $0.replacing("seed: 7", with: "seed: 8  # another") } == usual)
    #expect(try text { $0.replacing("A reader and a writer.", with: "Other words.") } == usual)
    #expect(try text { $0.replacing("< 50ms", with: "< 60ms") + "\nshow: [run wal.bytes.max]\n" } == usual)
    #expect(try text { $0.replacing("rows: 1k", with: "rows: 2k") } != usual)
  }
}
