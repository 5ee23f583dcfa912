import Testing

@testable import BenchReports
@testable import BenchResults

struct ResultsSectionTests {
  private static let figure = FigureID(.response, .p50, of: FigureScope("stall", actor: "import"))

  private func sentences(_ labels: [String], repetitions: Int = 6) -> [String] {
    var result = PolicyRuns.result(labels: labels, repetitions: repetitions)
    for index in result.runs.indices { result.runs[index].expectations = [] }
    result.shownFigures = [Self.figure]
    return ResultsSection(VariantComparison(result)).sentences.map { "\($0.figure): \($0.values)" }
  }

  @Test func `A few variants are stated with their values and ratios`() {
    #expect(
      sentences(["one", "two"]) == ["stall/import response.p50: one 100 µs, two 201 µs (×2.00)"]
    )
    #expect(sentences(["one", "two"], repetitions: 2) == ["stall/import response.p50: one 100 µs, two 201 µs (×2.00)"])
  }

  @Test func `Of many variants, the extreme values are stated`() {
    let labels = ["a", "b", "c", "d", "e"]
    #expect(sentences(labels) == ["stall/import response.p50: lowest 100 µs with a, highest 502 µs with e"])
  }

  @Test func `A numeric setting is an axis, in the order of its values`() {
    // The second variant has twice the times of the first one.
    let name = "stall/import response.p50"
    #expect(sentences(["2k", "50"]) == ["\(name): 201 µs → 100 µs for engine.policy 50, 2k (×0.500)"])
    #expect(
      sentences(["1MiB", "2MiB", "1KiB"])
        == ["\(name): 301 µs → 100 µs → 201 µs for engine.policy 1KiB, 1MiB, 2MiB (×0.667)"]
    )
    #expect(
      sentences(["1MiB", "2MiB", "1KiB", "4MiB", "8MiB"])
        == ["\(name): 301 µs → 502 µs for engine.policy from 1KiB to 8MiB (×1.67), lowest 100 µs at 1MiB"]
    )
  }

  @Test func `Further figures than eight are counted`() throws {
    var result = PolicyRuns.result
    for index in result.runs.indices { result.runs[index].expectations = [] }
    let scope = FigureScope("stall", actor: "import")
    result.shownFigures = [Metric.response, .service].flatMap { metric in
      [Aggregate.min, .mean, .p50, .p90, .p99, .max].map { FigureID(metric, $0, of: scope) }
    }
    let results = ResultsSection(VariantComparison(result))
    #expect(results.sentences.count == 8)
    let left = try #require(results.left)
    #expect(left.hasSuffix(" figures more in the table"))
    #expect(ConsoleSummary.lines(result).contains("\(left) of the report"))
    #expect(ResultsSection.section(of: result)?.blocks.count == 1)
    for index in result.runs.indices { result.runs[index].isSmoke = true }
    #expect(!ConsoleSummary.lines(result).contains { $0.hasPrefix("stall/import ") })
  }

  @Test func `The peak of the WAL in all runs is stated with the connection that held it`() throws {
    let section = try #require(ResultsSection.section(of: PolicyRuns.result))
    guard case .list(let items) = section.blocks[0] else { throw CancellationError() }
    let peak = try #require(items.map(\.plain).first { $0.hasPrefix("WAL peak: ") })
    #expect(peak.contains("MiB") && peak.hasSuffix(", held by ui"))
    #expect(items.last?.plain == "2 repetitions cannot tell a difference from the spread: that needs 6")
  }

  @Test func `Without figures that are asked for, those of the most important actor come first`() {
    var result = PolicyRuns.result
    for index in result.runs.indices { result.runs[index].expectations = [] }
    let names = HeadlineFigures.ids(of: result).map(\.description)
    #expect(names.count == 3 && names[0].hasSuffix("throughput.mean") && names[2].hasSuffix(".p99"))
  }

  @Test(arguments: [
    ["1", "2"], ["commits(50)", "commits(2k)"], ["64KiB", "1MiB", "4MiB"], ["100us", "5 ms", "2s"], ["1k/s", "500/s"],
  ])
  func `Values with one number and one kind of unit are an axis`(labels: [String]) throws {
    let axis = try #require(VariantAxis(PolicyRuns.result(labels: labels, repetitions: 1).variants))
    #expect(axis.order.map { axis.values[$0] } == axis.values.sorted())
  }

  @Test(arguments: [
    ["share", "copy"], ["1", "1"], ["1", "2s"], ["commits(5)", "bytes(5)"], ["1", "many"], ["1", "2 3"], ["5"],
  ])
  func `Other values are no axis`(labels: [String]) {
    #expect(VariantAxis(PolicyRuns.result(labels: labels, repetitions: 1).variants) == nil)
  }

  @Test func `An axis is logarithmic if the values grow by half or more each`() throws {
    func axis(_ labels: [String]) throws -> VariantAxis {
      try #require(VariantAxis(PolicyRuns.result(labels: labels, repetitions: 1).variants))
    }
    let scale = try axis(["50", "2k", "500"]).scale
    #expect(scale.isLogarithmic && scale.ticks.map(\.name) == ["50", "500", "2k"])
    #expect(try !axis(["10", "11", "12"]).scale.isLogarithmic)
    #expect(try !axis(["0", "10", "100"]).scale.isLogarithmic)
  }

  @Test func `The charts over an axis have a dot for each repetition`() throws {
    let comparison = VariantComparison(PolicyRuns.result(labels: ["50", "2k"], repetitions: 2))
    let axis = try #require(comparison.axis)
    let drawings = try #require(AxisChart.drawings(comparison, over: axis, scenario: "a", fileName: "b.svg"))
    #expect(drawings.file != nil && !drawings.drawings.isEmpty)
  }
}
