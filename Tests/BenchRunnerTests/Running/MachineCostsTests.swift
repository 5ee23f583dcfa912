import BenchResults
import BenchScenario
import Foundation
import TestSupport
import Testing

@testable import BenchRunner

@Suite("The costs of the machine") struct MachineCostsTests {
  @Test func `each cost is measured, and no file is left`() throws {
    let folder = try TemporaryFolder()
    let costs = MachineCosts.measure(in: folder.path)
    for kind in MachineCosts.Kind.allCases { #expect((costs[kind] ?? 0) > 0, "\(kind.rawValue)") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `a folder without a file system for files has no sync`() {
    let costs = MachineCosts.measure(in: "/proc")
    #expect(costs[.sync] == nil && costs[.write] == nil && costs.copyNanoseconds > 0)
  }

  private static let inMemory = "/dev/shm"

  @Test(.enabled(if: MountTable.memoryFileSystems.contains(MountTable.fileSystem(of: inMemory))))
  func `a limit in a cost that was not measured makes a run invalid, with the cause`() throws {
    let loaded = try ScenarioLoader.load(
      text: """
        {format: 1, seed: 1, name: limits, summary: A limit in costs of the machine, engine: {driver: null},
        dataset: {rows: {rows: 10, value: {size: 64B}}}, connections: {only: {}},
        actors: {loop: {connection: only, operations: {get: 1}, collection: rows}},
        phases: [{name: run, for: 50ms, actors: [loop]}],
        expect: ["run/loop service.p50 < 1000000 * machine.write", "run/loop service.p50 < 1000 * machine.sync"]}
        """
    )
    let folder = "\(Self.inMemory)/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var options = RunOptions(dataFolder: folder)
    options.measureOthers = { OthersUse(processorShare: 0) }
    let verdict = try ScenarioRun.perform(loaded, options: options).verdict
    #expect(verdict.exitCode == .measurementInvalid)
    #expect(verdict.headline.contains("machine.sync could not be measured in \(folder) ("), "\(verdict.headline)")
    #expect(!verdict.reasons.contains { $0.contains("machine.write") }, "\(verdict.reasons)")
  }
}
