import Foundation
import Testing

@testable import BenchReports
@testable import BenchResults

/// Each test begins with a disk without a free page, and adds pages until everything can be written. So it fails in
/// every file that is longer than a step.
@Suite(.enabled(if: SmallDisk.isAvailable, "the permission to mount a file system is needed"))
struct FullDiskTests {
  private let disk: SmallDisk

  init() throws { disk = try SmallDisk() }

  /// A short run, because it is drawn many times.
  private static let result: ScenarioResult = {
    var result = StalledReaderRun.result
    result.samples = Array(result.samples.prefix(30))
    result.changeActors { actor in
      actor.intervals = actor.intervals.mapValues { IntervalSeries(Array($0.prefix(2))) }
      actor.operations = Array(actor.operations.prefix(1))
    }
    return ScenarioResult(result)
  }()

  /// - Returns: The number of attempts without enough space.
  private func refusals(step: Int = 1, _ reset: () throws -> Void = {}, of write: () throws -> Void) throws -> Int {
    for (count, pages) in stride(from: 0, to: 1_000, by: step).enumerated() {
      try disk.fill(leavingPages: 1_000)
      try reset()
      try disk.fill(leavingPages: pages)
      let before = try contents(of: disk.path)
      do {
        try write()
        return count
      } catch let error as ReportError {
        #expect(error.problem.contains("pace"), "\(error)")
        #expect(error.path.hasPrefix(disk.path) && !error.path.contains(".partial"), "\(error)")
        let after = try contents(of: disk.path)
        #expect(after == before, "\(pages) pages: \(Set(after.keys).symmetricDifference(before.keys))")
      }
    }
    Issue.record("nothing is ever enough")
    return 0
  }

  @Test func `A run's folder is written completely or not at all, and earlier runs stay`() throws {
    let earlier = try RunDirectory.write(Self.result, into: disk.path)
    let before = try contents(of: earlier)
    let refusals = try refusals(step: 8) { _ = try RunDirectory.write(Self.result, into: disk.path) }
    #expect(refusals > 3)
    try #expect(contents(of: earlier) == before)
    try #expect(Set(contents(of: earlier + "-2").keys) == Set(before.keys))
  }

  @Test func `The list of runs stays unchanged`() throws {
    _ = try RunDirectory.write(Self.result, into: disk.path)
    try ReportIndex.rewrite(in: disk.path)
    _ = try RunDirectory.write(Self.result, into: disk.path)
    let refusals = try refusals { try ReportIndex.rewrite(in: disk.path) }
    #expect(refusals > 1)
  }

  @Test func `A redrawn report replaces the old one completely or not at all`() throws {
    let run = try RunDirectory.write(Self.result, into: disk.path)
    let refusals = try refusals(step: 8) {
      try RunDirectory.redraw(Self.result, of: run, into: run, overwrites: true)
    }
    #expect(refusals > 1)
    let redrawn = run + "/redrawn"
    let more = try self.refusals(step: 8) {
      try RunDirectory.redraw(Self.result, of: run, into: redrawn, overwrites: false)
    }
    #expect(more > 1)
    try #expect(
      contents(of: redrawn).keys.sorted() == ["report.html", "report.md", "verdict.json", "wal-and-latency.svg"]
    )
  }

  @Test(arguments: [false, true])
  func `All exported files are written or none, and existing files stay`(isOld: Bool) throws {
    let folder = disk.path + "/exports"
    let files = (1...4).map { ExportFormat.File(name: "\($0)", text: String(repeating: "\($0)", count: 9_000)) }
    let refusals = try refusals {
      try? FileManager.default.removeItem(atPath: folder)
      let old = files.map { ExportFormat.File(name: $0.name, text: "old") }
      try ExportedFiles.write(isOld ? old : [], into: folder, overwrites: true)
    } of: {
      try ExportedFiles.write(files, into: folder, overwrites: isOld)
    }
    #expect(refusals > files.count)
    try #expect(
      contents(of: folder).mapValues { String(decoding: $0, as: UTF8.self) }
        == Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.text) })
    )
  }

  @Test func `A folder on a read-only disk is reported before a run`() throws {
    let run = try RunDirectory.write(Self.result, into: disk.path)
    let before = try contents(of: disk.path)
    try disk.allowReadingOnly()
    let attempts: [() throws -> Void] = [
      { try RunDirectory.checkWritable(disk.path) },
      { _ = try RunDirectory.write(Self.result, into: disk.path) },
      { try RunDirectory.redraw(Self.result, of: run, into: run, overwrites: true) },
      { try ReportIndex.rewrite(in: disk.path) },
      { try ExportedFiles.write("text", to: disk.path + "/file", overwrites: false) },
      { _ = try LatencyLogFile(in: disk.path) },
    ]
    for attempt in attempts {
      let error = #expect(throws: ReportError.self) { try attempt() }
      #expect(error?.path.hasPrefix(disk.path) == true)
      #expect(error?.problem.lowercased().contains("read") == true)
    }
    try #expect(contents(of: disk.path) == before)
  }
}
