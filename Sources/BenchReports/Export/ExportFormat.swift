package import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// A format of other tools for a run's figures.
package enum ExportFormat: String, Sendable, CaseIterable {
  case googleBenchmark = "google-benchmark"
  case githubActionBenchmark = "github-action-benchmark"
  case bencher
  case benchstat
  case junit
  case openMetrics = "openmetrics"
  case hgrm

  /// One of the files of a format.
  package struct File: Sendable, Equatable {
    package var name: String
    package var text: String

    package init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// A short description for the help.
  package var summary: String {
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

  /// Whether the format is a folder of files, and not a single file.
  package var isFolder: Bool { self == .githubActionBenchmark || self == .hgrm }

  /// - Throws: `ExportError` if no run has valid figures and the format has no place for the verdict.
  package func files(of result: ScenarioResult) throws -> [File] {
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

/// The reason why there is nothing to export.
package struct ExportError: Error, Sendable, Equatable, CustomStringConvertible {
  package var problem: String
  package var description: String { problem }
}

/// JSON with its keys in a stable order and without characters that are markup in HTML.
enum ExportJSON {
  static func text(of value: some Encodable) throws -> String {
    let encoder = StableJSON.encoder(.prettyPrinted)
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    // In JSON, these characters occur only in strings.
    return text.replacing("<", with: "\\u003c").replacing(">", with: "\\u003e").replacing("&", with: "\\u0026") + "\n"
  }
}
