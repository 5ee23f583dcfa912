public import BenchModel

/// A run's figures as other tools read them.
public enum ExportFormat: String, Sendable, CaseIterable {
  case googleBenchmark = "google-benchmark"
  case githubActionBenchmark = "github-action-benchmark"
  case bencher
  case benchstat
  case junit
  case openMetrics = "openmetrics"
  case hgrm

  /// One of the files of a format.
  public struct File: Sendable, Equatable {
    public var name: String
    public var text: String
  }

  /// What it is for, in a few words.
  public var summary: String {
    switch self {
    case .googleBenchmark: "JSON of Google Benchmark; an entry for each run and percentile"
    case .githubActionBenchmark: "two JSON files: figures to minimize, figures to maximize"
    case .bencher: "Bencher Metric Format, JSON"
    case .benchstat: "text of Go's benchmarks; a line for each run and latency"
    case .junit: "XML; expectations and invariants as test cases"
    case .openMetrics: "text; last values and totals"
    case .hgrm: "HdrHistogram's percentile output, a file for each latency"
    }
  }

  /// Whether it is more than one file.
  public var isFolder: Bool { self == .githubActionBenchmark || self == .hgrm }

  /// - Throws: `ExportError` where the format holds figures and no run has any that may be shown.
  public func files(of result: ScenarioResult) throws -> [File] {
    switch self {
    case .googleBenchmark: [File(name: "google-benchmark.json", text: try GoogleBenchmarkExport.text(of: result))]
    case .githubActionBenchmark: try GitHubActionBenchmarkExport.files(of: result)
    case .bencher: [File(name: "bencher.json", text: try BencherExport.text(of: result))]
    case .benchstat: [File(name: "benchstat.txt", text: try BenchstatExport.text(of: result))]
    case .junit: [File(name: "junit.xml", text: JUnitExport.text(of: result))]
    case .openMetrics: [File(name: "openmetrics.txt", text: OpenMetricsExport.text(of: result))]
    case .hgrm: HistogramPercentileExport.files(of: result)
    }
  }
}

/// Why there is nothing to export.
public struct ExportError: Error, Sendable, Equatable, CustomStringConvertible {
  public var problem: String
  public var description: String { problem }
}
