import BenchResults
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
    #expect(costs[.sync] == nil && costs.copyNanoseconds > 0)
  }
}
