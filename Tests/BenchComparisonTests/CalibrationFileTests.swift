import BenchModel
import Foundation
import TestSupport
import Testing

@testable import BenchComparison

@Suite("The calibration file") struct CalibrationFileTests {
  private let folder: TemporaryFolder
  private let record: CalibrationRecord

  init() throws {
    folder = try TemporaryFolder()
    let machine = ComparedMachine(
      cpu: "a processor",
      coreCount: 2,
      memoryBytes: 8 << 30,
      kernel: "6.1",
      fileSystem: "ext4",
      sqliteVersion: "3.40.1"
    )
    let arm = ComparedArm(name: ".", commit: nil, hasUncommittedChanges: false, sha256: "ab", settings: [])
    record = CalibrationRecord(
      ComparisonOutcome(
        base: arm,
        head: arm,
        machine: machine,
        design: ComparisonDesign(pairs: 6, confirmingPairs: 6, seed: 1, scenarios: []),
        calibration: nil,
        figures: [],
        curves: [],
        notCompared: [],
        summary: ComparisonSummary(
          regressed: 0,
          improved: 0,
          suspect: 0,
          changedSmall: 0,
          unchanged: 0,
          inconclusive: 0,
          notCompared: 0,
          invalidatedPairs: 0
        ),
        failures: [],
        failedExpectations: [],
        lastRunAt: "2026-01-31T02:00:00Z",
        exitCode: 0
      )
    )
  }

  private func record(minute: Int) -> CalibrationRecord {
    var record = record
    record.time = "2026-01-31T02:0\(minute):00Z"
    return record
  }

  @Test func `records are appended, and the folder is created`() throws {
    let file = CalibrationFile(folder.path + "/state/calibration.jsonl")
    #expect(try file.records() == [])
    let records = (1...3).map(record)
    for record in records { try file.append(record) }
    #expect(try file.records() == records)
  }

  @Test func `a comparison counts once, however often it is appended`() throws {
    let file = CalibrationFile(folder.path + "/calibration.jsonl")
    for _ in 1...3 { try file.append(record) }
    #expect(try file.records() == [record])
  }

  @Test func `a truncated line is ignored, and replaced by the next record`() throws {
    let file = CalibrationFile(folder.path + "/calibration.jsonl")
    try file.append(record)
    let whole = try String(contentsOfFile: file.path, encoding: .utf8)
    try folder.write(whole + whole.prefix(20), to: "calibration.jsonl")
    #expect(try file.records() == [record])
    try file.append(record(minute: 5))
    #expect(try file.records() == [record, record(minute: 5)])
  }

  @Test func `a file in another format is rejected with its location`() throws {
    let path = try folder.write("{}\n", to: "calibration.jsonl")
    let error = #expect(throws: ComparisonError.self) { _ = try CalibrationFile(path).records() }
    #expect(error?.description.hasPrefix("\(path):1: ") == true)
  }
}
