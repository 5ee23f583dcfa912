internal import BenchResults
internal import LatencyMetrics

/// HdrHistogram's percentile output (`.hgrm`), which its plotter draws: a file for each latency of a recorded phase
/// that has durations, in nanoseconds. The run's verdict is the last line.
enum HistogramPercentileExport {
  /// In characters. With a number and an ending, a name stays below the 255 bytes that usual file systems permit.
  private static let longestStem = 200

  static func files(of result: ScenarioResult) -> [ExportFormat.File] {
    var number = 0
    return result.runs.flatMap { run -> [ExportFormat.File] in
      let tag = result.tag(of: run)
      return run.latencies.filter { $0.phase.isRecorded && !$0.histogram.isEmpty }.map { latency in
        number += 1
        // A tag has no plus sign, so no two tags become one.
        let whole = tag.text(of: latency).replacing("/", with: "+")
        let stem = whole.count <= longestStem ? whole : "\(whole.prefix(longestStem))+\(number)"
        let verdict = "#[Verdict = \(run.verdict.exitCode.rawValue), \(InertText.line(run.verdict.headline))]\n"
        return ExportFormat.File(name: stem + ".hgrm", text: latency.histogram.percentileDistribution + verdict)
      }
    }
  }
}
