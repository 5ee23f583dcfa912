import Foundation
import LatencyMetrics
import Testing

@testable import BenchReports
@testable import BenchResults

/// Differences between variants, and the grid of a matrix of two settings.
struct VariantGridTests {
  /// Whether the figures of two variants differ, by the title of the column.
  private func differences(repetitions: Int) -> [String: Bool?] {
    let comparison = VariantComparison(PolicyRuns.result(labels: ["containment", "share"], repetitions: repetitions))
    let columns = comparison.groups.filter { $0.owner == "import" || $0.owner == "ui" }.flatMap(\.columns)
    return Dictionary(columns.map { ($0.title, comparison.differs($0)) }) { first, _ in first }
  }

  @Test func `A figure differs if the interval of the pairs' ratio excludes 1, even if the ranges overlap`() {
    let six = differences(repetitions: 6)
    #expect(six["service p50"] == true && six["throughput"] == false)
    // The second repetition is slow in both variants.
    #expect(six["service p99"] == true)
    // Without a ratio, all pairs agree: nothing is dropped under the second policy.
    #expect(six["dropped/commit"] == true && six["hits/op"] == false)
  }

  @Test func `Fewer than six pairs show no difference, however far apart the ranges are`() {
    #expect(differences(repetitions: 5).values.allSatisfy { $0 == nil })
  }

  @Test func `Rows and columns are the values of both settings, in their order`() throws {
    let grid = try #require(VariantGrid(PolicyRuns.grid.variants))
    #expect(grid.keys == (row: "policy", column: "limit"))
    #expect(grid.rows == ["containment", "share"] && grid.columns == ["1k", "10k"])
    #expect(grid.variants == [[0, 1], [2, 3]])
    #expect(VariantGrid(Array(PolicyRuns.grid.variants.dropLast()))?.variants == [[0, 1], [2, nil]])
    #expect(VariantGrid(Array(PolicyRuns.grid.variants.prefix(2))) == nil)
    #expect(VariantGrid(PolicyRuns.result.variants) == nil)
  }

  @Test(
    arguments: [
      (BetterValues.lower, [4, 2, 0, nil]), (.higher, [0, 2, 4, nil]), (nil, [0, 2, 4, nil]),
    ] as [(BetterValues?, [Int?])]
  )
  func `The best value has the darkest cell`(better: BetterValues?, shades: [Int?]) throws {
    let figures = [99.0, 999, 9_999].map { VariantFigure([(repetition: 1, value: $0)]) } + [nil]
    let column = ComparedGroup.Column(title: "", name: "", unit: .nanoseconds, better: better, figures: figures)
    let table = try #require(VariantGrid(PolicyRuns.grid.variants)).table(of: column)
    #expect(table.shades.flatMap { $0.dropFirst() } == shades)
    #expect(table.rows.map { $0.map(\.plain) } == [["containment", "99.0 ns", "999 ns"], ["share", "10.0 µs", "–"]])
  }

  @Test func `A report of two settings has a grid for each figure that differs, and names the others`() throws {
    let report = ScenarioReport(result: PolicyRuns.grid, command: "")
    let page = try XMLPage(html: report.page)
    let names = page.attributes("data-name", of: "div")
    #expect(names.contains("Actor import in stall: service p50"))
    // All variants have the same throughput.
    #expect(names.contains("Actor import in stall: service p99"))
    #expect(!names.contains("Actor import in stall: throughput"))
    let folded = try #require(page.texts(of: "summary").first { $0.contains("without a difference") })
    #expect(folded.hasSuffix(" figures without a difference beyond the spread, not drawn"))
    #expect(page.texts(of: "td").contains("Actor import in stall: throughput"))
    #expect(page.attributes("class", of: "td").contains("r s4"))
    #expect(!page.texts(of: "text").contains { $0.hasPrefix("import in stall: throughput") })
    let lines = report.text.split(separator: "\n")
    #expect(lines.contains("**Actor `import` in `stall`: service p50**"))
    #expect(lines.contains { $0.hasPrefix("| `policy` ↓ `limit` →") })
    #expect(lines.contains { $0.hasPrefix("| `share` ") && $0.components(separatedBy: " µs (").count == 3 })
    #expect(lines.contains("The stronger the colour, the lower the value, which is better."))
  }

  @Test func `The operations of an actor that mixes them are compared in a folded table`() throws {
    var result = PolicyRuns.result(labels: ["containment", "share"], repetitions: 3)
    for run in result.runs.indices { result.runs[run]["stall"]["import"].operations.removeLast() }
    let single = VariantComparison(result)
    #expect(single.groups.contains { $0.kind == .operation && $0.owner == "scroll" })
    #expect(!single.groups.contains { $0.kind == .operation && $0.owner == "import" })
    for run in result.runs.indices {
      var histogram = LatencyHistogram(digits: 2)
      for _ in 0..<300 { histogram.record(result.runs[run].variant == "policy=share" ? 7_000 : 5_000) }
      result.runs[run]["stall"]["import"].operations.append(
        OperationResult(name: "scan(5)", times: [.service: histogram])
      )
    }
    let comparison = VariantComparison(result)
    let group = try #require(comparison.groups.first { $0.owner == "import" && $0.kind == .actor })
    let operations = comparison.operations(of: group)
    #expect(operations.map(\.operation).last == "scan(5)" && operations.count == 2)
    let page = try XMLPage(html: ScenarioReport(result: result, command: "").page)
    #expect(page.texts(of: "summary").contains("Operations of actor import in stall"))
    #expect(page.texts(of: "td").contains { $0.hasPrefix("7.0") && $0.hasSuffix("×1.40") })
    let rows = CSVReader.rows(VariantsTable.table(of: result).contents)
    let row = try #require(rows.first { $0[3] == "scan(5)" && $0[0] == "policy=share" && $0[4] == "service_p99_ns" })
    #expect(Array(row[1...2]) == ["stall", "import"])
    #expect((Double(row[5]) ?? 0).rounded() >= 7_000)
  }
}
