import BenchResults
import ComparisonFixtures
import Foundation
import TestSupport
import Testing

@testable import BenchComparison

@Suite("The calibration file") struct CalibrationFileTests {
  private let folder: TemporaryFolder
  private let record: CalibrationRecord

  init() throws {
    folder = try TemporaryFolder()
    record = CalibrationRecord(.madeUp())
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

  @Test func `a file that cannot be appended to is found before the runs`() throws {
    try CalibrationFile(folder.path + "/state/new.jsonl").checkAppendable()
    #expect(try folder.names(in: "state") == [])
    let damaged = try folder.write("{}\n", to: "damaged.jsonl")
    for path in ["/proc/none/c.jsonl", folder.path, "/dev/null", damaged] {
      let error = #expect(throws: ComparisonError.self) { try CalibrationFile(path).checkAppendable() }
      #expect(error?.description.hasPrefix(path) == true)
      #expect(error?.description.contains("--calibration") == true)
    }
  }

  @Test func `a file in another format is rejected with its location`() throws {
    let path = try folder.write("{}\n", to: "calibration.jsonl")
    let error = #expect(throws: ComparisonError.self) { _ = try CalibrationFile(path).records() }
    #expect(error?.description.hasPrefix("\(path):1: ") == true)
  }
}
