import Foundation
import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("File descriptors that a scenario needs") struct DescriptorNeedTests {
  private func need(_ connections: Int, _ phases: [PhaseSettings] = [], driver: DriverKind = .yap) -> Int {
    DescriptorNeed.of(
      Scenario(
        name: "need",
        summary: "",
        engine: EngineSettings(driver: driver),
        dataset: [],
        connections: [ConnectionSettings(name: "pool", count: connections)],
        actors: [],
        phases: phases,
        invariants: []
      )
    )
  }

  @Test func `each connection counts, and a driver without a database needs none`() {
    #expect(need(100) - need(1) == 99 * 4)
    #expect(need(100, driver: .null) == DescriptorNeed.ofProgram)
  }

  @Test func `every scenario of the project needs at most the usual limit of 1,024`() throws {
    for path in try RunningScenarios.paths() {
      for variant in try ScenarioLoader.load(path: path).variants {
        #expect(DescriptorNeed.of(variant.scenario) < 1_000, "\(path)")
      }
    }
  }
}
