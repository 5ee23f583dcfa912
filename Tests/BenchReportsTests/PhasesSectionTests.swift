import Testing

@testable import BenchReports
@testable import BenchResults

struct PhasesSectionTests {
  private func table(of run: RunResult) -> ReportTable? {
    PhasesSection.section(of: run)?.blocks.compactMap { if case .table(let table) = $0 { table } else { nil } }.first
  }

  @Test func `An actor of several recorded phases has a row for each figure, and a column for each phase`() throws {
    var run = StalledReaderRun.result
    run["warm"].isRecorded = true
    let shown = try #require(table(of: run))
    let recorded = run.phases.filter(\.isRecorded).map(\.name)
    #expect(shown.columns.map(\.title.plain) == ["of", "figure"] + recorded)
    let rows = shown.rows.map { $0.map(\.plain) }
    let throughput = try #require(rows.first { $0[0] == "import" })
    #expect(throughput[1] == "throughput" && throughput[2].hasSuffix("/s") && throughput[3].hasSuffix("/s"))
    #expect(rows.contains { $0[0] == "all" && $0[1] == "WAL peak" })
  }

  @Test func `Actors of one recorded phase are not compared`() {
    var run = StalledReaderRun.result
    for index in run.phases.indices { run.phases[index].isRecorded = run.phases[index].name == "stall" }
    #expect(PhasesSection.section(of: run) == nil)
  }
}
