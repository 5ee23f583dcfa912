import BenchResults
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import EngineBenchmarks

/// Runs of every axis, in sizes at which the figures mean nothing. The measurements check what they read.
struct GrowthTests {
  private func perform(
    _ axis: GrowthAxis,
    _ sizes: [Int],
    interruption: StopFlag = StopFlag(),
    onProgress: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> GrowthReport {
    try withTemporaryFolder { folder in
      var options = GrowthOptions(folder: folder, axes: [(axis, sizes)])
      options.rounds = 2
      options.batchNanoseconds = 200_000
      let report = try GrowthSession.perform(options, interruption: interruption, onProgress: onProgress)
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      return report
    }
  }

  @Test(
    arguments: [
      (.rows, [300, 600]), (.connections, [1, 3]), (.lag, [1, 1_000]), (.wal, [64 << 10, 256 << 10]),
      (.values, [16, 60_000]), (.view, [300, 600]),
    ] as [(GrowthAxis, [Int])]
  )
  func `every panel of an axis has figures at every size`(_ axis: GrowthAxis, _ sizes: [Int]) throws {
    let report = try perform(axis, sizes)
    let found = try #require(report.axes.first)
    #expect(report.axes.count == 1 && found.axis == axis && !report.isInterrupted)
    #expect(found.panels.count >= (BuildTraits.hasJemalloc ? 2 : 1))
    for panel in found.panels {
      // The memory of few commits is not measured.
      let measured = panel.title == "memory, per commit" ? [1_000] : sizes
      #expect(panel.points.map(\.size) == measured, "\(panel.title)")
      for point in panel.points {
        #expect(Set(point.figures.keys) == Set(panel.contestants), "\(panel.title)")
        let figures = point.figures.values.joined()
        #expect(!figures.isEmpty && figures.allSatisfy { $0.isFinite && $0 > 0 }, "\(panel.title) \(point.size)")
      }
    }
  }

  @Test func `an interruption ends the measurement before the next size`() throws {
    let interruption = StopFlag()
    let report = try perform(.rows, [300, 600, 900], interruption: interruption) { line in
      if line == "rows 600" { interruption.raise() }
    }
    #expect(report.isInterrupted)
    #expect(report.axes.first?.panels.first?.points.map(\.size) == [300])
  }

  @Test func `a size that the disk cannot hold is refused before anything is measured`() throws {
    let error = #expect(throws: BenchmarkError.self) {
      try perform(.wal, [1 << 20, 1 << 60]) { Issue.record("\($0) is measured") }
    }
    #expect(error?.description.hasPrefix("the axis wal needs ") == true)
    #expect(error?.description.contains("--data-dir") == true)
  }

  @Test func `sizes are ascending, and limits leave at least one`() {
    for axis in GrowthAxis.allCases {
      let all = axis.sizes(maximumRows: .max, isQuick: false)
      let quick = axis.sizes(maximumRows: 1_000, isQuick: true)
      #expect(all == all.sorted() && Set(all).count == all.count)
      #expect(!quick.isEmpty && quick.count < all.count && Set(quick).isSubset(of: all))
      // A size may need at most 6 GiB, so that most disks can hold the default sizes.
      #expect(all.allSatisfy { axis.diskBytes(of: $0) < 6 << 30 }, "\(axis)")
    }
  }
}
